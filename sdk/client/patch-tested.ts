/** JSON patches with tests as optimistic locks. */

import type { Kind } from '../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../api/object.ts';
import { type JsonPatchOperation, testsHold } from '../api/patch.ts';
import { InvalidError, RefusedError, StaleError } from '../errors.ts';
import type { Client, WriteOptions } from './client.ts';

/** JSON patch with tests of the state on which a decision was based. */
export interface TestedPatch<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly key: ObjectKey;
  readonly operations: readonly JsonPatchOperation[];
}

/**
 * Sends a JSON patch with tests. A server answers 422 both for a failed test and for a rejected result, so the object is read once to distinguish
 * them.
 * @throws StaleError when a test does not hold: nothing was written; RefusedError when all tests hold; NotFoundError, ForbiddenError, UnreachableError
 */
export async function patchTested<T extends KubeObject>(
  client: Pick<Client, 'get' | 'patch'>,
  { kind, key, operations }: TestedPatch<T>,
  options: WriteOptions = {},
): Promise<T> {
  try {
    return await client.patch(kind, key, { type: 'json', operations }, options);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const live = await client.get(kind, key, options.signal && { signal: options.signal });
    throw refusalOf(live, operations, error);
  }
}

/** Returns the error for a 422 to a patch with tests, by the current object: see {@link patchTested}. */
export function refusalOf(
  live: KubeObject,
  operations: readonly JsonPatchOperation[],
  error: InvalidError,
): StaleError | RefusedError {
  const name = keyOf(live.metadata);
  return testsHold(live, operations)
    ? new RefusedError(`${name}: the API server refuses a change: ${error.message}`, { cause: error })
    : new StaleError(`${name} has changed meanwhile`, { cause: error });
}
