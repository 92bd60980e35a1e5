/** Writes gnostic's protobuf messages. */

import type { Fields } from '../apimachinery/object.ts';

/** Encoding of a member: a scalar type or a function. */
export type Kind = 'string' | 'bool' | 'int' | 'double' | 'any' | Write;
/** Encodes the content of a member, or of each repeated one. */
export type Write = (value: unknown) => readonly Uint8Array[];

/** Message: its members with their numbers and encodings; names that begin with `x-` go to `extensions`. */
export interface Shape {
  readonly members: Readonly<Record<string, readonly [number: number, kind: Kind]>>;
  readonly extensions?: number;
}

function varint(value: number): readonly number[] {
  if (value >= 0 && value < 128) return [value];
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

/** Encodes a bytes member. */
export const delimited = (number: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);
/** Encodes a text member. */
export const text = (number: number, value: string): Uint8Array => delimited(number, Buffer.from(value));
/** Encodes an integer member. */
export const numeric = (number: number, value: number): Uint8Array =>
  Buffer.from([...varint(number * 8), ...varint(value)]);

/** Encodes a double member. */
export function double(number: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([Buffer.from(varint(number * 8 + 1)), bytes]);
}

/** Encodes a free-form value as YAML, of which JSON is a subset. */
export const any = (value: unknown): Uint8Array => text(2, JSON.stringify(value));

/** Returns an encoder of an object's members as a list of named values. */
export const namedValues =
  (number: number, write: (value: unknown) => Uint8Array): Write =>
  (value) => [
    Buffer.concat(
      Object.entries(value as Fields).map(([name, one]) =>
        delimited(number, Buffer.concat([text(1, name), delimited(2, write(one))])),
      ),
    ),
  ];
/** Returns an encoder of list items as messages. */
export const each =
  (write: (value: unknown) => Uint8Array): Write =>
  (value) =>
    (value as readonly unknown[]).map(write);
/** Returns an encoder of one message. */
export const one =
  (write: (value: unknown) => Uint8Array): Write =>
  (value) => [write(value)];

function memberOf(number: number, kind: Kind, value: unknown): readonly Uint8Array[] {
  if (typeof kind === 'function') return kind(value).map((content) => delimited(number, content));
  if (kind === 'string') return [value].flat().map((item) => text(number, String(item)));
  if (kind === 'bool') return value === true ? [numeric(number, 1)] : [];
  if (kind === 'int') return [numeric(number, value as number)];
  return kind === 'double' ? [double(number, value as number)] : [delimited(number, any(value))];
}

/** Encodes a message of a shape. */
export function encodeMessage(shape: Shape, value: unknown): Uint8Array {
  const parts = Object.entries(value as Fields).flatMap(([name, member]) => {
    const known = shape.members[name];
    if (known !== undefined) return memberOf(known[0], known[1], member);
    if (shape.extensions === undefined || !name.startsWith('x-')) return [];
    return [delimited(shape.extensions, Buffer.concat([text(1, name), delimited(2, any(member))]))];
  });
  return Buffer.concat(parts);
}
