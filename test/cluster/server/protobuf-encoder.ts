/** Interface between handlers and the protobuf encoder. */

import type { Fields } from '../apimachinery/object.ts';

/** Encoder of protobuf messages and their envelopes. */
export interface ProtobufEncoder {
  /** Encodes a message of a type such as `core.Pod`, without an envelope. */
  message(type: string, value: Fields): Buffer;
  /** Encodes a built-in object, discovery page or Status in its envelope. Throws a RangeError for other kinds. */
  object(value: Fields): Buffer;
}
