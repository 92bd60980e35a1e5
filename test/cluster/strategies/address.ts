import { firstManagers } from '../bootstrap/managed.ts';
import { addressDraft } from '../bootstrap/others.ts';
import { type Machinery, timestampOf, uuidFrom } from '../machinery.ts';
import type { Strategy } from './strategy.ts';

/** Where the addresses of Services are kept. */
const collection = 'networking.k8s.io/ipaddresses';

/** A Service, with addresses that it is given or that it gives back. */
interface Holding {
  readonly namespace: string;
  readonly name: string;
  readonly ips: readonly string[];
}

const isServed = ({ registry }: Machinery): boolean =>
  registry.find('networking.k8s.io/v1', 'ipaddresses') !== undefined;

/** Makes the IPAddresses of a Service, where there are such (from 1.33 on). */
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

/** Takes away the IPAddresses that a Service has no longer. */
export function dropAddresses(machinery: Machinery, ips: readonly string[]): void {
  if (ips.length === 0 || !isServed(machinery)) return;
  for (const ip of ips) machinery.store.remove(collection, ip);
}

/** An address that somebody keeps by hand is given to no Service. */
export const addressStrategy: Strategy = {
  allocate({ addresses }, draft, current) {
    if (current === undefined) addresses.takeIp(draft.metadata.name);
  },
  released: ({ addresses }, { metadata: { name } }) => addresses.release({ ips: [name], ports: [] }),
};
