/** Simulates faults of watches and lists. */

type Chunk = Uint8Array;

/** An open watch of a process. */
export interface OpenWatch {
  /** Sends one more line, after all that is in flight. */
  say(line: Chunk): void;
  end(): void;
  /** Delays everything for that many ms. */
  hush(ms: number): void;
}

const lastOfList = 'k8s.io/initial-events-end';

const expired = JSON.stringify({
  type: 'ERROR',
  object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410, message: 'too old' },
});

/** All watches of one life, and their faults. */
export class Streams {
  readonly #open = new Set<OpenWatch>();
  #lists: (readonly Chunk[])[] = [];
  #stale = false;

  /** Registers an open watch. @returns a function that unregisters it */
  opened(watch: OpenWatch): () => void {
    this.#open.add(watch);
    return () => this.#open.delete(watch);
  }

  /** Records the answer of a list, chunk by chunk. @returns the function that takes every chunk */
  recording(): (chunk: Chunk) => void {
    const chunks: Chunk[] = [];
    let complete = false;
    return (chunk) => {
      if (complete) return;
      chunks.push(chunk);
      complete = Buffer.from(chunk).includes(lastOfList);
      if (complete) this.#lists = [...this.#lists.slice(-3), chunks];
    };
  }

  /** Ends every watch with 410: its resourceVersion is too old. @returns whether there was any */
  expire(): boolean {
    const all = [...this.#open];
    for (const watch of all) {
      watch.say(Buffer.from(`${expired}\n`));
      watch.end();
    }
    return all.length > 0;
  }

  /** Silences every watch. @returns whether there was any */
  silence(ms: number): boolean {
    for (const watch of this.#open) watch.hush(ms);
    return this.#open.size > 0;
  }

  /** Ends every watch and answers the next list with an old one. @returns whether there is an old one */
  makeStale(): boolean {
    this.#stale = this.#lists.length > 0;
    if (this.#stale) this.expire();
    return this.#stale;
  }

  /** Returns the old list with which to answer a list, once, if there is one. */
  staleList(): readonly Chunk[] | undefined {
    if (!this.#stale) return undefined;
    this.#stale = false;
    return this.#lists[0];
  }
}
