import { keyOf, type ObjectKey } from '../api/object.ts';
import { InvalidError, StaleError } from '../errors.ts';

/** Reports whether a patch's test or path failed: the server names no cause then, while for a schema violation it names the fields. */
const isRefusedTest = (error: unknown): boolean =>
  error instanceof InvalidError && (error.status.details?.causes ?? []).length === 0;

/**
 * Awaits a patch whose tests cover what was decided on; a failed test means that a concurrent writer was faster.
 * @throws StaleError: nothing has happened; InvalidError for an object that no server accepts
 */
export async function orStale<T>(object: ObjectKey, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isRefusedTest(error)) throw error;
    throw new StaleError(`${keyOf(object)} has changed meanwhile`, { cause: error });
  }
}
