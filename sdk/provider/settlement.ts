import type { ConditionStatus } from '../api/condition.ts';
import type { GuardEntry } from '../api/workspace.ts';
import { messageOf } from '../errors.ts';
import type { Ending, Held } from './attempt.ts';
import type { Ref } from './integration.ts';
import { unionOf, without } from './refs.ts';

/** What is to be written when an attempt has ended: how the journal entry goes on, and what the condition says. */
export interface Settlement {
  readonly entry: GuardEntry;
  readonly status: ConditionStatus;
  readonly reason: string;
}

/** How an attempt ended, and whether its identity can find out later what became of it. */
export interface End {
  readonly ending: Ending;
  readonly recoverable: boolean;
}

type Verdict = Omit<Settlement, 'entry'> & { readonly entry: Partial<GuardEntry> };

/** What a person is told when an attempt may or may not have happened: who `held` it since when, or who `missed` its journal entry when that was lost with its holder. */
export const unknownReason = (
  { op, holder, since = 'an unknown time', key }: GuardEntry,
  why: string,
  how: 'held' | 'missed' = 'held',
): string =>
  `whether "${op}" (key ${key}) was carried out is not known: ${why}; ${how} by ${holder} since ${since}. It is not run again before a person has looked`;

/**
 * What a failed attempt means. A definite error never settles an earlier ambiguous attempt to make something; one to change or to take away, by an id
 * that stays recorded, waits for nobody: that is `unresolved` until it is done again. An ambiguous one stays open where the identity can find out later, and waits for a person where nothing can.
 */
function failure(
  entry: GuardEntry,
  { kind, error }: Exclude<Ending, { kind: 'returned' }>,
  recoverable: boolean,
): Verdict {
  const cause = messageOf(error).slice(0, 1024);
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
  return { entry: { phase: 'failed', cause }, status: kind === 'throttled' ? 'Waiting' : 'Error', reason: cause };
}

function verdictOf(entry: GuardEntry, { ending, recoverable }: End): Verdict {
  if (ending.kind !== 'returned') return failure(entry, ending, recoverable);
  const { status, reason } = ending.outcome;
  return { entry: { phase: status === 'Terminated' ? 'gone' : 'done' }, status, reason };
}

/** Whether a task says that all is where it belongs, so that a journal lost before does not matter any more. */
const isWhole = (status: ConditionStatus): boolean => status === 'Completed' || status === 'Healthy';

/**
 * Decides, purely. `late` is what fenced holders have handed over by now: an id that this attempt was not given is kept, and then nothing is gone yet.
 * One that it was given is kept too, unless it has taken things away: then what it does not return is gone.
 */
export function settlementOf({ entry: held }: Held, end: End, late: readonly Ref[]): Settlement {
  const { entry: verdict, status, reason } = verdictOf(held, end);
  const { refs } = end.ending;
  const given = unionOf((held.refs ?? []) as readonly Ref[], (held.late ?? []) as readonly Ref[]);
  const unseen = without(late, given);
  const { refs: _, late: __, lost, unresolved, ...rest } = { ...held, ...verdict };
  const gaveUp = verdict.phase === 'gone' || (verdict.phase === 'done' && held.op === 'delete');
  const kept = gaveUp ? unseen : without(late, refs);
  const entry: GuardEntry = {
    ...rest,
    ...(unresolved && verdict.phase === 'failed' && { unresolved }),
    ...(lost && !(verdict.phase === 'done' && isWhole(status)) && { lost }),
    ...(refs.length > 0 && { refs }),
    ...(kept.length > 0 && { late: kept }),
  };
  if (verdict.phase !== 'gone' || unseen.length === 0) return { entry, status, reason };
  return {
    entry: { ...entry, phase: 'done' },
    status: 'In Progress',
    reason: `${unseen.length} more came to light while deleting`,
  };
}
