type Chunk = Uint8Array;

/** A watch that a process has open. */
export interface OpenWatch {
  /** Hands on one more line, after all that is on its way. */
  say(line: Chunk): void;
  end(): void;
  /** Lets nothing through for so many ms; what comes meanwhile arrives afterwards. */
  hush(ms: number): void;
}

const lastOfList = 'k8s.io/initial-events-end';

const expired = JSON.stringify({
  type: 'ERROR',
  object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410, message: 'too old' },
});

/** All watches of one life, and what befalls them. */
export class Streams {
  readonly #open = new Set<OpenWatch>();
  #lists: (readonly Chunk[])[] = [];
  #stale = false;

  /** @returns to be called when it is over */
  opened(watch: OpenWatch): () => void {
    this.#open.add(watch);
    return () => this.#open.delete(watch);
  }

  /** Remembers what a list was answered with, chunk by chunk. @returns what to tell every chunk to */
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

  /** Tells every watch that its version is too old: 410, and the end. @returns whether there was any */
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

  /** Ends every watch, and answers the next list with an old one. @returns whether there is an old one */
  makeStale(): boolean {
    this.#stale = this.#lists.length > 0;
    if (this.#stale) this.expire();
    return this.#stale;
  }

  /** The old list that a list is answered with now, if it is: once. */
  staleList(): readonly Chunk[] | undefined {
    if (!this.#stale) return undefined;
    this.#stale = false;
    return this.#lists[0];
  }
}
