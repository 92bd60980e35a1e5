import type { Fields } from '../../objects/object.ts';
import { listOf } from '../checks.ts';

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** All containers of a pod with their paths, in the order in which the server visits them. */
export function* containersOf(spec: Fields, path: string): Generator<readonly [Fields, string]> {
  for (const list of lists) {
    for (const [index, container] of listOf(spec[list]).entries()) yield [container, `${path}.${list}[${index}]`];
  }
}
