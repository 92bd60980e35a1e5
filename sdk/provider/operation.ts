import { timestamp } from '../api/condition.ts';
import type { GuardEntry, Workspace } from '../api/workspace.ts';
import { conditionOf } from '../api/workspace.ts';
import type { Ref } from './integration.ts';
import { operationKey } from './journal.ts';
import { formerUids, type Mirror, mirroredToken, ownRefs } from './mirror-record.ts';
import { unionOf, without } from './refs.ts';
import { restoredRefs } from './things.ts';

/** What an attempt is begun with. */
export interface Beginning {
  readonly op: GuardEntry['op'];
  readonly input: object | undefined;
  /** The process run with a nonce of this very attempt. */
  readonly holder: string;
  readonly leaseSeconds: number;
  readonly now: number;
  /** The entry was missing under our claim. */
  readonly lost: boolean;
  /** How far the tokens of a journal that follows a lost one go ahead, so that no answer to an earlier question counts. */
  readonly leap: number;
}

/** What is known of a condition before an attempt begins. */
export interface Known {
  readonly workspace: Workspace;
  readonly type: string;
  /** The integration's finalizer. */
  readonly claim: string;
  /** The journal entry, as far as it can be believed. */
  readonly entry: GuardEntry | undefined;
  /** The journal entry as it stands there. */
  readonly written: GuardEntry | undefined;
  readonly mirror: Mirror;
}

const countOf = (key: string): number => Number(key.slice(key.lastIndexOf('-') + 1)) || 0;

/** Keys go on where they were. After a lost journal they begin anew, with nothing that was ever used: a third party would answer a used key with what it made then. */
function keyAfter({ workspace, type, entry }: Known, { holder }: Beginning): string {
  const key = entry?.key;
  if (key === undefined) return operationKey(workspace, `${type}/${holder}`, 1);
  return `${key.slice(0, key.lastIndexOf('-'))}-${countOf(key) + 1}`;
}

/** Tokens rise with every attempt, whatever of the journal was lost or put back. */
function tokenAfter({ entry, written, mirror }: Known, { leap }: Beginning): number {
  if (entry !== undefined) return entry.token + 1;
  const mirrored = 'record' in mirror ? mirror.record.token : 0;
  return Math.max(written?.token ?? 0, mirrored) + 1 + leap;
}

/** Whether this attempt belongs to the operation of `entry`, which has not come to an end. */
const continues = (entry: GuardEntry, { op }: Beginning, generation: number | undefined): boolean =>
  entry.op === op && ((entry.phase === 'failed' && entry.generation === generation) || entry.phase === 'intent');

/** Whether an earlier attempt at the same came to no known end: what fails after it, for certain or not, does not make that good. */
const isUnresolved = (seen: GuardEntry | undefined, { op }: Beginning): boolean =>
  seen?.op === op && (seen.phase === 'intent' || (seen.phase === 'failed' && seen.unresolved === true));

/** Ids that are known before an attempt begins. */
function refsBefore({ entry, mirror }: Known): readonly Ref[] {
  const recorded = (entry?.refs ?? []) as readonly Ref[];
  const refs =
    entry?.phase === 'gone'
      ? recorded
      : unionOf(recorded, without(ownRefs(mirror), (entry?.late ?? []) as readonly Ref[]));
  return [...refs, ...restoredRefs(mirror, refs)];
}

/** The entry of a new attempt: of the same operation where that has not come to an end, else of the next one. The token rises either way. */
export function nextIntent(known: Known, beginning: Beginning): GuardEntry {
  const { workspace, type, claim, entry: seen, mirror } = known;
  const { op, input, holder, leaseSeconds, now } = beginning;
  const { generation } = workspace.metadata;
  const same = seen !== undefined && continues(seen, beginning, generation);
  const repeated = same && seen.phase === 'intent' ? (seen.input ?? input) : input;
  const lost = beginning.lost || seen?.lost === true;
  const refs = refsBefore(known);
  const formerly = formerUids(mirror, seen?.formerly);
  const mirrored = mirroredToken(mirror) ?? seen?.mirrored;
  const previous = seen?.phase === 'intent' ? seen.previous : conditionOf(workspace, type).status;
  return {
    phase: 'intent',
    op,
    key: same ? seen.key : keyAfter(known, beginning),
    token: tokenAfter(known, beginning),
    attempt: same ? (seen.attempt ?? 1) + 1 : 1,
    holder,
    claim,
    since: timestamp(now),
    began: (same ? seen.began : undefined) ?? timestamp(now),
    leaseSeconds,
    beat: 0,
    ...((seen?.ambiguous || seen?.phase === 'intent' || lost) && { ambiguous: true }),
    ...(isUnresolved(seen, beginning) && { unresolved: true }),
    ...(lost && { lost: true }),
    ...(repeated !== undefined && { input: repeated as GuardEntry['input'] }),
    ...(refs.length > 0 && { refs: refs as GuardEntry['refs'] }),
    ...(seen?.late && { late: seen.late }),
    ...(formerly.length > 0 && { formerly: [...formerly] }),
    ...(mirrored !== undefined && { mirrored }),
    ...(previous !== undefined && { previous }),
    ...(generation !== undefined && { generation }),
  };
}
