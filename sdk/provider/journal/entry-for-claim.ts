/** Decides the journal entry of a condition that is claimed again. */

import type { GuardEntry } from '../../api/workspace.ts';
import { doubtfulEntry, isOperationPending } from '../host/doubtful-entry.ts';
import { isBlankRecord, type Mirror } from './read-mirror.ts';
import { recordsNothing } from './recorded-claim.ts';

/** Reports whether the mirror shows work of this workspace, or cannot be read by this operator. */
const tellsOfOwnWork = (mirror: Mirror): boolean =>
  mirror.kind === 'own' ? !isBlankRecord(mirror.record) : mirror.kind !== 'none' && mirror.kind !== 'forged';

/**
 * Returns the journal entry of a condition that is about to be claimed again. A release leaves a settled entry and no mirror: one that records objects
 * without a mirror was put back from before the release, and counts as lost, see {@link doubtfulEntry}. `key` replaces the
 * key of the last operation, unless that is open: later ones differ from all that the workspace has had, even if an older status was put back.
 */
export function entryForClaim(entry: GuardEntry, { mirror, key }: { readonly mirror: Mirror; readonly key: string }) {
  if (entry.phase === 'none' || tellsOfOwnWork(mirror)) return entry;
  if (recordsNothing(entry)) return { ...entry, key };
  return { ...doubtfulEntry(entry), ...(!isOperationPending(entry) && { key }) };
}
