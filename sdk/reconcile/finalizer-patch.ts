import { changeFinalizers, type FinalizerChange } from '../api/finalizer.ts';
import type { KubeObject } from '../api/object.ts';
import { orStale } from '../client/stale.ts';
import { isRace, NotFoundError } from '../errors.ts';
import type { Request } from './reconciler.ts';

/** How often finalizers that others changed meanwhile are read and changed again. */
const tries = 3;

const nothing = (error: unknown): undefined => {
  if (error instanceof NotFoundError) return undefined;
  throw error;
};

/** Changes finalizers of one object in place: what was changed by others meanwhile is read again, three times at most. */
export async function patchFinalizers<T extends KubeObject>(
  { client, kind, key, signal }: Request<T>,
  seen: T,
  change: FinalizerChange,
): Promise<T | undefined> {
  let object: T | undefined = seen;
  for (let left = tries; object?.metadata.uid === seen.metadata.uid; left -= 1) {
    const operations = changeFinalizers(object as T, change);
    if (operations.length === 0) return object;
    try {
      return await orStale(key, client.patch(kind, key, { type: 'json', operations }, { signal }));
    } catch (error) {
      if (!isRace(error) || left === 0) return nothing(error);
    }
    object = await client.get(kind, key, { signal }).catch(nothing);
  }
  return undefined;
}
