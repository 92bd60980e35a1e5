/** Builds JSON patches (RFC 6902) and evaluates their tests. */

import { applyPatches, type Draft, enablePatches, type Patch, produceWithPatches } from 'immer';
import { canonicalJson } from './digest.ts';
import type { KubeObject } from './object.ts';

/** Operation of an RFC 6902 patch. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string };

/** Returns an RFC 6901 pointer to the path, such as `/status/conditions/0`. */
export const pointer = (...path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** `test` operation: the patch is refused (422) unless `path` holds `value`; null also matches an absent member. */
export const test = (path: string, value: unknown): JsonPatchOperation => ({ op: 'test', path, value: value ?? null });

/** `add` operation: sets a member, or inserts into an array (`-` as last part appends). */
export const add = (path: string, value: unknown): JsonPatchOperation => ({ op: 'add', path, value });

/** `remove` operation: fails (422) when the path is absent. */
export const remove = (path: string): JsonPatchOperation => ({ op: 'remove', path });

/** Returns immer's patch as an operation; a member set to undefined is removed, since JSON has no undefined values. */
function operationsOf({ op, path, value }: Patch): readonly JsonPatchOperation[] {
  const isMember = typeof path.at(-1) === 'string';
  if (op === 'remove' || (op === 'replace' && isMember && value === undefined)) return [remove(pointer(...path))];
  return isMember && value === undefined ? [] : [{ op, path: pointer(...path), value }];
}

/**
 * Returns the changes that `recipe` makes to a draft of `object`, as the smallest JSON patch; empty when there are none. A member that it sets to
 * undefined is removed. The object is not modified.
 */
export function changesOf<T extends KubeObject>(
  object: T,
  recipe: (draft: Draft<T>) => void,
): readonly JsonPatchOperation[] {
  enablePatches();
  const [, patches] = produceWithPatches(object, (draft: Draft<T>) => {
    recipe(draft);
  });
  return patches.flatMap(operationsOf);
}

/**
 * {@link changesOf} with a test of the resourceVersion: refused (422) if the object has changed since it was read. Empty when nothing changes:
 * send no request.
 */
export function patchOf<T extends KubeObject>(
  object: T,
  recipe: (draft: Draft<T>) => void,
): readonly JsonPatchOperation[] {
  const changes = changesOf(object, recipe);
  return changes.length === 0 ? [] : [test('/metadata/resourceVersion', object.metadata.resourceVersion), ...changes];
}

const unescapePart = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the value at an RFC 6901 pointer; undefined when it or a parent is absent. */
export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const part of path.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, unescapePart(part))) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[unescapePart(part)];
  }
  return value;
}

/** Returns the result of a patch without `move` and `copy` whose tests hold. The object is not modified. */
export function applied<T extends KubeObject>(object: T, operations: readonly JsonPatchOperation[]): T {
  enablePatches();
  const patches = operations
    .filter(({ op }) => op !== 'test')
    .map(({ path, ...rest }) => ({ ...rest, path: path.split('/').slice(1).map(unescapePart) }) as Patch);
  return applyPatches(object, patches);
}

/**
 * Reports whether all `test` operations of a patch hold, as an API server decides: null also matches an absent member, the order of members is
 * ignored.
 */
export const testsHold = (object: unknown, operations: readonly JsonPatchOperation[]): boolean =>
  operations.every((one) => one.op !== 'test' || canonicalJson(valueAt(object, one.path)) === canonicalJson(one.value));
