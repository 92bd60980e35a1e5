/** Runs one attempt of a task within its lease. */

import type { GuardEntry } from '../../api/workspace.ts';
import { maxReasonLength, redactAndCut } from '../../cut-text.ts';
import { ContractError, DefiniteError, FencedError, StaleError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import { checkedOutcome, checkedRef } from '../contract/check-outcome.ts';
import type { Outcome, Ref, Task } from '../contract/integration.ts';
import { beatPatch, checkpointPatch } from '../journal/journal-patch.ts';
import { unionOf } from '../journal/ref-sets.ts';
import type { Session } from '../journal/session.ts';
import { writeMirror } from '../journal/write-mirror.ts';
import { clockCheckedSignal } from './clock-checked-signal.ts';
import { errorEffectOf, instrumentedCall } from './instrumented-call.ts';
import { type IntentMirrorOptions, mirrorIntent } from './mirror-intent.ts';
import { PartialEffectError, taskErrorOf } from './partial-effect-error.ts';

/** End of an attempt. `refs` are all ids that it reported, regardless of its result. */
export type AttemptResult =
  | { readonly kind: 'returned'; readonly outcome: Outcome; readonly refs: readonly Ref[] }
  | {
      readonly kind: 'definite' | 'ambiguous' | 'throttled';
      readonly error: unknown;
      readonly refs: readonly Ref[];
      /** Earlier calls of the attempt were carried out. */
      readonly isPartial?: boolean;
    };

/** Durable intent held by this process, and the start of its lease. */
export interface HeldIntent {
  readonly entry: GuardEntry;
  /** Monotonic ms at which the request that made the intent durable was sent; the lease counts from then. */
  readonly acquired: number;
}

/** Lease of an attempt while its task runs. */
interface AttemptLease {
  readonly signal: AbortSignal;
  /** Rejects when the signal aborts. */
  readonly lost: Promise<never>;
  /** Returns the monotonic ms until which no other holder can have begun an attempt. */
  until(): number;
  end(): void;
}

/**
 * Renews the lease while the task runs, and aborts its signal when the lease is about to expire without a heartbeat, when another holder has taken
 * over, when the process must stop, or when the attempt exceeds its maximum time.
 */
function keepLease(session: Session, { entry, acquired }: HeldIntent): AttemptLease {
  const { clock, times, killed, logger } = session.host;
  const ended = new AbortController();
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined);
  const stop = (reason: unknown) => {
    ended.abort(reason);
    over.reject(reason);
  };
  let cancelBeat = () => {};
  let cancelEnd = () => {};
  let deadline = 0;
  let [beat, renewed, refusal] = [entry, acquired, ''];
  const interval = times.lease / 3;
  const timeUp = () => {
    const within = clock.monotonic() - acquired < times.attempt ? `the lease of ${times.lease}` : String(times.attempt);
    stop(new Error(`${entry.op}: no answer within ${within} ms${refusal}`));
  };
  const armDeadline = (from: number) => {
    cancelEnd();
    renewed = from;
    deadline = Math.min(from + times.lease - times.margin, acquired + times.attempt);
    cancelEnd = clock.after(deadline - clock.monotonic(), timeUp);
  };
  const renew = async () => {
    const sent = clock.monotonic();
    try {
      await session.patchStatus(beatPatch(session.scope.type, beat), { deadline: interval });
      beat = { ...beat, beat: (beat.beat ?? 0) + 1 };
      armDeadline(sent);
      refusal = '';
    } catch (error) {
      if (error instanceof StaleError)
        return stop(new FencedError('the guard was taken over or its journal entry is gone'));
      refusal = `, and the lease is not renewed: ${messageOf(error)}`;
      logger?.warn({ err: error, condition: session.scope.type }, 'lease not renewed yet');
    }
    schedule(sent);
  };
  const schedule = (from: number) => {
    if (!ended.signal.aborted) cancelBeat = clock.after(from + interval - clock.monotonic(), () => void renew());
  };
  armDeadline(acquired);
  schedule(clock.monotonic());
  const onKill = () => stop(killed.reason);
  killed.addEventListener('abort', onKill, { once: true });
  return {
    signal: clockCheckedSignal(ended.signal, () => {
      if (clock.monotonic() >= deadline) timeUp();
    }),
    lost: over.promise,
    until: () => renewed + times.lease,
    end: () => {
      cancelBeat();
      cancelEnd();
      killed.removeEventListener('abort', onKill);
      ended.abort();
    },
  };
}

/** Task of an attempt, with its options. */
export interface AttemptOptions extends IntentMirrorOptions {
  readonly task: Task;
}

/** Makes ids durable during an attempt, in the mirror and in the journal. @throws FencedError if another holder has taken over */
async function persistRefs(
  session: Session,
  kept: { readonly entry: GuardEntry; readonly refs: readonly Ref[]; readonly requestMs: number },
): Promise<void> {
  const { type } = session.scope;
  const { entry, refs } = kept;
  await writeMirror(session, kept);
  try {
    await session.patchStatus(checkpointPatch(session.workspace, { type, entry }, refs));
  } catch (error) {
    throw error instanceof StaleError
      ? new FencedError('the guard was taken over or its journal entry is gone', { cause: error })
      : error;
  }
}

/** End of an attempt, and the monotonic ms until which no other holder can have begun one. */
export interface FinishedAttempt {
  readonly ending: AttemptResult;
  readonly exclusiveUntil: number;
}

/**
 * Calls the task once, within the lease. Never throws: the result is in the ending. A task that ignores its signal is abandoned, with an unknown
 * outcome.
 */
export async function runAttempt(session: Session, held: HeldIntent, run: AttemptOptions): Promise<FinishedAttempt> {
  const lease = keepLease(session, held);
  try {
    const ending = await attemptResultOf(session, held, { ...run, lease });
    return { ending, exclusiveUntil: lease.until() };
  } finally {
    lease.end();
  }
}

async function attemptResultOf(
  session: Session,
  held: HeldIntent,
  run: AttemptOptions & { readonly lease: AttemptLease },
): Promise<AttemptResult> {
  const { host } = session;
  const { task, requestMs, lease } = run;
  const learned: Ref[] = [
    ...unionOf((held.entry.refs ?? []) as readonly Ref[], (held.entry.late ?? []) as readonly Ref[]),
  ];
  const refs = () => [...learned];
  const checkpoint = async (ref: Ref): Promise<void> => {
    learned.push(checkedRef(session.scope, ref));
    await persistRefs(session, { entry: held.entry, refs: refs(), requestMs });
  };
  const unsent = await mirrorIntent(session, held.entry, run);
  if (unsent !== undefined) return { kind: 'definite', error: unsent, refs: refs() };
  try {
    const tooLate = host.clock.monotonic() - held.acquired >= host.times.lease - host.times.margin;
    if (tooLate || host.killed.aborted)
      return {
        kind: 'definite',
        error: new DefiniteError('the lease was nearly over before anything was sent'),
        refs: refs(),
      };
    const { key, input, op } = held.entry;
    const context = { key, signal: lease.signal, refs: refs(), input: input as Ref | undefined, checkpoint };
    const returned = await instrumentedCall(session, op, () => Promise.race([task(context), lease.lost]));
    const outcome = checkedOutcome(session.scope, returned);
    const reason = redactAndCut(outcome.reason, maxReasonLength, (text) => host.secrets.redact(text));
    return { kind: 'returned', outcome: { ...outcome, reason }, refs: outcome.refs ?? refs() };
  } catch (thrown) {
    const error = taskErrorOf(thrown);
    const isPartial = thrown instanceof PartialEffectError;
    const reported = error instanceof ContractError ? error.refs : [];
    return { kind: errorEffectOf(error), error, refs: unionOf(refs(), reported), isPartial };
  }
}
