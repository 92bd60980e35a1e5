/** Maintains APIServices for custom resources. */

import { timestampOf, uuidFrom } from '../../apimachinery/generated-metadata.ts';
import { automanaged, customApiService, type Served } from '../../apis/apiregistration/api-service.ts';
import { firstManagers } from '../../managed-fields/initial-managers.ts';
import type { Resource } from '../../resources/registry.ts';
import type { ServerContext } from '../../server/server-context.ts';

/** Collection of APIServices. */
export const apiServices = 'apiregistration.k8s.io/apiservices';

const isServed = ({ registry }: ServerContext, { group, version }: Served): boolean =>
  registry.all().some(({ info }) => info.custom !== undefined && info.group === group && info.version === version);

function publish(server: ServerContext, served: Served): void {
  const { store, clock, random } = server;
  const now = timestampOf(clock.now());
  const draft = customApiService(served, now);
  const { name = '', labels } = draft.metadata;
  const known = store.get(apiServices, name);
  const isOurs = known?.metadata.labels?.[automanaged] === 'true';
  if (!isServed(server, served)) {
    if (isOurs) store.remove(apiServices, name);
  } else if (known === undefined) {
    const managedFields = firstManagers(apiServices, draft, now)!;
    const metadata = { name, uid: uuidFrom(random), creationTimestamp: now, labels: labels!, managedFields };
    store.put(apiServices, name, { ...draft, metadata });
  }
}

/**
 * Returns a function that creates and deletes the automanaged APIServices for the groups and versions of the given
 * resources, one for each that is served.
 */
export function apiServicesOf(server: ServerContext): (resources: readonly Resource[]) => void {
  return (resources) => {
    const versions = new Map(resources.map(({ apiVersion, info }) => [apiVersion, info]));
    for (const { group, version } of versions.values()) publish(server, { group, version });
  };
}
