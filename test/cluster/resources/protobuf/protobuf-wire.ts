/** Reads the protobuf wire format. */

/** Value on the wire: a varint, a fixed 64-bit or 32-bit number, or bytes. */
export type Value = bigint | number | Uint8Array;

/** Values of a message by field number, in their order on the wire. */
export type Message = ReadonlyMap<number, readonly Value[]>;

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) break;
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a protobuf number does not end');
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('a protobuf message ends early');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const readers: Readonly<Record<number, (reader: Reader) => Value>> = {
  0: (reader) => reader.varint(),
  1: (reader) => viewOf(reader.take(8)).getFloat64(0, true),
  2: (reader) => reader.take(Number(reader.varint())),
  5: (reader) => viewOf(reader.take(4)).getInt32(0, true),
};

/** Parses a message. Throws a RangeError for truncated bytes and the removed group wire types. */
export function messageOf(bytes: Uint8Array): Message {
  const reader = new Reader(bytes);
  const message = new Map<number, Value[]>();
  while (!reader.done) {
    const tag = Number(reader.varint());
    const read = readers[tag % 8];
    if (read === undefined) throw new RangeError(`a protobuf message holds a value of the unknown kind ${tag % 8}`);
    const number = Math.floor(tag / 8);
    if (number === 0 || number >= 2 ** 29) throw new RangeError(`a protobuf message has the illegal tag ${number}`);
    const value = read(reader);
    const known = message.get(number);
    if (known === undefined) message.set(number, [value]);
    else known.push(value);
  }
  return message;
}

const decoder = new TextDecoder();

/** Returns a value as text; empty when it is absent. */
export const textOf = (value: Value | undefined): string => (value instanceof Uint8Array ? decoder.decode(value) : '');

/** Returns a value as a number; varints are signed 64-bit integers. */
export function numberOf(value: Value): number {
  if (typeof value === 'bigint') return Number(BigInt.asIntN(64, value));
  return typeof value === 'number' ? value : 0;
}
