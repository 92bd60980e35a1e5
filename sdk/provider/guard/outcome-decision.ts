/** Decides the journal entry and the condition after an attempt. */

import { type ConditionStatus, timestamp } from '../../api/condition.ts';
import type { GuardEntry } from '../../api/workspace.ts';
import { cutText, cutWithEllipsis, maxReasonLength } from '../../cut-text.ts';
import { messageOf } from '../../thrown.ts';
import type { Ref } from '../contract/integration.ts';
import { refsWithout, unionOf } from '../journal/ref-sets.ts';
import type { AttemptResult, HeldIntent } from './attempt.ts';

/** State to write after an attempt: the journal entry and the condition. */
export interface OutcomeDecision {
  readonly entry: GuardEntry;
  readonly status: ConditionStatus;
  readonly reason: string;
}

/** End of an attempt, and whether its identity can recover the outcome later. */
export interface OutcomeInput {
  readonly ending: AttemptResult;
  readonly recoverable: boolean;
}

type PartialDecision = Omit<OutcomeDecision, 'entry'> & { readonly entry: Partial<GuardEntry> };

/** Longest cause in a question: what follows it is never cut off. */
const maxCauseLength = 512;

/** Formats the reason of a condition while its task runs: what it does, and when it is given up at the latest, in wall-clock ms. */
export function lockedReason(reason: string, until: number): string {
  const limit = `, until ${timestamp(until)} at the latest`;
  return `${cutWithEllipsis(reason, maxReasonLength - limit.length)}${limit}`;
}

/** Formats the question to a person about an unknown outcome: the holder that `held` it since when, or that `missed` its lost journal entry. */
export const unknownReason = (
  { op, holder, since = 'an unknown time', key }: GuardEntry,
  why: string,
  how: 'held' | 'missed' = 'held',
): string =>
  `whether "${op}" (key ${key}) was carried out is unknown: ${cutWithEllipsis(why, maxCauseLength)}; ${how} by ${holder} since ${since}. It is not repeated until a person has looked at the third party, and answers: sequencer resolve`;

/**
 * Decides the entry after a failed attempt. After an ambiguous error the attempt stays open if its outcome can be found later. Otherwise a person is asked.
 * A definite error never settles an earlier ambiguous creation or task. It does settle an ambiguous update or deletion, which is repeated by its recorded
 * id. Until then the entry is `unresolved`; so is an attempt that was carried out in part.
 */
function failure(
  entry: GuardEntry,
  { kind, error, isPartial = false }: Exclude<AttemptResult, { kind: 'returned' }>,
  recoverable: boolean,
): PartialDecision {
  const cause = cutText(messageOf(error), maxReasonLength);
  const byId = entry.op === 'update' || entry.op === 'delete';
  const unsettled = kind === 'ambiguous' || (entry.ambiguous === true && !byId);
  if (unsettled && !recoverable)
    return {
      entry: { phase: 'unknown', ambiguous: true, cause },
      status: 'Unknown',
      reason: unknownReason(entry, cause),
    };
  if (unsettled)
    return {
      entry: { ambiguous: true, cause },
      status: 'Locked',
      reason: `outcome not known yet, looked for again: ${cause}`,
    };
  return {
    entry: { phase: 'failed', cause, ...(isPartial && { unresolved: true }) },
    status: kind === 'throttled' ? 'Waiting' : 'Error',
    reason: cause,
  };
}

function partialDecisionOf(entry: GuardEntry, { ending, recoverable }: OutcomeInput): PartialDecision {
  if (ending.kind !== 'returned') return failure(entry, ending, recoverable);
  const { status, reason } = ending.outcome;
  return { entry: { phase: status === 'Terminated' ? 'gone' : 'done' }, status, reason };
}

/** Reports whether a status confirms all objects, so that an earlier loss of the journal no longer matters. */
const isWhole = (status: ConditionStatus): boolean => status === 'Completed' || status === 'Healthy';

/** Returns the marks of doubt that an entry keeps: of an unresolved attempt until one succeeds, of a lost journal until a status confirms all objects. */
function doubtsLeft(
  { lost, unresolved }: Partial<GuardEntry>,
  { phase }: Pick<GuardEntry, 'phase'>,
  status: ConditionStatus,
) {
  return {
    ...(unresolved && phase === 'failed' && { unresolved }),
    ...(lost && !(phase === 'done' && isWhole(status)) && { lost }),
  };
}

/**
 * Decides on the outcome; pure. `late` are ids that fenced holders have handed over. Those that came after this attempt began are kept, and the entry
 * does not become `gone`. Earlier ones are kept too, unless the attempt was a deletion: then the ids that it does not return are gone.
 */
export function outcomeDecisionOf(
  { entry: held }: HeldIntent,
  end: OutcomeInput,
  late: readonly Ref[],
): OutcomeDecision {
  const { entry: decided, status, reason } = partialDecisionOf(held, end);
  const { refs } = end.ending;
  const given = unionOf((held.refs ?? []) as readonly Ref[], (held.late ?? []) as readonly Ref[]);
  const unseen = refsWithout(late, given);
  const { refs: _, late: __, lost, unresolved, ...rest } = { ...held, ...decided };
  const gaveUp = decided.phase === 'gone' || (decided.phase === 'done' && held.op === 'delete');
  const kept = gaveUp ? unseen : refsWithout(late, refs);
  const entry: GuardEntry = {
    ...rest,
    ...doubtsLeft({ lost, unresolved }, rest, status),
    ...(refs.length > 0 && { refs }),
    ...(kept.length > 0 && { late: kept }),
  };
  if (decided.phase !== 'gone' || unseen.length === 0) return { entry, status, reason };
  return {
    entry: { ...entry, phase: 'done' },
    status: 'In Progress',
    reason: `${unseen.length} more found while deleting`,
  };
}
