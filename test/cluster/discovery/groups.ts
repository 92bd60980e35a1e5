import type { Resource } from '../registry.ts';
import { compareVersions } from '../schema/definition.ts';

/** An API group with its versions, the most stable first. */
export interface Group {
  /** Empty for core. */
  readonly name: string;
  readonly versions: readonly string[];
}

/** The groups of resources: built-in ones in the order in which they were added, then those of definitions by name. */
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
