import { FencedError, InvalidError, messageOf, NotFoundError, StaleError } from '../errors.ts';
import type { Ending, Held } from './attempt.ts';
import { foretelling } from './foretold.ts';
import type { Ref } from './integration.ts';
import { conditionFor, entryOf, latePatch, rewritePatch, type Slot, settlePatch } from './journal.ts';
import { unionOf, writeMirror } from './mirror.ts';
import type { Session } from './session.ts';
import { type End, settlementOf } from './settlement.ts';

/** Whether the entry, as last seen, is still the attempt's own. */
function isOurs({ workspace, scope }: Session, { entry: held }: Held): boolean {
  const entry = entryOf(workspace, scope.type);
  return entry?.token === held.token && entry.holder === held.holder;
}

/** What is to be written now, given what others have handed over so far. It speaks for the generation that the attempt was begun for, whatever is wanted by now. */
function slotOf(session: Session, held: Held, end: End): Slot {
  const { type } = session.scope;
  const late = isOurs(session, held) ? entryOf(session.workspace, type)?.late : held.entry.late;
  const { entry, status, reason } = settlementOf(held, end, (late ?? []) as readonly Ref[]);
  const condition = conditionFor(session.workspace, { type, status, reason }, session.host.clock.now());
  const { generation } = held.entry;
  return {
    type,
    entry,
    condition: { ...condition, ...(generation !== undefined && { observedGeneration: generation }) },
  };
}

/** Hands ids over to whoever has taken the guard. @throws FencedError always, once they are durable */
async function handOver(session: Session, held: Held, refs: readonly Ref[]): Promise<never> {
  const { type } = session.scope;
  const entry = entryOf(session.workspace, type);
  const known = unionOf((entry?.refs ?? []) as readonly Ref[], (entry?.late ?? []) as readonly Ref[]);
  const fresh = unionOf(known, refs).slice(known.length);
  if (entry !== undefined && fresh.length > 0) await session.patchStatus(latePatch(entry, type, fresh));
  throw new FencedError(`condition ${type}: ${entry?.holder ?? 'another holder'} took over from ${held.entry.holder}`);
}

const isFinal = (error: unknown): boolean =>
  error instanceof FencedError || error instanceof NotFoundError || error instanceof StaleError;

/** Retries with jitter, doubling from 100 ms to 5 s, until it works, is refused for good, or the process must stop; after a lease an event says so. */
async function persist(session: Session, attempt: () => Promise<'done' | 'again'>): Promise<void> {
  const { clock, random, killed, logger, events, times } = session.host;
  const begun = clock.monotonic();
  let told = false;
  for (let delay = 100; ; delay = Math.min(delay * 2, 5_000)) {
    try {
      if ((await attempt()) === 'done') return;
    } catch (error) {
      if (isFinal(error) || killed.aborted) throw error;
      const { type } = session.scope;
      logger?.warn({ err: error, condition: type }, 'outcome not written yet');
      if (!told && clock.monotonic() - begun >= times.lease) {
        told = true;
        events.event(session.workspace, 'Warning', 'OutcomeNotWritten', `${type}: tried again: ${messageOf(error)}`);
      }
    }
    await clock.sleep(delay * (0.5 + random() / 2), killed);
  }
}

/** The mirror, and with it what the task said: should this process die before that is in the journal, whoever comes next finishes it. */
async function mirror(session: Session, { entry }: Held, ending: Ending): Promise<'done'> {
  const { refs } = ending;
  if (refs.length > 0)
    await writeMirror(session, { entry, refs, more: foretelling(session.scope.type, entry, ending) });
  return 'done';
}

/**
 * One try. Where the entry is gone it is written anew, but not after a try that may have been carried out: others may have gone on from what it wrote
 * before all was lost. The journal stays lost then.
 */
async function writeOutcome(
  session: Session,
  held: Held,
  { mayBeThere, ...end }: End & { readonly mayBeThere: boolean },
): Promise<'done' | 'again'> {
  const slot = slotOf(session, held, end);
  try {
    await session.patchStatus(settlePatch(session.workspace, held.entry, slot));
    return 'done';
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
  }
  await session.refresh();
  const live = entryOf(session.workspace, slot.type);
  if (live === undefined || live.phase === 'none') {
    if (mayBeThere) throw new FencedError(`condition ${slot.type}: its journal was lost while its outcome was written`);
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
 * Written however often the server fails, until the process must stop; never over another holder's entry; an id is never dropped.
 *
 * # Errors
 * What the task threw, if it did; FencedError if another holder took over; NotFoundError or StaleError if the workspace is gone.
 */
export async function settle(session: Session, held: Held, end: End): Promise<void> {
  await persist(session, () => mirror(session, held, end.ending));
  let mayBeThere = false;
  await persist(session, async () => {
    try {
      return await writeOutcome(session, held, { ...end, mayBeThere });
    } catch (error) {
      mayBeThere = true;
      throw error;
    }
  });
  if (end.ending.kind !== 'returned') throw end.ending.error;
}
