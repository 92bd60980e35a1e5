/** Reads protobuf bodies. */

import type { Fields } from '../apimachinery/object.ts';
import { badRequest } from '../apimachinery/status.ts';
import { typeNameOf } from '../apis/builtin-resources.ts';
import { decodeProtobuf, openEnvelope } from '../resources/protobuf/protobuf.ts';
import type { TypeTable } from '../resources/type-table.ts';

/** Bytes without the prefix of Kubernetes protobuf. */
export class NotProtobuf extends Error {
  override readonly name = 'NotProtobuf';

  constructor() {
    super('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
}

/**
 * Decodes an `application/vnd.kubernetes.protobuf` body to JSON.
 * Throws a {@link NotProtobuf} for other bytes, and a 400 for kinds that are not built in and truncated bytes.
 */
export function readProtobuf(types: TypeTable, bytes: Uint8Array): Fields {
  try {
    const envelope = openEnvelope(bytes);
    if (envelope === undefined) throw new NotProtobuf();
    const { apiVersion, kind, raw } = envelope;
    return { apiVersion, kind, ...decodeProtobuf(types, typeNameOf(apiVersion, kind), raw) };
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(`the protobuf body cannot be read: ${error.message}`);
    throw error;
  }
}
