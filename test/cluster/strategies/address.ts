/** IPAddresses of Services. */

import { firstManagers } from '../bootstrap/managed.ts';
import { addressDraft } from '../bootstrap/others.ts';
import { type Machinery, timestampOf, uuidFrom } from '../machinery.ts';
import type { Strategy } from './strategy.ts';

/** Collection of IPAddresses. */
const collection = 'networking.k8s.io/ipaddresses';

/** Service with addresses that it acquires or releases. */
interface Holding {
  readonly namespace: string;
  readonly name: string;
  readonly ips: readonly string[];
}

const isServed = ({ registry }: Machinery): boolean =>
  registry.find('networking.k8s.io/v1', 'ipaddresses') !== undefined;

/** Creates the IPAddresses of a Service, where they are served (from 1.33 on). */
export function keepAddresses(machinery: Machinery, { ips, ...place }: Holding): void {
  if (ips.length === 0 || !isServed(machinery)) return;
  const { store, clock, random } = machinery;
  const now = timestampOf(clock.now());
  for (const ip of ips) {
    if (store.get(collection, ip) !== undefined) continue;
    const draft = addressDraft(ip, place);
    const managedFields = firstManagers(collection, draft, now)!;
    const { name, labels } = draft.metadata;
    const metadata = { name: name!, uid: uuidFrom(random), creationTimestamp: now, labels: labels!, managedFields };
    store.put(collection, ip, { ...draft, metadata });
  }
}

/** Deletes the IPAddresses that a Service no longer has. */
export function dropAddresses(machinery: Machinery, ips: readonly string[]): void {
  if (ips.length === 0 || !isServed(machinery)) return;
  for (const ip of ips) machinery.store.remove(collection, ip);
}

/** IPAddresses: those created by clients are not allocated to Services. */
export const addressStrategy: Strategy = {
  allocate({ addresses }, draft, current) {
    if (current === undefined) addresses.takeIp(draft.metadata.name);
  },
  released: ({ addresses }, { metadata: { name } }) => addresses.release({ ips: [name], ports: [] }),
};
