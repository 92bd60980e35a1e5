/** Decides the journal entry of a new attempt. */

import { timestamp } from '../../api/condition.ts';
import type { GuardEntry, Workspace } from '../../api/workspace.ts';
import { conditionOf } from '../../api/workspace.ts';
import type { Ref } from '../contract/integration.ts';
import { restoredRefs } from '../journal/external-objects.ts';
import { operationKey } from '../journal/operation-key.ts';
import { formerUids, type Mirror, mirroredToken, ownRefs } from '../journal/read-mirror.ts';
import { refsWithout, unionOf } from '../journal/ref-sets.ts';

/** Input of a new attempt. */
export interface IntentOptions {
  readonly op: GuardEntry['op'];
  readonly input: object | undefined;
  /** Process run with a nonce of this attempt. */
  readonly holder: string;
  readonly leaseSeconds: number;
  readonly now: number;
  /** The entry was missing though the claim is present. */
  readonly lost: boolean;
}

/** Known state of a condition before an attempt begins. */
export interface ConditionState {
  readonly workspace: Workspace;
  readonly type: string;
  /** Finalizer of the integration. */
  readonly claim: string;
  /** Journal entry, as far as it is trusted. */
  readonly entry: GuardEntry | undefined;
  /** Ids that fenced holders have handed over, also to an entry that is not trusted. */
  readonly late: readonly Ref[];
  /** Highest token of the condition so far: tokens rise with each attempt, even if the journal was lost or put back. */
  readonly newestToken: number;
  readonly mirror: Mirror;
}

const countOf = (key: string): number => Number(key.slice(key.lastIndexOf('-') + 1)) || 0;

/**
 * Returns the next operation key. After a lost journal, keys start again with an unused prefix: a third party would answer a used key with its former
 * result.
 */
function keyAfter({ workspace, type, entry }: ConditionState, { holder }: IntentOptions): string {
  const key = entry?.key;
  if (key === undefined) return operationKey(workspace, `${type}/${holder}`, 1);
  return `${key.slice(0, key.lastIndexOf('-'))}-${countOf(key) + 1}`;
}

/** Reports whether this attempt belongs to the unresolved operation of `entry`. */
const continues = (entry: GuardEntry, { op }: IntentOptions, generation: number | undefined): boolean =>
  entry.op === op && ((entry.phase === 'failed' && entry.generation === generation) || entry.phase === 'intent');

/** Reports whether an attempt has no known outcome: it is in progress or lost, or has failed after one that was lost. */
export const hasOpenAttempt = (entry: GuardEntry | undefined): entry is GuardEntry =>
  entry?.phase === 'intent' || (entry?.phase === 'failed' && entry.unresolved === true);

/** Reports whether an earlier attempt at the same operation has no known outcome; a later failure, definite or not, does not settle it. */
const isUnresolved = (seen: GuardEntry | undefined, { op }: IntentOptions): boolean =>
  seen?.op === op && hasOpenAttempt(seen);

/** Returns the ids known before an attempt begins. */
function refsBefore({ entry, mirror }: ConditionState): readonly Ref[] {
  const recorded = (entry?.refs ?? []) as readonly Ref[];
  const refs =
    entry?.phase === 'gone'
      ? recorded
      : unionOf(recorded, refsWithout(ownRefs(mirror, entry), (entry?.late ?? []) as readonly Ref[]));
  return [...refs, ...restoredRefs(mirror, refs, entry)];
}

/** Members of an entry that an unresolved operation keeps and a new operation resets. */
type OperationMembers = Required<Pick<GuardEntry, 'key' | 'attempt' | 'began'>> & Pick<IntentOptions, 'input'>;

/** Returns the operation of a new attempt: the same if that is unresolved, else the next one. */
function operationOf(known: ConditionState, beginning: IntentOptions): OperationMembers {
  const { workspace, entry: seen } = known;
  const { input } = beginning;
  const began = timestamp(beginning.now);
  if (seen === undefined || !continues(seen, beginning, workspace.metadata.generation))
    return { key: keyAfter(known, beginning), attempt: 1, began, input };
  return {
    key: seen.key,
    attempt: (seen.attempt ?? 1) + 1,
    began: seen.began ?? began,
    input: seen.phase === 'intent' ? (seen.input ?? input) : input,
  };
}

/** Returns the members that record earlier attempts without a known outcome, and a lost journal. */
function inheritedDoubt(seen: GuardEntry | undefined, beginning: IntentOptions): Partial<GuardEntry> {
  const lost = beginning.lost || seen?.lost === true;
  return {
    ...((seen?.ambiguous || seen?.phase === 'intent' || lost) && { ambiguous: true }),
    ...(isUnresolved(seen, beginning) && { unresolved: true }),
    ...(lost && { lost: true }),
  };
}

/** Returns the ids of fenced holders that are not among the known ones. Those of a trusted entry stay as they are. */
const lateRefs = ({ entry, late }: ConditionState, refs: readonly Ref[]): readonly Ref[] =>
  entry === undefined ? refsWithout(late, refs) : ((entry.late ?? []) as readonly Ref[]);

/** Returns the status before the first attempt of an operation. */
const statusBefore = ({ workspace, type, entry }: ConditionState): GuardEntry['previous'] =>
  entry?.phase === 'intent' ? entry.previous : conditionOf(workspace, type).status;

/** Returns the members that pass from entry to entry: the known ids, the mirrored token, and the status before the attempt. */
function inheritedOf(known: ConditionState): Partial<GuardEntry> {
  const { entry: seen, mirror } = known;
  const refs = refsBefore(known);
  const late = lateRefs(known, refs);
  const formerly = formerUids(mirror, seen?.formerly);
  const mirrored = mirroredToken(mirror) ?? seen?.mirrored;
  const previous = statusBefore(known);
  return {
    ...(refs.length > 0 && { refs: refs as GuardEntry['refs'] }),
    ...(late.length > 0 && { late: late as GuardEntry['late'] }),
    ...(seen?.dropped && { dropped: seen.dropped }),
    ...(formerly.length > 0 && { formerly: [...formerly] }),
    ...(mirrored !== undefined && { mirrored }),
    ...(previous !== undefined && { previous }),
  };
}

/** Returns the entry of a new attempt: of the same operation if that is unresolved, else of the next one. The token rises either way. */
export function nextIntent(known: ConditionState, beginning: IntentOptions): GuardEntry {
  const { op, holder, leaseSeconds, now } = beginning;
  const { generation } = known.workspace.metadata;
  const { key, attempt, began, input } = operationOf(known, beginning);
  return {
    phase: 'intent',
    op,
    key,
    token: known.newestToken + 1,
    attempt,
    holder,
    claim: known.claim,
    since: timestamp(now),
    began,
    leaseSeconds,
    beat: 0,
    ...inheritedDoubt(known.entry, beginning),
    ...(input !== undefined && { input: input as GuardEntry['input'] }),
    ...inheritedOf(known),
    ...(generation !== undefined && { generation }),
  };
}
