import type { Resource } from '../registry.ts';
import { compareVersions } from '../schema/definition.ts';

/** An API group with its versions, the most stable first. */
export interface Group {
  /** Empty for core. */
  readonly name: string;
  readonly versions: readonly string[];
}

/** The groups of resources, in the order they were added. */
export function groupsOf(resources: readonly Resource[]): readonly Group[] {
  const groups = new Map<string, Set<string>>();
  for (const {
    info: { group, version },
  } of resources) {
    groups.set(group, (groups.get(group) ?? new Set()).add(version));
  }
  return [...groups].map(([name, versions]) => ({ name, versions: [...versions].sort(compareVersions) }));
}
