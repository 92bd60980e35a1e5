import type { ConditionStatus } from '../api/condition.ts';
import type { GuardEntry, Workspace } from '../api/workspace.ts';
import { FencedError, InvalidError, messageOf, NotFoundError } from '../errors.ts';
import type { Ending, Held } from './attempt.ts';
import type { Ref } from './integration.ts';
import { conditionFor, entryOf, latePatch, rewritePatch, type Slot, settlePatch } from './journal.ts';
import { mirrorDiffers, mirrorPatch, nextMirror } from './mirror.ts';
import type { Session } from './session.ts';

/** What is written when an attempt has ended: how the journal entry goes on, and what the condition says. */
interface Settlement {
  readonly entry: Partial<GuardEntry>;
  readonly status: ConditionStatus;
  readonly reason: string;
}

type Failed = Exclude<Ending, { kind: 'returned' }>;

/**
 * What a failed attempt means. A definite error never settles an earlier ambiguous attempt; an ambiguous one stays open where the identity can
 * find out later, and waits for a person where nothing can.
 */
function failure({ kind, error }: Failed, { entry }: Held, recoverable: boolean): Settlement {
  const cause = messageOf(error).slice(0, 1024);
  const unsettled = kind === 'ambiguous' || entry.ambiguous === true;
  if (unsettled && !recoverable) {
    return {
      entry: { phase: 'unknown', ambiguous: true, cause },
      status: 'Unknown',
      reason: unknownReason(entry, cause),
    };
  }
  if (unsettled)
    return {
      entry: { ambiguous: true, cause },
      status: 'Locked',
      reason: `outcome not known yet, looked for again: ${cause}`,
    };
  if (kind === 'throttled') return { entry: { phase: 'failed', cause }, status: 'Waiting', reason: cause };
  return { entry: { phase: 'failed', cause }, status: 'Error', reason: cause };
}

/** What a person is told when an attempt of `holder` may or may not have happened. */
export const unknownReason = ({ op, holder, since = 'an unknown time', key }: GuardEntry, why: string): string =>
  `whether "${op}" (key ${key}) was carried out is not known: ${why}; held by ${holder} since ${since}. It is not run again before a person has looked`;

function settlementOf(ending: Ending, held: Held, recoverable: boolean): Settlement {
  if (ending.kind !== 'returned') return failure(ending, held, recoverable);
  const { status, reason } = ending.outcome;
  return { entry: { phase: status === 'Terminated' ? 'gone' : 'done' }, status, reason };
}

function slotOf(session: Session, { entry }: Held, settlement: Settlement & { readonly refs: readonly Ref[] }): Slot {
  const { type } = session.scope;
  const { status, reason, refs } = settlement;
  const { refs: _, ...rest } = { ...entry, ...settlement.entry };
  const made: GuardEntry = { ...rest, ...(refs.length > 0 && { refs }) };
  return {
    type,
    entry: made,
    condition: conditionFor(session.workspace, { type, status, reason }, session.host.clock.now()),
  };
}

const isOurs = (entry: GuardEntry | undefined, { entry: held }: Held): boolean =>
  entry?.token === held.token && entry.holder === held.holder;

/** How to go on after the server refused the outcome, told by a live read. */
type Next = 'done' | 'again' | 'rewrite' | 'fenced';

function nextStep(workspace: Workspace, held: Held, slot: Slot): Next {
  const entry = entryOf(workspace, slot.type);
  if (entry === undefined) return 'rewrite';
  if (!isOurs(entry, held)) return 'fenced';
  return entry.phase === slot.entry.phase && entry.phase !== 'intent' ? 'done' : 'again';
}

/** Hands ids over to whoever has taken the guard. @throws FencedError always, once they are durable */
async function handOver(session: Session, held: Held, refs: readonly Ref[]): Promise<never> {
  const entry = entryOf(session.workspace, session.scope.type);
  const known = new Set([...(entry?.refs ?? []), ...(entry?.late ?? [])].map((ref) => JSON.stringify(ref)));
  const fresh = refs.filter((ref) => !known.has(JSON.stringify(ref)));
  if (entry !== undefined && fresh.length > 0) await session.patchStatus(latePatch(entry, session.scope.type, fresh));
  throw new FencedError(
    `condition ${session.scope.type}: ${entry?.holder ?? 'another holder'} took over from ${held.entry.holder}`,
  );
}

/** Retries with jitter, doubling from 100 ms to 5 s, until it works, is refused for good, or the process must stop. */
async function persist(session: Session, attempt: () => Promise<'done' | 'again'>): Promise<void> {
  const { clock, random, killed, logger } = session.host;
  for (let delay = 100; ; delay = Math.min(delay * 2, 5_000)) {
    try {
      if ((await attempt()) === 'done') return;
    } catch (error) {
      if (error instanceof FencedError || error instanceof NotFoundError || killed.aborted) throw error;
      logger?.warn({ err: error, condition: session.scope.type }, 'outcome not written yet');
    }
    await clock.sleep(delay * (0.5 + random() / 2), killed);
  }
}

async function writeMirror(session: Session, { entry }: Held, refs: readonly Ref[]): Promise<void> {
  const { type } = session.scope;
  const wanted = nextMirror(session.workspace, { type, entry }, refs);
  if (refs.length > 0 && mirrorDiffers(session.workspace, type, wanted))
    await session.patchMain(mirrorPatch(session.workspace, type, wanted));
}

async function writeOutcome(session: Session, held: Held, slot: () => Slot): Promise<'done' | 'again'> {
  try {
    await session.patchStatus(settlePatch(session.workspace, held.entry, slot()));
    return 'done';
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
  }
  const live = await session.refresh();
  const next = nextStep(live, held, slot());
  if (next === 'fenced') return handOver(session, held, (slot().entry.refs as readonly Ref[] | undefined) ?? []);
  if (next !== 'rewrite') return next;
  await session.patchStatus(rewritePatch(live, slot()));
  return 'done';
}

/**
 * Records how an attempt ended: the mirror first when ids came back, then journal entry and condition in one patch that tests token and holder.
 *
 * # Guarantees
 * Written however often the server fails, until the process must stop; never over another holder's entry; an id is never dropped.
 *
 * # Errors
 * What the task threw, if it did; FencedError if another holder took over; NotFoundError if the workspace is gone.
 */
export async function settle(
  session: Session,
  held: Held,
  end: { readonly ending: Ending; readonly recoverable: boolean },
): Promise<void> {
  const { ending, recoverable } = end;
  const settlement = settlementOf(ending, held, recoverable);
  await persist(session, async () => {
    await writeMirror(session, held, ending.refs);
    return 'done';
  });
  await persist(session, () =>
    writeOutcome(session, held, () => slotOf(session, held, { ...settlement, refs: ending.refs })),
  );
  if (ending.kind !== 'returned') throw ending.error;
}
