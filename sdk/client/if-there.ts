import { NotFoundError } from '../errors.ts';

/** What a server answers; undefined when what was asked for is not there. @throws any other error */
export async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
