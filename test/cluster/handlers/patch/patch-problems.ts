/** Problems of the text of a patch: repeated and unknown fields, and numbers that are not whole numbers. */

import { operationProblems, operationsOf } from '../../apimachinery/patch/json-patch.ts';
import { segmentsOf } from '../../apimachinery/patch/json-pointer.ts';
import type { Content } from '../../encoding/request-body.ts';
import { fieldProblems, repeatedPaths } from '../object-body.ts';
import { isJsonPatch, isStrategicPatch } from './patch-types.ts';

/** Patch and its media type. */
export interface TypedPatch {
  readonly patch: Content;
  readonly type: string;
}

/** Compares paths by their members, those of lists by their positions. */
function comparePaths(one: string, other: string): number {
  const [ones, others] = [one, other].map((path) => path.split(/[.[]/));
  const index = ones!.findIndex((name, at) => name !== others![at]);
  const [a = '', b = ''] = [ones![index], others![index]];
  const [inOne, inOther] = [a, b].map((name) => Number.parseInt(name, 10));
  if (a.endsWith(']') && b.endsWith(']')) return inOne! - inOther!;
  return a < b ? -1 : 1;
}

/** Returns the problems of a patch, and then those of the fields that it has set, sorted as Go writes them. */
export function patchProblems({ patch, type }: TypedPatch, unknown: readonly string[]): readonly string[] {
  if (isStrategicPatch(type)) return fieldProblems(patch, unknown);
  const sorted = unknown.toSorted(comparePaths);
  if (!isJsonPatch(type)) return fieldProblems(patch, sorted);
  const ofOperations = operationProblems(operationsOf(patch.value), repeatedPaths(patch));
  return [...ofOperations, ...sorted.map((path) => `unknown field ${JSON.stringify(path)}`)];
}

/** Returns the path of a JSON pointer: `spec.ports[0]` for `/spec/ports/0`. */
const pathAt = (pointer: string): string =>
  segmentsOf(pointer).reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');

/** Returns the numbers of the patched object that the patch has not written as whole numbers, by path. */
export function fractionalNumbersIn({ patch, type }: TypedPatch): ReadonlyMap<string, string> {
  const { numbers } = patch.written;
  if (!isJsonPatch(type) || numbers.size === 0) return isStrategicPatch(type) ? new Map() : numbers;
  const operations = operationsOf(patch.value);
  const moved = [...numbers].flatMap(([path, written]): [string, string][] => {
    const [, index, rest] = /^\[(\d+)\]\.value(.*)$/s.exec(path) ?? [];
    const { op, path: pointer } = operations[Number(index)] ?? {};
    return op === 'add' || op === 'replace' ? [[pathAt(String(pointer)) + rest, written]] : [];
  });
  return new Map(moved);
}
