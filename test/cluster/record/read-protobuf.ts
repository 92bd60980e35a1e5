import { messageTypeOf } from '../http/protobuf-messages.ts';
import { decodeAs } from '../kinds/decode.ts';
import { decodeProtobuf, openEnvelope } from '../kinds/protobuf.ts';
import { messageOf, textOf } from '../kinds/protobuf-wire.ts';
import type { TypeTable } from '../kinds/type-table.ts';
import type { Fields } from '../objects/object.ts';

/** Reads what goes over the wire in protobuf as the JSON that would say the same. */
export interface ProtobufReader {
  /** An object, a list, a page of discovery or a Status; undefined for bytes that are none. Throws a RangeError when they end early. */
  object(bytes: Uint8Array): Fields | undefined;
  /** One event of a watch, without its length. */
  event(bytes: Uint8Array): Fields;
}

const bytesIn = (bytes: Uint8Array, number: number): readonly Uint8Array[] =>
  (messageOf(bytes).get(number) ?? []).filter((value) => value instanceof Uint8Array);

const isPage = (type: string): boolean => type.startsWith('pages.') && type !== 'pages.PartialObjectMetadataList';

/** Reads by the types of a table. */
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
