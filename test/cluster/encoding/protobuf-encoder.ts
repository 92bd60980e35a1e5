/** Encodes Kubernetes protobuf messages. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import { typeNameOf } from '../apis/builtin-resources.ts';
import { magic } from '../resources/protobuf/protobuf.ts';
import { createMessageEncoder } from '../resources/protobuf/protobuf-encode.ts';
import type { TypeTable } from '../resources/type-table.ts';
import type { ProtobufEncoder } from '../server/protobuf-encoder.ts';

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}

/** Encodes a field of bytes, in parts. */
export const bytesField = (number: number, bytes: Uint8Array): readonly Uint8Array[] => [
  Uint8Array.from([number * 8 + 2, ...varint(bytes.length)]),
  bytes,
];

/** Empty content encoding and content type. */
const tail = Uint8Array.of(0x1a, 0, 0x22, 0);

/** Wraps a message, given in parts, in an envelope with its kind. */
export function envelopeOf(apiVersion: string, kind: string, parts: readonly Uint8Array[]): Buffer {
  const type = [...bytesField(1, Buffer.from(apiVersion)), ...bytesField(2, Buffer.from(kind))];
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = Uint8Array.from([0x12, ...varint(length)]);
  return Buffer.concat([Uint8Array.from(magic), ...bytesField(1, Buffer.concat(type)), head, ...parts, tail]);
}

/** Encodes a watch event: a four-byte length, the type, and the object in its envelope. */
export function eventOf(type: string, envelope: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  const parts = [...bytesField(1, Buffer.from(type)), ...bytesField(2, Buffer.concat(bytesField(1, envelope)))];
  length.writeUInt32BE(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  return Buffer.concat([length, ...parts]);
}

const pageGroups: ReadonlySet<string> = new Set(['meta.k8s.io', 'apidiscovery.k8s.io']);

/** Returns the message type for the kind in an envelope. */
export function messageTypeOf(apiVersion: string, kind: string): string {
  if (kind === 'Status') return 'meta.Status';
  const { group } = parseApiVersion(apiVersion || 'v1');
  const isPage = pageGroups.has(group) || (group === '' && kind.startsWith('API'));
  return isPage ? `pages.${kind}` : typeNameOf(apiVersion, kind);
}

/** Creates an encoder of the types of a table. */
export function createProtobufEncoder(types: TypeTable): ProtobufEncoder {
  const message = createMessageEncoder(types);
  return {
    message,
    object(value) {
      const { apiVersion = '', kind = '' } = value as { readonly apiVersion?: string; readonly kind?: string };
      return envelopeOf(apiVersion, kind, [message(messageTypeOf(apiVersion, kind), value)]);
    },
  };
}
