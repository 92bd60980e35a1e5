import type { ApplyShape } from './apply/merge-type.ts';
import type { FieldError } from './field-error.ts';
import type { ApiObject, Fields } from './objects/object.ts';
import type { PatchShape } from './patch/shape.ts';

/** An object as its kind reads it, and what the kind does not know of it. */
export interface Decoded {
  readonly object: Fields;
  /** Paths of unknown fields, in the server's order: `spec.x`, `spec.containers[0].y`. They are gone from `object`. */
  readonly unknown: readonly string[];
}

/** A body that cannot be read as its kind; the message follows `K in version "v" cannot be handled as a K: `. A 400. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** Which part of an object a write is about: the whole, or what `/status` or, of some kinds, another subresource may change. */
export type Part = 'object' | 'status' | 'ephemeralcontainers' | 'resize' | 'approval' | 'finalize';

/** What kind of write was accepted. */
export interface Written {
  /** What the object replaces; undefined when it was not there before. */
  readonly former: Fields | undefined;
  /** The subresource that was written to, if any. */
  readonly part: string | undefined;
}

/** What a kind says about its objects; `rule-book.ts` has them. Nothing here changes its arguments, which may be frozen; results share unchanged parts with them. */
export interface KindRules {
  /** Drops unknown fields and, for custom resources, nulls that are not nullable. What is the very value that `former`, a stored object, has need not be read again. Throws {@link DecodeError} when a value has the wrong type. */
  decode(body: Fields, former?: ApiObject): Decoded;
  /** Fills in what the server would; the same object when nothing is missing. Idempotent. */
  defaults(object: Fields): Fields;
  /** Everything wrong with the object but its metadata's general rules; with `old` also what may not change, and unchanged faults of custom resources pass. */
  validate(object: Fields, old?: Fields, part?: Part): readonly FieldError[];
  /** What the server says about an accepted write in Warning headers. */
  warnings(object: Fields, written: Written): readonly string[];
  /** How strategic merge patches treat the kind's fields; undefined for custom resources, which refuse such patches. */
  readonly patchShape?: PatchShape;
  /** How server-side apply treats the kind's fields. */
  readonly applyShape: ApplyShape;
}
