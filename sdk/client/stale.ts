import { keyOf, type ObjectKey } from '../api/object.ts';
import { InvalidError, StaleError } from '../errors.ts';

/** Waits for a patch that tests what was decided on; that a test was refused means that somebody else was faster. @throws StaleError: nothing has happened */
export async function orStale<T>(object: ObjectKey, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    throw new StaleError(`${keyOf(object)} has changed meanwhile`, { cause: error });
  }
}
