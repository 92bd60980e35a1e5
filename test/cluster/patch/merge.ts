import { type Fields, isFields } from '../objects/object.ts';

/** A value that takes the place of nothing or of no object: members that are null are none, items may be. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (!isFields(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, pruned(member)]));
}

/** RFC 7386: null removes, objects merge, everything else replaces. The target stays as it is; what is not patched is shared. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return isFields(target) ? patch : pruned(patch);
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = applyMergePatch(result[name], value);
  }
  return result;
}

/** The merge patch that takes what `last` set and `next` no longer sets away, and sets what `next` sets: kubectl's apply. */
export function threeWayPatch(last: unknown, next: Fields): Fields {
  const patch: Fields = {};
  const before = isFields(last) ? last : {};
  for (const name of Object.keys(before)) if (!(name in next)) patch[name] = null;
  for (const [name, value] of Object.entries(next)) {
    patch[name] = isFields(value) ? threeWayPatch(before[name], value) : value;
  }
  return patch;
}
