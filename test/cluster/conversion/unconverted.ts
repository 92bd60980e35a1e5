/** Thrown by what needs an object at a version that a webhook has to be asked for first. */
export class Unconverted extends Error {
  override readonly name = 'Unconverted';
  /** Asks for it; rejects with the server's 500. */
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

/** Does some work, and again from its beginning with each conversion that it lacks: at once, as nearly always, when it lacks none. The work must not have done anything before it finds that out. */
export function resumed<T>(work: () => T): T | Promise<Awaited<T>> {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unconverted) return resumedAfter(error, work);
    throw error;
  }
}
