import { keyOf, type ObjectKey } from '../api/object.ts';
import { InvalidError, StaleError } from '../errors.ts';

/** A patch whose tests or paths do not hold is refused without a cause; an object that would break its schema names the fields. */
const isRefusedTest = (error: unknown): boolean =>
  error instanceof InvalidError && (error.status.details?.causes ?? []).length === 0;

/**
 * Waits for a patch that tests what was decided on; that a test was refused means that somebody else was faster.
 * @throws StaleError: nothing has happened; InvalidError for what no server would ever take
 */
export async function orStale<T>(object: ObjectKey, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isRefusedTest(error)) throw error;
    throw new StaleError(`${keyOf(object)} has changed meanwhile`, { cause: error });
  }
}
