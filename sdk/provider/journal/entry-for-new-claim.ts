/** Decides the journal entry of a condition that is claimed again. */

import type { GuardEntry } from '../../api/workspace.ts';
import { isOperationPending, outdatedEntry } from '../host/mark-outdated-entry.ts';
import { isBlankRecord, type Mirror } from './read-mirror.ts';
import { recordsNothing } from './recorded-claim.ts';

/** Reports whether the mirror shows work of this workspace, or cannot be read by this operator. */
const tellsOfOwnWork = (mirror: Mirror): boolean =>
  mirror.kind === 'own' ? !isBlankRecord(mirror.record) : mirror.kind !== 'none' && mirror.kind !== 'forged';

/**
 * Returns the entry to keep when an integration claims the condition again. A release leaves a settled entry without objects, and no mirror. An entry with
 * objects and no mirror comes from an older status and counts as lost: see {@link outdatedEntry}. `key` replaces the key of the last operation, unless
 * that is unresolved. Later keys are therefore unused, even after an older status is put back.
 */
export function entryForNewClaim(
  entry: GuardEntry,
  { mirror, key }: { readonly mirror: Mirror; readonly key: string },
) {
  if (entry.phase === 'none' || tellsOfOwnWork(mirror)) return entry;
  if (recordsNothing(entry)) return { ...entry, key };
  return { ...outdatedEntry(entry), ...(!isOperationPending(entry) && { key }) };
}
