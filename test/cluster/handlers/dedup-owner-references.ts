/** Duplicate owner references in a request. */

import { sortedJson } from '../apimachinery/field-error.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import type { Call } from './resource-call.ts';

/** Removes duplicate owner references, with a warning. */
export function dedupOwnerReferences({ warnings }: Pick<Call, 'warnings'>, object: Fields): Fields {
  const owners = isFields(object.metadata) ? object.metadata.ownerReferences : undefined;
  if (!Array.isArray(owners) || owners.length < 2) return object;
  const seen = new Set<string>();
  const unique: unknown[] = [];
  const repeated: Fields[] = [];
  for (const owner of owners) {
    const text = sortedJson(owner);
    (seen.has(text) ? repeated : unique).push(owner);
    seen.add(text);
  }
  if (repeated.length === 0) return object;
  const uids = [...new Set(repeated.map(({ uid }) => String(uid)))].join(', ');
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
  return { ...object, metadata: { ...(object.metadata as Fields), ownerReferences: unique } };
}
