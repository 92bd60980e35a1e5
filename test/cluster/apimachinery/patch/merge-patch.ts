/** Applies and computes merge patches (RFC 7386). */

import { type Fields, isFields } from '../object.ts';

/** Returns a new value without null members; null items are kept. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isFields(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/**
 * Applies a merge patch (RFC 7386): null removes, objects merge, other values replace. The target is not changed;
 * unpatched parts are shared.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return isFields(target) ? patch : withoutNulls(patch);
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = applyMergePatch(result[name], value);
  }
  return result;
}

/** Computes the merge patch of kubectl's client-side apply: it removes members that only `last` sets, and sets those of `next`. */
export function threeWayPatch(last: unknown, next: Fields): Fields {
  const patch: Fields = {};
  const before = isFields(last) ? last : {};
  for (const name of Object.keys(before)) if (!(name in next)) patch[name] = null;
  for (const [name, value] of Object.entries(next)) {
    patch[name] = isFields(value) ? threeWayPatch(before[name], value) : value;
  }
  return patch;
}
