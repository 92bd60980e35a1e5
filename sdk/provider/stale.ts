import { keyOf, type ObjectKey } from '../api/object.ts';
import { InvalidError, StaleError } from '../errors.ts';

/** Waits for a patch of a workspace; that one of its tests was refused means that somebody else was faster. @throws StaleError: nothing has happened */
export async function orStale<T>(workspace: ObjectKey, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    throw new StaleError(`workspace ${keyOf(workspace)} has changed meanwhile`, { cause: error });
  }
}
