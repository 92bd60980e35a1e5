/** Reads protobuf for recordings. */

import type { Fields } from '../apimachinery/object.ts';
import { messageTypeOf } from '../encoding/protobuf-encoder.ts';
import { decodeAs } from '../resources/decode.ts';
import { decodeProtobuf, openEnvelope } from '../resources/protobuf/protobuf.ts';
import { messageOf, textOf } from '../resources/protobuf/protobuf-wire.ts';
import type { TypeTable } from '../resources/type-table.ts';

/** Reads protobuf messages as JSON. */
export interface ProtobufReader {
  /** Reads an object, list, discovery page or Status; undefined for other bytes. Throws a RangeError for truncated bytes. */
  object(bytes: Uint8Array): Fields | undefined;
  /** Reads a watch event without its length prefix. */
  event(bytes: Uint8Array): Fields;
}

const bytesIn = (bytes: Uint8Array, number: number): readonly Uint8Array[] =>
  (messageOf(bytes).get(number) ?? []).filter((value) => value instanceof Uint8Array);

const isPage = (type: string): boolean => type.startsWith('pages.') && type !== 'pages.PartialObjectMetadataList';

/** Creates a reader of the types of a table. */
export function createProtobufReader(types: TypeTable): ProtobufReader {
  const read = (type: string, raw: Uint8Array): Fields =>
    decodeAs(types, type, decodeProtobuf(types, type, raw)).object;
  const object = (bytes: Uint8Array): Fields | undefined => {
    const envelope = openEnvelope(bytes);
    if (envelope === undefined) return undefined;
    const { apiVersion, kind, raw } = envelope;
    const head = { kind, ...(apiVersion !== '' && { apiVersion }) };
    const type = messageTypeOf(apiVersion, kind);
    if (!kind.endsWith('List') || isPage(type)) return { ...head, ...read(type, raw) };
    const metadata = Object.assign({}, ...bytesIn(raw, 1).map((one) => read('meta.ListMeta', one))) as Fields;
    const items = bytesIn(raw, 2).map((one) => read(type.slice(0, -'List'.length), one));
    return { ...head, metadata, items };
  };
  return {
    object,
    event(bytes) {
      const [raw = bytes] = bytesIn(bytes, 2).flatMap((extension) => bytesIn(extension, 1));
      return { type: textOf(messageOf(bytes).get(1)?.[0]), object: object(raw) };
    },
  };
}
