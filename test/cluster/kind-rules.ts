/** Rules of one kind: decoding, defaulting, validation, warnings and merge shapes. */

import type { ApplyShape } from './apply/merge-type.ts';
import type { FieldError } from './field-error.ts';
import type { ApiObject, Fields } from './objects/object.ts';
import type { PatchShape } from './patch/shape.ts';

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

/** Part of an object that a write may change: the whole, its `status`, or that of another subresource. */
export type Part = 'object' | 'status' | 'ephemeralcontainers' | 'resize' | 'approval' | 'finalize';

/** Accepted write. */
export interface Written {
  /** Object before the write; undefined for a create. */
  readonly former: Fields | undefined;
  /** Subresource of the write, if any. */
  readonly part: string | undefined;
}

/** Rules of a kind, found in `scheme.ts`. No function changes its arguments, which may be frozen; results share unchanged parts with them. */
export interface KindRules {
  /**
   * Drops unknown fields and, in custom resources, nulls of non-nullable fields. Values shared with `former`, a stored
   * object, are not decoded again. Throws {@link DecodeError} for a wrong type.
   */
  decode(body: Fields, former?: ApiObject): Decoded;
  /** Sets defaults; returns the same object when none is missing. Idempotent. */
  defaults(object: Fields): Fields;
  /** Validates all but general metadata. With `old` also checks immutable fields, and unchanged errors of custom resources are tolerated. */
  validate(object: Fields, old?: Fields, part?: Part): readonly FieldError[];
  /** Texts of the Warning headers of an accepted write. */
  warnings(object: Fields, written: Written): readonly string[];
  /** Strategic merge patch strategies of the fields; undefined for custom resources, which refuse such patches. */
  readonly patchShape?: PatchShape;
  /** List and map types of the fields, for server-side apply. */
  readonly applyShape: ApplyShape;
}
