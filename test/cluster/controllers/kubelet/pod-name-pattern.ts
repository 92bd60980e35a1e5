/** Selects pods by name pattern. */

import type { ApiObject } from '../../apimachinery/object.ts';

/** Pattern `namespace/name`, where `*` matches any characters but `/`. */
export type PodTarget = string;

const wildcards = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');

/** Returns a predicate on objects. Throws a TypeError for a pattern that cannot match a pod. */
export function targetMatcher(target: PodTarget): (object: ApiObject) => boolean {
  if (!/^[a-z0-9*-]+\/[a-z0-9*.-]+$/.test(target)) {
    throw new TypeError(`"${target}" names no pod: write namespace/name, such as default/web-0 or default/web-*`);
  }
  const pattern = new RegExp(`^${wildcards(target)}$`);
  return ({ metadata: { namespace, name } }) => pattern.test(`${namespace}/${name}`);
}
