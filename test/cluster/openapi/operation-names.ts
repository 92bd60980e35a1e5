import type { ResourceInfo } from '../kinds/resource-info.ts';

/** A word with a capital first letter. */
export const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

type Group = Pick<ResourceInfo, 'group' | 'version'>;

/** A group as names of operations have it: `core`, `rbacAuthorization`, `certManagerIo`. */
function groupWord(group: string): string {
  const [first = 'core', ...rest] = (group || 'core').replace(/\.k8s\.io$/, '').split(/[.-]/);
  return [first, ...rest.map(capital)].join('');
}

/** The tag of a group version, by which clients group operations: `apps_v1`. */
export const tagOf = ({ group, version }: Group): string => `${groupWord(group)}_${version}`;

/** A group version inside the id of an operation: `AppsV1`. */
export const groupName = ({ group, version }: Group): string => `${capital(groupWord(group))}${capital(version)}`;

/** A kind with an article, unless it is many. */
export function oneOf(kind: string): string {
  if (kind === 'Endpoints') return kind;
  return `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** A group in tags and inside ids: `rbacAuthorization` and `RbacAuthorization`. */
export function groupTag(group: string): { readonly tag: string; readonly name: string } {
  const tag = groupWord(group);
  return { tag, name: capital(tag) };
}
