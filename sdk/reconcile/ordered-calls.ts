/** Pending calls of one run, tracked so that the run can await those whose callers do not. */
export class OrderedCalls {
  readonly #calls = new Set<Promise<void>>();

  /** Starts a call at once. */
  run(call: () => Promise<void>): Promise<void> {
    return this.#track(call());
  }

  /** Starts a call after all earlier calls have ended, successfully or not. */
  runAfterOthers(call: () => Promise<void>): Promise<void> {
    return this.#track(Promise.allSettled(this.#calls).then(call));
  }

  /** Resolves when all pending calls have ended; rejects with the first error among them. */
  async settled(): Promise<void> {
    await Promise.all(this.#calls);
  }

  #track(call: Promise<void>): Promise<void> {
    const tracked = call.finally(() => this.#calls.delete(tracked));
    this.#calls.add(tracked);
    return tracked;
  }
}
