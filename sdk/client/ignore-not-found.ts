/** Reads that treat a 404 as a result. */

import { NotFoundError } from '../errors.ts';

/** Resolves with the response, or undefined for a 404. Rejects with any other error. */
export async function ignoreNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
