/** API groups and the order of their versions. */

import { compareVersions } from '../crd/definition.ts';
import type { Resource } from '../resources/registry.ts';

/** API group with its versions, most stable first. */
export interface Group {
  /** Name of the group; empty for core. */
  readonly name: string;
  readonly versions: readonly string[];
}

/** Returns the groups of resources: built-in ones in the order of registration, then custom ones by name. */
export function groupsOf(resources: readonly Resource[]): readonly Group[] {
  const groups = Map.groupBy(resources, ({ info }) => info.group);
  const isBuiltin = (name: string) => groups.get(name)!.some(({ info }) => info.custom === undefined);
  const names = [...groups.keys()];
  const ordered = [...names.filter(isBuiltin), ...names.filter((name) => !isBuiltin(name)).sort()];
  return ordered.map((name) => {
    const versions = new Set(groups.get(name)!.map(({ info }) => info.version));
    return { name, versions: [...versions].sort(compareVersions) };
  });
}
