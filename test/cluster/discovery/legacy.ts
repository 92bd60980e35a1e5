/** Legacy discovery documents. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import type { Resource } from '../resources/registry.ts';
import type { Group } from './groups.ts';

const entryOf = (info: ResourceInfo): Fields => ({
  name: info.plural,
  singularName: info.singular,
  namespaced: info.namespaced,
  kind: info.kind,
  verbs: info.verbs,
  ...(info.shortNames.length > 0 && { shortNames: info.shortNames }),
  ...(info.categories.length > 0 && { categories: info.categories }),
  ...(info.storageVersionHash !== undefined && { storageVersionHash: info.storageVersionHash }),
});

const subresourceEntries = (info: ResourceInfo): Fields[] =>
  info.subresources.map(({ name, kind, group, version, verbs }) => ({
    name: `${info.plural}/${name}`,
    singularName: '',
    namespaced: info.namespaced,
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    kind,
    verbs,
  }));

/** Returns the APIResourceList of a group and version. */
export const resourceList = (apiVersion: string, resources: readonly Resource[]): Fields => ({
  kind: 'APIResourceList',
  ...(parseApiVersion(apiVersion).group !== '' && { apiVersion: 'v1' }),
  groupVersion: apiVersion,
  resources: resources
    .filter((resource) => resource.apiVersion === apiVersion)
    .flatMap(({ info }) => [entryOf(info), ...subresourceEntries(info)]),
});

/** Returns the entry of a group in `/apis`. */
export const groupFields = ({ name, versions }: Group): Fields => {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
};
