/** Initial objects of collections, created on first access. */

import { timestampOf, uuidFrom } from '../apimachinery/generated-metadata.ts';
import type { Draft } from '../apimachinery/object.ts';
import { randomFrom } from '../apimachinery/seeded-random.ts';
import { addressDraft } from '../apis/networking/service-ip-address.ts';
import { firstManagers } from '../managed-fields/initial-managers.ts';
import { storeKeyOf } from '../resources/registry.ts';
import type { ServerContext } from '../server/server-context.ts';
import { flowSchemas, priorityLevels } from './flow-control.ts';
import { apiServices, identityLeases, priorityClasses, serviceCidrs } from './system-objects.ts';

/** Functions that create the initial objects, by collection. */
export type BootstrapObjects = Readonly<Record<string, (server: ServerContext, now: string) => readonly Draft[]>>;

/** Revisions reserved for each collection. */
const reservedRevisions = 100;

function builtinVersions({ registry }: ServerContext) {
  const served = registry.all().flatMap(({ info }) => (info.custom === undefined ? [info] : []));
  return [...new Map(served.map(({ group, version }) => [`${group}/${version}`, { group, version }])).values()];
}

/** Initial objects of every server, by collection. */
export const systemObjects: BootstrapObjects = {
  'flowcontrol.apiserver.k8s.io/flowschemas': ({ profile }, now) => flowSchemas(now, profile.changes.tables),
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': ({ profile }) => priorityLevels(profile.changes.tables),
  'apiregistration.k8s.io/apiservices': (server, now) =>
    apiServices(builtinVersions(server), now, server.profile.changes.tables.apiServiceTable),
  'scheduling.k8s.io/priorityclasses': ({ profile }) => priorityClasses(profile.changes.tables.priorityClassTable),
  'networking.k8s.io/servicecidrs': ({ serviceAllocator }, now) => serviceCidrs(serviceAllocator.range, now),
  'networking.k8s.io/ipaddresses': ({ serviceAllocator }) => [
    addressDraft(serviceAllocator.apiServerIp, { namespace: 'default', name: 'kubernetes' }),
  ],
  'coordination.k8s.io/leases': ({ clock }) => identityLeases(clock.now()),
};

/** Registers initial objects with the store; they are created on first access, with the current time and reserved revisions. */
export function registerBootstrapObjects(server: ServerContext, objects: BootstrapObjects): void {
  const { store, clock, random, registry } = server;
  const now = timestampOf(clock.now());
  const known = new Set(registry.all().map(({ collection }) => collection));
  for (const [collection, draftsFor] of Object.entries(objects)) {
    if (!known.has(collection)) continue;
    const seed = uuidFrom(random).replaceAll('-', '');
    store.registerInitial(collection, reservedRevisions, () => {
      const uids = randomFrom(seed);
      return draftsFor(server, now).map((draft) => {
        const { name = '', namespace, ...rest } = draft.metadata;
        const place = { name, ...(namespace !== undefined && { namespace }) };
        const managedFields = firstManagers(collection, draft, now);
        const metadata = {
          ...place,
          uid: uuidFrom(uids),
          creationTimestamp: now,
          ...rest,
          ...(managedFields && { managedFields }),
        };
        return [storeKeyOf(namespace, name), { ...draft, metadata }] as const;
      });
    });
  }
}
