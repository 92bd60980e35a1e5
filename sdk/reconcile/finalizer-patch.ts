/** Adds and removes finalizers by JSON patch. */

import { changeFinalizers, type FinalizerChange } from '../api/finalizer.ts';
import type { KubeObject } from '../api/object.ts';
import { ignoreNotFound } from '../client/ignore-not-found.ts';
import { patchTested } from '../client/patch-tested.ts';
import { isRace } from '../errors.ts';
import { allowsRetry, backoffs } from '../retry.ts';
import type { Request } from './reconciler.ts';

/** Options of {@link patchFinalizers}. */
export interface FinalizerPatchOptions extends FinalizerChange {
  /** `'metadata'`: the returned object has only metadata, which costs less. @default the whole object */
  readonly answer?: 'metadata';
}

/**
 * Patches the finalizers of one object in place; after a concurrent change the object is read again, by `backoffs.finalizerPatch`.
 * Resolves with the resulting object; undefined when it was deleted or replaced by another of its name.
 * @throws StaleError when it keeps changing, RefusedError when a policy or a webhook stands against it
 */
export async function patchFinalizers<T extends KubeObject>(
  { client, kind, key, signal }: Request<T>,
  seen: T,
  { answer, ...change }: FinalizerPatchOptions,
): Promise<T | undefined> {
  const options = { signal, ...(answer !== undefined && { answer }) };
  let object: T | undefined = seen;
  for (let attempt = 0; object?.metadata.uid === seen.metadata.uid; attempt += 1) {
    const operations = changeFinalizers(object as T, change);
    if (operations.length === 0) return object;
    try {
      return await ignoreNotFound(patchTested(client, { kind, key, operations }, options));
    } catch (error) {
      if (!isRace(error) || !allowsRetry(backoffs.finalizerPatch, attempt)) throw error;
    }
    object = await ignoreNotFound(client.get(kind, key, { signal }));
  }
  return undefined;
}
