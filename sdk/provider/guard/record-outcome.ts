/** Writes the outcome of an attempt. */

import { isDeleting } from '../../api/object.ts';
import type { GuardEntry } from '../../api/workspace.ts';
import { FencedError, RefusedError, StaleError } from '../../errors.ts';
import type { Ref } from '../contract/integration.ts';
import { withOrphanAdvice } from '../contract/management-policy.ts';
import { newerFormat } from '../journal/journal-format.ts';
import { conditionFor, type JournalWrite, latePatch, outcomePatch, rewritePatch } from '../journal/journal-patch.ts';
import { droppedFrom, mirroredToken } from '../journal/read-mirror.ts';
import { refsWithout } from '../journal/ref-sets.ts';
import type { Session } from '../journal/session.ts';
import { isMirrorRefused, writeMirror } from '../journal/write-mirror.ts';
import type { FinishedAttempt, HeldIntent } from './attempt.ts';
import { lacksOwnMirror } from './mirror-intent.ts';
import { type OutcomeInput, outcomeDecisionOf } from './outcome-decision.ts';
import { mirroredOutcome, unrecordedOutcome } from './restore-journal.ts';
import { isDefect, reportWrittenNowhere, retryOutcomeWrite } from './retry-outcome-write.ts';

/** End of an attempt, with the input to record it. */
export interface OutcomeWrite extends OutcomeInput, FinishedAttempt {
  /** Time in ms within which its abandoned requests may still be carried out, including the lag of lists. */
  readonly requestMs: number;
}

/** Reports whether the entry, as last seen, still belongs to the attempt. */
const isOurs = ({ storedEntry }: Session, { entry }: HeldIntent): boolean =>
  storedEntry?.token === entry.token && storedEntry.holder === entry.holder;

/** Returns the entry and condition to write, including ids that others have handed over so far, for the generation that the attempt was begun for. */
function journalWriteOf(session: Session, held: HeldIntent, end: OutcomeInput): JournalWrite {
  const { type } = session.scope;
  const late = isOurs(session, held) ? session.storedEntry?.late : held.entry.late;
  const { entry, status, reason: cause } = outcomeDecisionOf(held, end, (late ?? []) as readonly Ref[]);
  const reason = status === 'Locked' && isDeleting(session.workspace) ? withOrphanAdvice(type, cause) : cause;
  const { dropped: before, ...rest } = entry;
  const known = [...entryRefs(held.entry), ...((before?.refs ?? []) as readonly Ref[])];
  const dropped = droppedFrom(session.mirror, { known, left: entryRefs(entry) });
  const condition = conditionFor(session, { type, status, reason }, session.host.clock.now());
  const { generation } = held.entry;
  const mirrored = mirroredToken(session.mirror);
  return {
    type,
    entry: { ...rest, ...dropped, ...(mirrored !== undefined && { mirrored }) },
    condition: { ...condition, ...(generation !== undefined && { observedGeneration: generation }) },
  };
}

const entryRefs = (entry: GuardEntry | undefined): readonly Ref[] =>
  [...(entry?.refs ?? []), ...(entry?.late ?? [])] as readonly Ref[];

/** Hands new ids over to the current holder; not those that the attempt began with, which that holder knew and may have deleted. @throws FencedError always, once they are durable */
async function handOver(session: Session, held: HeldIntent, refs: readonly Ref[]): Promise<never> {
  const { type } = session.scope;
  const { storedEntry: entry } = session;
  const fresh = refsWithout(refs, [...entryRefs(entry), ...entryRefs(held.entry)]);
  const isReadable = entry !== undefined && newerFormat(entry) === undefined && session.entryOfOtherClaim === undefined;
  if (isReadable && fresh.length > 0) await session.patchStatus(latePatch(entry, type, fresh));
  throw new FencedError(`condition ${type}: ${entry?.holder ?? 'another holder'} took over from ${held.entry.holder}`);
}

/** Reports whether a write that failed with this error may have been carried out. A RefusedError without a cause says that the server has stored the write, but altered it. */
const mayHaveHappened = (error: unknown): boolean =>
  !((error instanceof RefusedError && error.cause !== undefined) || error instanceof StaleError);

/** Reports whether the attempt updates or deletes an object by its id, which may be repeated safely. */
const isById = ({ entry: { op } }: HeldIntent): boolean => op === 'update' || op === 'delete';

/** Mirrors the ids and the outcome: if this process dies before that is in the journal, the next holder finishes it. */
async function mirrorOutcome(
  session: Session,
  { entry }: HeldIntent,
  { ending, requestMs }: OutcomeWrite,
): Promise<'done'> {
  const { refs } = ending;
  const outcome = mirroredOutcome(entry, ending);
  const isFresh = refsWithout(refs, entryRefs(entry)).length > 0;
  if (!isFresh && lacksOwnMirror(session) && isMirrorRefused(session, session.host.times.lease)) return 'done';
  if (refs.length > 0 || outcome !== undefined) await writeMirror(session, { entry, refs, outcome, requestMs });
  return 'done';
}

/**
 * Tries to write the outcome once. A missing entry is written again only while no other holder can have begun an attempt, and not after a try that may
 * have succeeded: another holder may have continued from its entry before that was lost. Otherwise the mirror restores the journal.
 * @throws FencedError if another holder took over, or may have
 */
async function writeOutcome(
  session: Session,
  held: HeldIntent,
  { mayBeThere, ...end }: OutcomeWrite & { readonly mayBeThere: boolean },
): Promise<'done' | 'again'> {
  const write = journalWriteOf(session, held, end);
  try {
    await session.patchStatus(outcomePatch(session.workspace, held.entry, write));
    return 'done';
  } catch (error) {
    if (!(error instanceof StaleError) || session.isGone) throw error;
  }
  const { storedEntry: live } = session;
  if (live === undefined || live.phase === 'none') {
    if (mayBeThere || session.host.clock.monotonic() >= end.exclusiveUntil)
      throw new FencedError(`condition ${write.type}: its journal was lost before its outcome was written`);
    await session.patchStatus(rewritePatch(session.workspace, journalWriteOf(session, held, end)));
    return 'done';
  }
  if (!isOurs(session, held)) return handOver(session, held, end.ending.refs);
  return live.phase !== 'intent' && live.phase === write.entry.phase ? 'done' : 'again';
}

/**
 * Records the end of an attempt: the mirror first if it reported ids, then journal entry and condition in one patch that tests token and holder.
 *
 * # Guarantees
 * Written however often the server fails, until the process must stop; a write that it refuses for longer than a lease is left to a later walk, if
 * the mirror holds it. Never overwrites another holder's entry; never drops an id; if the workspace is gone, an event
 * names it. An error that no answer of the server can heal is reported at once; the outcome then counts as not known.
 *
 * # Errors
 * The task's error, if any; FencedError if another holder took over; NotFoundError or StaleError if the workspace is gone.
 */
export async function recordOutcome(session: Session, held: HeldIntent, end: OutcomeWrite): Promise<void> {
  try {
    await record(session, held, end);
  } catch (error) {
    reportLeftIds(session, held, end.ending.refs);
    if (session.host.killed.aborted && isOurs(session, held)) logOpenOutcome(session, held, end);
    throw error;
  }
  if (end.ending.kind !== 'returned') throw end.ending.error;
}

/**
 * Reports by an event the ids that came back after the workspace was gone, its finalizer removed by others, or after another integration has begun
 * under the condition: no journal is left to hold them.
 */
function reportLeftIds(session: Session, { entry }: HeldIntent, refs: readonly Ref[]): void {
  const { isGone, entryOfOtherClaim: former, workspace, host, scope } = session;
  const isLeft = isGone || former !== undefined;
  const fresh = isLeft ? refsWithout(refs, entryRefs(entry)) : [];
  if (fresh.length === 0) return;
  const why = isGone ? `workspace uid ${workspace.metadata.uid} was gone` : `${former?.claim} had the condition`;
  const message = `${scope.type}: ${why} when these ids came back, and no workspace keeps them: ${JSON.stringify(fresh)}`;
  host.events.event(workspace, 'Warning', 'IdsLeft', message);
}

/** Logs that this process ends before an outcome is in the journal: the next one takes the attempt over as that of a dead holder. */
function logOpenOutcome({ host, scope, key }: Session, { entry }: HeldIntent, { requestMs }: OutcomeWrite): void {
  const { lease } = host.times;
  const about = { workspace: key, condition: scope.type, operation: entry.op, holder: entry.holder };
  host.logger?.warn(
    { ...about, takenOverAfter: 2 * lease + requestMs },
    'stopped before the outcome was written: the next process takes it over',
  );
}

async function record(session: Session, held: HeldIntent, end: OutcomeWrite): Promise<void> {
  try {
    await retryOutcomeWrite(session, { write: () => mirrorOutcome(session, held, end), mayBeLeft: () => false });
  } catch (error) {
    if (!isDefect(error)) throw error; // reported already; the journal is written without the mirror
  }
  let mayBeThere = false;
  const write = (one: OutcomeWrite) =>
    retryOutcomeWrite(session, {
      mayBeLeft: () => one.ending.kind !== 'returned' || isById(held) || unrecordedOutcome(session) !== undefined,
      async write() {
        try {
          return await writeOutcome(session, held, { ...one, mayBeThere });
        } catch (error) {
          mayBeThere ||= mayHaveHappened(error);
          throw error;
        }
      },
    });
  try {
    await write(end);
  } catch (error) {
    if (!isDefect(error)) throw error;
    await writeUnknown(session, { write, end, error });
  }
}

/**
 * Records the outcome as unknown, with its ids, when a defect keeps it from being written: it is recovered later, or a person is asked.
 * @throws the defect, always
 */
async function writeUnknown(
  session: Session,
  failed: {
    readonly write: (end: OutcomeWrite) => Promise<void>;
    readonly end: OutcomeWrite;
    readonly error: unknown;
  },
): Promise<never> {
  const { write, end, error } = failed;
  const { refs } = end.ending;
  try {
    await write({ ...end, ending: { kind: 'ambiguous', error, refs } });
  } catch (again) {
    if (!isDefect(again)) throw again;
    reportWrittenNowhere(session, refs, again);
  }
  throw error;
}
