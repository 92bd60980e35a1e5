/** Suspends synchronous code that needs an object converted by a webhook. */

/** Thrown by code that needs an object at a version not converted yet. */
export class Unconverted extends Error {
  override readonly name = 'Unconverted';
  /** Requests the conversion; rejects with the server's 500. */
  readonly convert: () => Promise<unknown>;

  constructor(apiVersion: string, convert: () => Promise<unknown>) {
    super(`a webhook converts this object to ${apiVersion}: read it by a client, or at the version that is stored`);
    this.convert = convert;
  }
}

async function resumedAfter<T>(first: Unconverted, work: () => T): Promise<Awaited<T>> {
  for (let missing = first; ; ) {
    await missing.convert();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unconverted)) throw error;
      missing = error;
    }
  }
}

/**
 * Runs work, and again from its beginning after each conversion that it lacks; synchronously if it lacks none. It must
 * not have side effects before that.
 */
export function retryAfterConversion<T>(work: () => T): T | Promise<Awaited<T>> {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unconverted) return resumedAfter(error, work);
    throw error;
  }
}
