/** Conflicts of JSON patches with tests. */

import { keyOf, type ObjectKey } from '../api/object.ts';
import { InvalidError, StaleError } from '../errors.ts';

/** Reports whether a test or path of a patch failed: servers name no causes for it, but name the fields of a schema violation. */
const isRefusedTest = (error: unknown): boolean =>
  error instanceof InvalidError && (error.status.details?.causes ?? []).length === 0;

/**
 * Awaits a patch with tests of the state on which a decision was based; a failed test means a concurrent write.
 * @throws StaleError when a test fails: nothing was written; InvalidError for an invalid object
 */
export async function orStale<T>(object: ObjectKey, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isRefusedTest(error)) throw error;
    throw new StaleError(`${keyOf(object)} has changed meanwhile`, { cause: error });
  }
}
