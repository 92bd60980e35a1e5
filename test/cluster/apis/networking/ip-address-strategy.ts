/** IPAddresses of Services. */

import { timestampOf, uuidFrom } from '../../apimachinery/generated-metadata.ts';
import { firstManagers } from '../../managed-fields/initial-managers.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { Strategy } from '../../server/strategy.ts';
import { addressDraft } from './service-ip-address.ts';

/** Collection of IPAddresses. */
const collection = 'networking.k8s.io/ipaddresses';

/** Service with addresses that it acquires or releases. */
interface Holding {
  readonly namespace: string;
  readonly name: string;
  readonly ips: readonly string[];
}

const isServed = ({ registry }: ServerContext): boolean =>
  registry.find('networking.k8s.io/v1', 'ipaddresses') !== undefined;

/** Creates the IPAddresses of a Service, where they are served (from 1.33 on). */
export function keepAddresses(server: ServerContext, { ips, ...place }: Holding): void {
  if (ips.length === 0 || !isServed(server)) return;
  const { store, clock, random } = server;
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
export function dropAddresses(server: ServerContext, ips: readonly string[]): void {
  if (ips.length === 0 || !isServed(server)) return;
  for (const ip of ips) server.store.remove(collection, ip);
}

/** IPAddresses: those created by clients are not allocated to Services. */
export const addressStrategy: Strategy = {
  allocate({ serviceAllocator }, draft, current) {
    if (current === undefined) serviceAllocator.allocateIp(draft.metadata.name);
  },
  afterDelete: ({ serviceAllocator }, { metadata: { name } }) => serviceAllocator.release({ ips: [name], ports: [] }),
};
