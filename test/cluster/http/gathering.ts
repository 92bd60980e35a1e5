/** What one stream was given in one turn of the event loop. Others that were given the same share it: it is put together once for all of them. */
export class Parcel {
  readonly chunks: readonly Uint8Array[];
  #bytes: Uint8Array | undefined;
  #framed: Uint8Array | undefined;

  constructor(chunks: readonly Uint8Array[]) {
    this.chunks = chunks;
  }

  /** All of it. */
  get bytes(): Uint8Array {
    this.#bytes ??= this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    return this.#bytes;
  }

  /** All of it as one chunk of HTTP/1.1's chunked coding. */
  get framed(): Uint8Array {
    this.#framed ??= this.#frame();
    return this.#framed;
  }

  #frame(): Uint8Array {
    const size = this.chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), ...this.chunks, Buffer.from('\r\n')]);
  }
}

const isSame = (a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean =>
  a.length === b.length && a.every((chunk, index) => chunk === b[index]);

/** Where a stream goes. */
export type Deliver = (parcel: Parcel) => void;

/** Lets everything that streams are given in one turn of the event loop go out at once: a watch costs by writes to its socket, not by events. */
export class Gathering {
  readonly #waiting = new Map<Deliver, Uint8Array[]>();

  /** Delivers a chunk, in order, before the event loop waits again. */
  add(deliver: Deliver, chunk: Uint8Array): void {
    const chunks = this.#waiting.get(deliver);
    if (chunks !== undefined) {
      chunks.push(chunk);
      return;
    }
    if (this.#waiting.size === 0) setImmediate(() => this.#flush());
    this.#waiting.set(deliver, [chunk]);
  }

  /** Delivers at once what waits for one stream. */
  hurry(deliver: Deliver): void {
    const chunks = this.#waiting.get(deliver);
    if (chunks !== undefined && this.#waiting.delete(deliver)) deliver(new Parcel(chunks));
  }

  /** Forgets what waits for a stream whose reader has gone. */
  drop(deliver: Deliver): void {
    this.#waiting.delete(deliver);
  }

  #flush(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    let last = new Parcel([]);
    for (const [deliver, chunks] of waiting) {
      if (!isSame(last.chunks, chunks)) last = new Parcel(chunks);
      deliver(last);
    }
  }
}
