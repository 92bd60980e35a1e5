/** Iteration over the containers of a pod. */

import type { Fields } from '../../../apimachinery/object.ts';
import { listOf } from '../../../apimachinery/validation/errors.ts';

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Yields all containers of a pod with their paths, in the server's order. */
export function* containersOf(spec: Fields, path: string): Generator<readonly [Fields, string]> {
  for (const list of lists) {
    for (const [index, container] of listOf(spec[list]).entries()) yield [container, `${path}.${list}[${index}]`];
  }
}
