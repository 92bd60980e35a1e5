import type { ApiObject } from '../../objects/object.ts';

/** Which pods: `namespace/name`, where `*` stands for any characters within one of both. */
export type PodTarget = string;

const wildcards = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');

/** Whether an object is meant. Throws a TypeError when the target can never mean a pod. */
export function targetMatcher(target: PodTarget): (object: ApiObject) => boolean {
  if (!/^[a-z0-9*-]+\/[a-z0-9*.-]+$/.test(target)) {
    throw new TypeError(`"${target}" names no pod: write namespace/name, such as default/web-0 or default/web-*`);
  }
  const pattern = new RegExp(`^${wildcards(target)}$`);
  return ({ metadata: { namespace, name } }) => pattern.test(`${namespace}/${name}`);
}
