/** Writer of the protobuf wire format. */

const smallest = 4096;
const two32 = 0x1_0000_0000;

/** Returns the size of a varint in bytes. */
function sizeOf(value: number): number {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** Writes protobuf backwards, so that the length of nested messages is known when their heads are written. */
export class ReverseWriter {
  #bytes = Buffer.allocUnsafe(smallest);
  #at = smallest;

  /** Number of bytes written. */
  get size(): number {
    return this.#bytes.length - this.#at;
  }

  /** Returns all bytes and resets the writer. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(this.#at));
    this.#at = this.#bytes.length;
    return taken;
  }

  /** Discards all bytes and resets the writer. */
  drop(): void {
    this.#at = this.#bytes.length;
  }

  /** Writes a varint; negative numbers take 64 bits. */
  varint(value: number): void {
    if (value < 0) {
      this.#wide(BigInt.asUintN(64, BigInt(value)));
      return;
    }
    let at = this.#back(value < 0x80 ? 1 : sizeOf(value));
    const bytes = this.#bytes;
    let rest = value;
    for (; rest >= two32; rest = Math.floor(rest / 128), at += 1) bytes[at] = (rest % 128) | 0x80;
    for (; rest > 0x7f; rest >>>= 7, at += 1) bytes[at] = (rest & 0x7f) | 0x80;
    bytes[at] = rest;
  }

  /** Writes a double in eight bytes. */
  double(value: number): void {
    const at = this.#back(8);
    this.#bytes.writeDoubleLE(value, at);
  }

  /** Writes a text without its length. */
  text(value: string): void {
    const { length } = value;
    if (length > 48 || !this.#ascii(value, length)) {
      const size = Buffer.byteLength(value);
      const at = this.#back(size);
      this.#bytes.write(value, at, size, 'utf8');
    }
  }

  /** Writes bytes unchanged. */
  bytes(value: Uint8Array): void {
    const at = this.#back(value.length);
    this.#bytes.set(value, at);
  }

  /** Writes the length of all bytes since the size was `end`, and a tag before it. */
  head(tag: number, end: number): void {
    this.varint(this.size - end);
    this.varint(tag);
  }

  /** Copies short ASCII texts, which is faster than encoding; undone if another character occurs. */
  #ascii(value: string, length: number): boolean {
    const at = this.#back(length);
    const bytes = this.#bytes;
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) {
        this.#at += length;
        return false;
      }
      bytes[at + index] = code;
    }
    return true;
  }

  #wide(value: bigint): void {
    const groups: number[] = [];
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups.push(Number(rest));
    this.bytes(Uint8Array.from(groups));
  }

  /** Reserves bytes; returns their start. */
  #back(size: number): number {
    if (size > this.#at) {
      const written = this.#bytes.subarray(this.#at);
      const length = Math.max(this.#bytes.length * 2, smallest + size + written.length);
      const bytes = Buffer.allocUnsafeSlow(length);
      this.#at = length - written.length;
      bytes.set(written, this.#at);
      this.#bytes = bytes;
    }
    this.#at -= size;
    return this.#at;
  }
}
