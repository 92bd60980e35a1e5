/** Finds the integration that the records of a condition belong to, where several have that condition. */

import { type GuardEntry, group, type Workspace } from '../../api/workspace.ts';
import { mirrorAnnotation } from './mirror-encoding.ts';
import { isBlankRecord, type MirrorRecord } from './read-mirror.ts';

/** Returns the claim in a journal entry; undefined, as in entries of earlier releases, for a text that no integration can have as its claim. */
const claimIn = ({ claim }: GuardEntry): string | undefined => (claim?.startsWith(`${group}/`) ? claim : undefined);

/** Reports whether an integration with another claim has written a journal entry. One that says that nothing was begun belongs to none. */
export const isOfOtherClaim = (entry: GuardEntry | undefined, claim: string): boolean =>
  entry !== undefined && entry.phase !== 'none' && ![undefined, claim].includes(claimIn(entry));

/** Reports whether nothing is left of what a journal entry records. */
export const recordsNothing = ({ phase, late }: GuardEntry): boolean =>
  phase === 'none' || (phase === 'gone' && late === undefined);

/** Reports whether an entry locks its condition: its attempt is active, or has no known outcome. */
export const isLocked = (entry: GuardEntry | undefined): boolean =>
  entry?.phase === 'intent' || entry?.phase === 'unknown';

/** Parses a mirror, verified or not. */
function parsedMirror({ metadata }: Workspace, type: string): MirrorRecord | undefined {
  try {
    return (JSON.parse(metadata.annotations?.[mirrorAnnotation(type)] ?? 'null') as MirrorRecord | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns the claim that a mirror names, verified or not; undefined when it records no work. */
function claimOfUnverifiedMirror(workspace: Workspace, type: string): string | undefined {
  const record = parsedMirror(workspace, type);
  return record === undefined || isBlankRecord(record) || typeof record.claim !== 'string' ? undefined : record.claim;
}

/**
 * Reports whether the mirror of a condition, verified or not, names this claim while the journal entry is of another one. An integration is claimed only
 * once nothing of the earlier one is left, so the entry was put back, and something may have been begun since.
 */
export function isClaimedSince(workspace: Workspace, type: string, claim: string): boolean {
  const entry = workspace.status?.guards?.[type];
  if (entry === undefined || recordsNothing(entry) || !isOfOtherClaim(entry, claim)) return false;
  const isNamed = workspace.metadata.annotations?.[mirrorAnnotation(type)]?.includes(claim) ?? false;
  return isNamed && parsedMirror(workspace, type)?.claim === claim;
}

/**
 * Returns the claim of the integration whose external objects a condition records: by its journal entry or, where that is missing, by its mirror;
 * undefined when nothing is recorded. A forged mirror can only delay the workspace that bears it.
 */
export function recordedClaim(workspace: Workspace, type: string): string | undefined {
  const entry = workspace.status?.guards?.[type];
  if (entry === undefined) return claimOfUnverifiedMirror(workspace, type);
  return recordsNothing(entry) ? undefined : claimIn(entry);
}
