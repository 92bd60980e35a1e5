/** Encodes and decodes DER. */

/** Tags of ASN.1 values. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
};

/** Encodes a DER value: tag, length, content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

/** Encodes a SEQUENCE. */
export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tags.sequence, ...parts);
/** Encodes an INTEGER. */
export const integer = (bytes: Uint8Array): Buffer => der(tags.integer, bytes);
/** Encodes a BIT STRING of whole bytes. */
export const bits = (bytes: Uint8Array): Buffer => der(tags.bits, Buffer.from([0]), bytes);

/** Encodes an OBJECT IDENTIFIER such as `2.5.4.3`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const groups = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(tags.oid, Buffer.from(bytes));
}

/** BOOLEAN true. */
export const yes: Buffer = der(tags.boolean, Buffer.from([0xff]));

/** Encodes a certificate extension. */
export const extension = (id: string, value: Uint8Array, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [yes] : []), der(tags.octets, value));

/** Decoded value. */
export interface Value {
  readonly tag: number;
  /** Content bytes. */
  readonly content: Buffer;
  /** Complete encoding: tag, length and content. */
  readonly whole: Buffer;
}

/** Decodes consecutive values. Throws a RangeError, in Go's words, for invalid DER. */
export function readValues(bytes: Buffer): readonly Value[] {
  const values: Value[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1] ?? 0xff;
    const extra = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + extra;
    if (start > bytes.length || extra > 4) throw new RangeError('truncated tag or length');
    const length = extra === 0 ? first : bytes.readUIntBE(at + 2, extra);
    if (start + length > bytes.length) throw new RangeError('data truncated');
    const whole = bytes.subarray(at, start + length);
    values.push({ tag: bytes[at]!, content: bytes.subarray(start, start + length), whole });
    at = start + length;
  }
  return values;
}
