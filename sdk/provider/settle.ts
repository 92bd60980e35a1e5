import { FencedError, messageOf, RefusedError, StaleError } from '../errors.ts';
import type { Attempted, Held } from './attempt.ts';
import type { Ref } from './integration.ts';
import { conditionFor, latePatch, rewritePatch, type Slot, settlePatch } from './journal.ts';
import { newerFormat } from './journal-format.ts';
import { isRefusal, writeMirror } from './mirror.ts';
import { mirroredToken } from './mirror-record.ts';
import { without } from './refs.ts';
import { mirroredOutcome, outcomeLeft } from './restore-journal.ts';
import type { Session } from './session.ts';
import { type End, settlementOf } from './settlement.ts';

/** How an attempt has ended, and what is needed to write that down. */
export interface Settling extends End, Attempted {
  /** How long its requests may be carried out after they were given up, and lists lag behind, ms. */
  readonly requestMs: number;
}

/** Whether the entry, as last seen, is still the attempt's own. */
const isOurs = ({ written }: Session, { entry }: Held): boolean =>
  written?.token === entry.token && written.holder === entry.holder;

/** What is to be written now, given what others have handed over so far. It speaks for the generation that the attempt was begun for, whatever is wanted by now. */
function slotOf(session: Session, held: Held, end: End): Slot {
  const { type } = session.scope;
  const late = isOurs(session, held) ? session.written?.late : held.entry.late;
  const { entry, status, reason } = settlementOf(held, end, (late ?? []) as readonly Ref[]);
  const condition = conditionFor(session.workspace, { type, status, reason }, session.host.clock.now());
  const { generation } = held.entry;
  const mirrored = mirroredToken(session.mirror);
  return {
    type,
    entry: { ...entry, ...(mirrored !== undefined && { mirrored }) },
    condition: { ...condition, ...(generation !== undefined && { observedGeneration: generation }) },
  };
}

/** Hands ids over to whoever has taken the guard; to a newer release by the mirror alone. @throws FencedError always, once they are durable */
async function handOver(session: Session, held: Held, refs: readonly Ref[]): Promise<never> {
  const { type } = session.scope;
  const { written: entry } = session;
  const fresh = without(refs, [...(entry?.refs ?? []), ...(entry?.late ?? [])] as readonly Ref[]);
  const isReadable = entry !== undefined && newerFormat(entry) === undefined;
  if (isReadable && fresh.length > 0) await session.patchStatus(latePatch(entry, type, fresh));
  throw new FencedError(`condition ${type}: ${entry?.holder ?? 'another holder'} took over from ${held.entry.holder}`);
}

const isFinal = ({ isGone }: Session, error: unknown): boolean => isGone || error instanceof FencedError;

/** Whether a write that ended so may have been carried out. */
const mayHaveHappened = (error: unknown): boolean => !(error instanceof RefusedError || error instanceof StaleError);

/** Whether the attempt says by an id how a thing shall be, or that it shall go: doing so again is safe. */
const isById = ({ entry: { op } }: Held): boolean => op === 'update' || op === 'delete';

/** What has to be written, and whether whoever comes next could find it out otherwise, should the server keep refusing it. */
interface Persisting {
  attempt(): Promise<'done' | 'again'>;
  mayBeLeft(): boolean;
}

/**
 * Retries with jitter, doubling from 100 ms to 5 s, until it works or the process must stop; after a lease an event says so. What the server itself has
 * refused for that long, and can be found out later, is left to a later walk: it holds up nobody else.
 */
async function persist(session: Session, { attempt, mayBeLeft }: Persisting): Promise<void> {
  const { clock, random, killed, logger, events, times } = session.host;
  const begun = clock.monotonic();
  let told = false;
  for (let delay = 100; ; delay = Math.min(delay * 2, 5_000)) {
    try {
      if ((await attempt()) === 'done') return;
    } catch (error) {
      if (isFinal(session, error) || killed.aborted) throw error;
      const { type } = session.scope;
      logger?.warn({ err: error, condition: type }, 'outcome not written yet');
      const isLong = clock.monotonic() - begun >= times.lease;
      if (!told && isLong)
        events.event(session.workspace, 'Warning', 'OutcomeNotWritten', `${type}: tried again: ${messageOf(error)}`);
      told ||= isLong;
      if (isLong && isRefusal(error) && mayBeLeft()) throw error;
    }
    await clock.sleep(delay * (0.5 + random() / 2), killed);
  }
}

/** The mirror, and with it what the task said: should this process die before that is in the journal, whoever comes next finishes it. */
async function mirror(session: Session, { entry }: Held, { ending, requestMs }: Settling): Promise<'done'> {
  const { refs } = ending;
  const outcome = mirroredOutcome(entry, ending);
  if (refs.length > 0 || outcome !== undefined) await writeMirror(session, { entry, refs, outcome, requestMs });
  return 'done';
}

/**
 * One try. Where the entry is gone it is written anew only as long as nobody else can have begun an attempt, and not after a try that may have been
 * carried out: others may have gone on from what it wrote before all was lost. Otherwise the journal stays lost, with what the mirror holds.
 * @throws FencedError if another holder took over, or may have
 */
async function writeOutcome(
  session: Session,
  held: Held,
  { mayBeThere, ...end }: Settling & { readonly mayBeThere: boolean },
): Promise<'done' | 'again'> {
  const slot = slotOf(session, held, end);
  try {
    await session.patchStatus(settlePatch(session.workspace, held.entry, slot));
    return 'done';
  } catch (error) {
    if (!(error instanceof StaleError) || session.isGone) throw error;
  }
  const { written: live } = session;
  if (live === undefined || live.phase === 'none') {
    if (mayBeThere || session.host.clock.monotonic() >= end.until)
      throw new FencedError(`condition ${slot.type}: its journal was lost before its outcome was written`);
    await session.patchStatus(rewritePatch(session.workspace, slotOf(session, held, end)));
    return 'done';
  }
  if (!isOurs(session, held)) return handOver(session, held, end.ending.refs);
  return live.phase !== 'intent' && live.phase === slot.entry.phase ? 'done' : 'again';
}

/**
 * Records how an attempt ended: the mirror first when ids came back, then journal entry and condition in one patch that tests token and holder.
 *
 * # Guarantees
 * Written however often the server fails, until the process must stop; what it refuses for longer than a lease is left to a later walk, as far as the
 * mirror holds it. Never over another holder's entry; an id is never dropped.
 *
 * # Errors
 * What the task threw, if it did; FencedError if another holder took over; NotFoundError or StaleError if the workspace is gone.
 */
export async function settle(session: Session, held: Held, end: Settling): Promise<void> {
  await persist(session, { attempt: () => mirror(session, held, end), mayBeLeft: () => false });
  let mayBeThere = false;
  await persist(session, {
    mayBeLeft: () => end.ending.kind !== 'returned' || isById(held) || outcomeLeft(session) !== undefined,
    async attempt() {
      try {
        return await writeOutcome(session, held, { ...end, mayBeThere });
      } catch (error) {
        mayBeThere ||= mayHaveHappened(error);
        throw error;
      }
    },
  });
  if (end.ending.kind !== 'returned') throw end.ending.error;
}
