/** Names and tags of OpenAPI operations. */

import type { ResourceInfo } from '../apimachinery/resource-info.ts';

/** Capitalizes a word. */
export const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

type Group = Pick<ResourceInfo, 'group' | 'version'>;

/** Returns a group in operation names: `core`, `rbacAuthorization`, `certManagerIo`. */
function groupWord(group: string): string {
  const [first = 'core', ...rest] = (group || 'core').replace(/\.k8s\.io$/, '').split(/[.-]/);
  return [first, ...rest.map(capital)].join('');
}

/** Returns the tag of a group version, which groups operations in clients: `apps_v1`. */
export const tagOf = ({ group, version }: Group): string => `${groupWord(group)}_${version}`;

/** Returns a group version in operation ids: `AppsV1`. */
export const groupName = ({ group, version }: Group): string => `${capital(groupWord(group))}${capital(version)}`;

/** Returns a kind with its article, except for a plural. */
export function oneOf(kind: string): string {
  if (kind === 'Endpoints') return kind;
  return `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** Returns a group in tags and ids: `rbacAuthorization` and `RbacAuthorization`. */
export function groupTag(group: string): { readonly tag: string; readonly name: string } {
  const tag = groupWord(group);
  return { tag, name: capital(tag) };
}
