/** Decodes the result of a patch as a draft of its kind. */

import { type ApiObject, type Draft, type Fields, isFields } from '../../apimachinery/object.ts';
import { badRequest, failure, invalid, unexpected } from '../../apimachinery/status.ts';
import type { KindRules } from '../../server/kind-rules.ts';
import {
  claimsOtherKind,
  type DecodeErrorOf,
  type DecodeTerms,
  decodeDraft,
  groupIn,
  otherKind,
  reportFieldProblems,
} from '../decode.ts';
import type { WriteOptions } from '../parameters.ts';
import type { Call } from '../resource-call.ts';
import { fractionalNumbersIn, patchProblems, type TypedPatch } from './patch-problems.ts';
import { isStrategicPatch } from './patch-types.ts';
import { goText, withoutJson } from './unstructured-errors.ts';

/** Result of an applied patch. */
export interface PatchResult extends TypedPatch {
  /** Object before the patch. */
  readonly former: ApiObject;
  /** Object after the patch. */
  readonly value: unknown;
  readonly options: WriteOptions;
}

/** Position in Go's source that errors about unknown kinds name. */
const scheme = 'pkg/runtime/scheme.go:110';

/** Returns the 422 for the result of a patch; it quotes the object, or the patch if that was strategic. */
const invalidPatchResult =
  ({ value, patch, type }: PatchResult): DecodeErrorOf =>
  (why) => {
    const isStrategic = isStrategicPatch(type);
    const shown = isStrategic ? goText(patch.value) : JSON.stringify(value);
    const detail = isStrategic ? withoutJson(why) : why;
    return invalid({ group: '', kind: '' }, '', [{ type: 'Invalid', field: 'patch', value: shown, detail }]);
  };

/** Warns of all fields of a custom resource at another version, whose schema is unknown. */
function warnOfOtherVersion({ resource, warnings }: Call, value: Fields, terms: DecodeTerms): void {
  const { info, apiVersion } = resource;
  const isOther = value.apiVersion !== apiVersion && value.kind === info.kind;
  if (info.custom === undefined || !isOther || groupIn(value.apiVersion) !== info.group) return;
  const unknown = Object.keys(value).filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name));
  reportFieldProblems(
    warnings,
    unknown.map((name) => `unknown field ${JSON.stringify(name)}`),
    terms,
  );
}

/** Checks the apiVersion and kind, by which Go decides what to decode. Throws the server's 400, 422 and 500. */
function checkIdentity(
  { resource: { info }, path, warnings }: Call,
  value: Fields,
  { refuse, options }: DecodeTerms,
): void {
  if (info.custom === undefined) {
    if (value.apiVersion) return;
    const unknown = Object.keys(value).filter((name) => name !== 'apiVersion' && name !== 'kind');
    const problems = unknown.sort().map((name) => `unknown field ${JSON.stringify(name)}`);
    reportFieldProblems(warnings, problems, { refuse, options, scheme });
    throw badRequest(`the name of the object (${path.name} based on URL) was undeterminable: name must be provided`);
  }
  if (!value.kind) throw refuse(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  if (value.apiVersion) return;
  const message = "Object 'apiVersion' is missing in 'object has no apiVersion field'";
  throw failure('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** Checks that the resourceVersion is a number. Throws the server's 500. */
function checkVersion({ metadata: { resourceVersion = '' } }: Draft): void {
  if (/^\d*$/.test(resourceVersion)) return;
  throw unexpected(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
}

/**
 * Decodes the result of a patch as a draft: synchronously, so that no other write comes in between, except when it
 * refuses.
 * Throws the server's 400, 422 and 500.
 */
export function decodePatched(call: Call, rules: KindRules, patched: PatchResult): Draft | Promise<never> {
  const { former, type, options } = patched;
  const refuse = invalidPatchResult(patched);
  if (!isFields(patched.value)) throw refuse('the patch does not leave an object');
  // A strategic patch is applied to a Go struct, whose type cannot change.
  const { apiVersion, kind } = former;
  const fields = isStrategicPatch(type) ? { ...patched.value, apiVersion, kind } : patched.value;
  checkIdentity(call, fields, { refuse, options, scheme });
  if (claimsOtherKind(call, fields)) {
    return otherKind(call, fields, { refuse, refuseKnown: refuse, scheme }).then((error) => {
      throw error;
    });
  }
  const terms = { rules, options, refuse, scheme, former, numbers: fractionalNumbersIn(patched) };
  warnOfOtherVersion(call, fields, terms);
  const draft = decodeDraft(call, { fields, problemsWith: (unknown) => patchProblems(patched, unknown) }, terms);
  checkVersion(draft);
  return draft;
}
