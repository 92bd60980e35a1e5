import type { GuardEntry } from '../api/workspace.ts';
import { DefiniteError, FencedError, GiveUpError, InvalidError, ThrottledError, UnreachableError } from '../errors.ts';
import { askingSignal } from './asking-signal.ts';
import type { Outcome, Ref, Task } from './integration.ts';
import { beatPatch, checkpointPatch } from './journal.ts';
import { unionOf, writeMirror } from './mirror.ts';
import type { Session } from './session.ts';

/** How an attempt ended. `refs` are all ids it learned, whatever else happened. */
export type Ending =
  | { readonly kind: 'returned'; readonly outcome: Outcome; readonly refs: readonly Ref[] }
  | { readonly kind: 'definite' | 'ambiguous' | 'throttled'; readonly error: unknown; readonly refs: readonly Ref[] };

/** What a thrown error says about the outside world; everything unknown is ambiguous. */
export function classOf(error: unknown): 'definite' | 'ambiguous' | 'throttled' {
  if (error instanceof ThrottledError) return 'throttled';
  if (error instanceof DefiniteError || error instanceof GiveUpError) return 'definite';
  return error instanceof UnreachableError && error.notSent ? 'definite' : 'ambiguous';
}

/** A durable intent that is ours, and until when we may act on it. */
export interface Held {
  readonly entry: GuardEntry;
  /** Monotonic ms when the request that made the intent durable was sent: the lease counts from then. */
  readonly acquired: number;
}

/**
 * Beats while the task works and aborts its signal when the lease nears its end without a beat, when another holder has taken over, or when the
 * process must stop; and when it has worked for so long that it will never come to an end. @returns the signal, and a function that ends it all.
 */
function keepLease(
  session: Session,
  { entry, acquired }: Held,
): { readonly signal: AbortSignal; readonly lost: Promise<never>; end(): void } {
  const { clock, times, killed } = session.host;
  const ended = new AbortController();
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined);
  const stop = (reason: unknown) => {
    ended.abort(reason);
    over.reject(reason);
  };
  let beat = entry;
  let cancelBeat = () => {};
  let cancelEnd = () => {};
  let deadline = 0;
  const timeUp = () => {
    const within = clock.monotonic() - acquired < times.attempt ? `the lease of ${times.lease}` : String(times.attempt);
    stop(new Error(`no answer within ${within} ms`));
  };
  const until = (from: number) => {
    cancelEnd();
    deadline = Math.min(from + times.lease - times.margin, acquired + times.attempt);
    cancelEnd = clock.after(deadline - clock.monotonic(), timeUp);
  };
  const renew = async () => {
    const sent = clock.monotonic();
    try {
      await session.patchStatus(beatPatch(session.scope.type, beat));
      beat = { ...beat, beat: (beat.beat ?? 0) + 1 };
      until(sent);
    } catch (error) {
      if (error instanceof InvalidError)
        return stop(new FencedError('the guard was taken over or its journal entry is gone'));
    }
    schedule();
  };
  const schedule = () => {
    if (!ended.signal.aborted) cancelBeat = clock.after(times.lease / 3, () => void renew());
  };
  until(acquired);
  schedule();
  const onKill = () => stop(killed.reason);
  killed.addEventListener('abort', onKill, { once: true });
  return {
    signal: askingSignal(ended.signal, () => {
      if (clock.monotonic() >= deadline) timeUp();
    }),
    lost: over.promise,
    end: () => {
      cancelBeat();
      cancelEnd();
      killed.removeEventListener('abort', onKill);
      ended.abort();
    },
  };
}

/** Makes ids durable while the attempt goes on: in the mirror, and in the journal. @throws FencedError if the attempt is no longer ours */
async function keep(session: Session, entry: GuardEntry, refs: readonly Ref[]): Promise<void> {
  const { type } = session.scope;
  await writeMirror(session, { entry, refs });
  try {
    await session.patchStatus(checkpointPatch(type, entry, refs));
  } catch (error) {
    throw error instanceof InvalidError
      ? new FencedError('the guard was taken over or its journal entry is gone', { cause: error })
      : error;
  }
}

/** Calls the task once, within the lease. Never throws: an ending says all. A task that ignores its signal is left behind, its outcome unknown. */
export async function runAttempt(session: Session, held: Held, task: Task): Promise<Ending> {
  const { host } = session;
  const learned: Ref[] = [
    ...unionOf((held.entry.refs ?? []) as readonly Ref[], (held.entry.late ?? []) as readonly Ref[]),
  ];
  const refs = () => [...learned];
  const lease = keepLease(session, held);
  const checkpoint = async (ref: Ref): Promise<void> => {
    learned.push(ref);
    await keep(session, held.entry, refs());
  };
  try {
    const tooLate = host.clock.monotonic() - held.acquired >= host.times.lease - host.times.margin;
    if (tooLate || host.killed.aborted)
      return {
        kind: 'definite',
        error: new DefiniteError('the lease was nearly over before anything was sent'),
        refs: refs(),
      };
    const outcome = await Promise.race([
      task({
        key: held.entry.key,
        signal: lease.signal,
        refs: refs(),
        input: held.entry.input as Ref | undefined,
        checkpoint,
      }),
      lease.lost,
    ]);
    const { reason } = outcome;
    const redacted = typeof reason === 'string' ? { ...outcome, reason: host.secrets.redact(reason) } : outcome;
    return { kind: 'returned', outcome: redacted, refs: outcome.refs ?? refs() };
  } catch (error) {
    return { kind: classOf(error), error, refs: refs() };
  } finally {
    lease.end();
  }
}
