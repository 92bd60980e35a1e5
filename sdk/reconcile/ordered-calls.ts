/** Calls of one run in their order, whether their callers wait for them or not. */
export class OrderedCalls {
  readonly #calls = new Set<Promise<void>>();

  /** Carries out a call at once, whether those before it have ended or not. */
  now(call: () => Promise<void>): Promise<void> {
    return this.#added(call());
  }

  /** Carries out a call when those before it have ended, failed or not. */
  after(call: () => Promise<void>): Promise<void> {
    return this.#added(Promise.allSettled(this.#calls).then(call));
  }

  /** Resolves when all calls so far have ended; rejects with the error of the first that failed and had not ended before. */
  async settled(): Promise<void> {
    await Promise.all(this.#calls);
  }

  #added(call: Promise<void>): Promise<void> {
    const added = call.finally(() => this.#calls.delete(added));
    this.#calls.add(added);
    return added;
  }
}
