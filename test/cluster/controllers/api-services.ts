/** Maintains APIServices for custom resources. */

import { firstManagers } from '../bootstrap/managed.ts';
import { automanaged, customApiService, type Served } from '../bootstrap/others.ts';
import { type Machinery, timestampOf, uuidFrom } from '../machinery.ts';
import type { Resource } from '../registry.ts';

/** Collection of APIServices. */
export const apiServices = 'apiregistration.k8s.io/apiservices';

const isServed = ({ registry }: Machinery, { group, version }: Served): boolean =>
  registry.all().some(({ info }) => info.custom !== undefined && info.group === group && info.version === version);

function publish(machinery: Machinery, served: Served): void {
  const { store, clock, random } = machinery;
  const now = timestampOf(clock.now());
  const draft = customApiService(served, now);
  const { name = '', labels } = draft.metadata;
  const known = store.get(apiServices, name);
  const isOurs = known?.metadata.labels?.[automanaged] === 'true';
  if (!isServed(machinery, served)) {
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
export function apiServicesOf(machinery: Machinery): (resources: readonly Resource[]) => void {
  return (resources) => {
    const versions = new Map(resources.map(({ apiVersion, info }) => [apiVersion, info]));
    for (const { group, version } of versions.values()) publish(machinery, { group, version });
  };
}
