/** Batches the chunks of streams, so that each socket is written once per turn of the event loop. */

/** Chunks for a stream in one turn of the event loop. Streams with equal chunks share a batch, which is joined once for all of them. */
export class WriteBatch {
  readonly chunks: readonly Uint8Array[];
  #bytes: Uint8Array | undefined;
  #framed: Uint8Array | undefined;

  constructor(chunks: readonly Uint8Array[]) {
    this.chunks = chunks;
  }

  /** All chunks, joined. */
  get bytes(): Uint8Array {
    this.#bytes ??= this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    return this.#bytes;
  }

  /** All chunks as one chunk of HTTP/1.1's chunked coding. */
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

/** Receives the batches of a stream. */
export type FlushBatch = (batch: WriteBatch) => void;

/** Batches chunks until the end of a turn of the event loop: the cost of a watch is its socket writes, not its events. */
export class WriteBatching {
  readonly #waiting = new Map<FlushBatch, Uint8Array[]>();

  /** Queues a chunk, to be delivered in order within this turn of the event loop. */
  add(flush: FlushBatch, chunk: Uint8Array): void {
    const chunks = this.#waiting.get(flush);
    if (chunks !== undefined) {
      chunks.push(chunk);
      return;
    }
    if (this.#waiting.size === 0) setImmediate(() => this.#flush());
    this.#waiting.set(flush, [chunk]);
  }

  /** Delivers a stream's queued chunks at once. */
  flushNow(flush: FlushBatch): void {
    const chunks = this.#waiting.get(flush);
    if (chunks !== undefined && this.#waiting.delete(flush)) flush(new WriteBatch(chunks));
  }

  /** Discards the queued chunks of a stream whose reader has disconnected. */
  drop(flush: FlushBatch): void {
    this.#waiting.delete(flush);
  }

  #flush(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    let last = new WriteBatch([]);
    for (const [flush, chunks] of waiting) {
      if (!isSame(last.chunks, chunks)) last = new WriteBatch(chunks);
      flush(last);
    }
  }
}
