/** Marks journal entries that may be older than what exists. */

import type { GuardEntry } from '../../api/workspace.ts';

/** Reports whether the operation of an entry may still have to be repeated: its outcome is unknown, or a person has to tell it. */
export const isOperationPending = ({ phase, unresolved }: GuardEntry): boolean =>
  phase === 'intent' || phase === 'unknown' || (phase === 'failed' && unresolved === true);

/**
 * Returns an entry that was put back, or that was written before the current claim. It counts as lost: each object is observed before it counts, and
 * a resource that can list its objects is searched for those that the entry does not record. An open operation stays as it is, to be resolved first.
 */
export function outdatedEntry(entry: GuardEntry): GuardEntry {
  const doubt = { ambiguous: true, lost: true } as const;
  if (isOperationPending(entry)) return { ...entry, ...doubt };
  const { attempt: _, ...rest } = entry;
  return { ...rest, op: 'task', ...doubt };
}
