/** Results of decoding. */

import type { Fields } from '../apimachinery/object.ts';

/** Decoded object, and its unknown fields. */
export interface Decoded {
  readonly object: Fields;
  /** Paths of unknown fields, in the server's order: `spec.x`, `spec.containers[0].y`. They are not in `object`. */
  readonly unknown: readonly string[];
}

/** Body that cannot be decoded as its kind, a 400; the message follows `K in version "v" cannot be handled as a K: `. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
