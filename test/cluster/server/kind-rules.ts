/** Rules of kinds, as handlers use them. */

import type { AcceptedWrite, Part } from '../apimachinery/accepted-write.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import type { ApiObject, Fields } from '../apimachinery/object.ts';
import type { PatchShape } from '../apimachinery/patch/patch-meta.ts';
import type { ApplyShape } from '../managed-fields/merge-type.ts';
import type { Decoded } from '../resources/decode-result.ts';

/** Origin of an object to decode. */
export interface DecodeSource {
  /** Stored object; values shared with it are not decoded again. */
  readonly former?: ApiObject | undefined;
  /** Numbers by path that a JSON text has not written as whole numbers. */
  readonly numbers?: ReadonlyMap<string, string> | undefined;
}

/** Rules of a kind, found in `bootstrap/scheme.ts`. No function changes its arguments, which may be frozen; results share unchanged parts with them. */
export interface KindRules {
  /** Drops unknown fields and, in custom resources, nulls of non-nullable fields. Throws {@link DecodeError} for a wrong type. */
  decode(body: Fields, source?: DecodeSource): Decoded;
  /** Sets defaults; returns the same object when none is missing. Idempotent. */
  defaults(object: Fields): Fields;
  /** Validates all but general metadata. With `old` also checks immutable fields, and unchanged errors of custom resources are tolerated. */
  validate(object: Fields, old?: Fields, part?: Part): readonly FieldError[];
  /** Texts of the Warning headers of an accepted write. */
  warnings(object: Fields, written: AcceptedWrite): readonly string[];
  /** Strategic merge patch strategies of the fields; undefined for custom resources, which refuse such patches. */
  readonly patchShape?: PatchShape;
  /** List and map types of the fields, for server-side apply. */
  readonly applyShape: ApplyShape;
}
