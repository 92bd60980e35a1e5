/** Retries the writes of an outcome. */

import { conditionOf } from '../../api/workspace.ts';
import { FencedError } from '../../errors.ts';
import { backoffDelay, backoffs } from '../../retry.ts';
import { messageOf } from '../../thrown.ts';
import type { Ref } from '../contract/integration.ts';
import { isServerRefusal } from '../host/report-refusals.ts';
import { conditionFor, conditionPatch } from '../journal/journal-patch.ts';
import type { Session } from '../journal/session.ts';

const errorsOfTheLanguage = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

const hasCode = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';

/**
 * Reports whether an error is a programming mistake of this program or of a plug-in, such as a TypeError, which a retry does not heal. One with a `code`, or
 * whose cause has one, comes from a connection or a file, and is none.
 */
export const isDefect = (error: unknown): error is Error =>
  errorsOfTheLanguage.some((one) => error instanceof one) && !hasCode(error) && !hasCode((error as Error).cause);

/** Rethrows an error that no retry can heal; a defect is reported first. @throws that error */
function rethrowFinal(session: Session, error: unknown): void {
  const { isGone, host } = session;
  const isOver = isGone || error instanceof FencedError || host.killed.aborted;
  if (!isOver && isDefect(error)) reportDefect(session, error);
  if (isOver || isDefect(error)) throw error;
}

/** Write to persist, and whether it may be left to a later walk if the server keeps refusing it. */
interface RetriedWrite {
  write(): Promise<'done' | 'again'>;
  mayBeLeft(): boolean;
}

/** Adds to the condition of the attempt, best effort, why its outcome is not written. */
async function sayUnwritten(session: Session, why: string): Promise<void> {
  const { host, scope, workspace } = session;
  const { type } = scope;
  const { status, reason } = conditionOf(workspace, type);
  if (status !== 'Locked') return;
  const said = `${reason}; what came of it is not written yet: ${why}`;
  const condition = conditionFor(session, { type, status, reason: said }, host.clock.now());
  await session.patchStatus(conditionPatch(workspace, condition)).catch(() => undefined);
}

/** Reports a write that failed: to the log, and once it has failed for long by an event and, if the server refuses it, in the condition, best effort. */
async function reportOutcomeUnwritten(session: Session, error: unknown, isLongNow: boolean): Promise<void> {
  const { host, scope, workspace } = session;
  const { type } = scope;
  host.logger?.warn({ err: error, workspace: session.key, condition: type }, 'outcome not written yet');
  if (!isLongNow) return;
  host.events.event(workspace, 'Warning', 'OutcomeNotWritten', `${type}: tried again: ${messageOf(error)}`);
  if (isServerRefusal(error)) await sayUnwritten(session, error.message);
}

/** Reports a defect at once: to the log with its stack, and by an event. */
function reportDefect({ host, scope: { type }, workspace, key }: Session, error: Error): void {
  host.logger?.error({ err: error, workspace: key, condition: type }, 'an outcome cannot be written: a defect');
  const message = `${type}: its outcome cannot be written as it is, which is a defect: ${messageOf(error)}`;
  host.events.event(workspace, 'Warning', 'OutcomeNotWritten', message);
}

/** Reports by an event the ids that a defect has kept from being written. */
export function reportWrittenNowhere(
  { host, scope: { type }, workspace }: Session,
  refs: readonly Ref[],
  error: Error,
) {
  const what = refs.length === 0 ? 'nothing of it had an id' : `its ids are written nowhere: ${JSON.stringify(refs)}`;
  const message = `${type}: that its outcome is unknown cannot be written either (${messageOf(error)}); ${what}`;
  host.events.event(workspace, 'Warning', 'OutcomeNotWritten', message);
}

/**
 * Retries by `backoffs.outcomeWrite` until it succeeds or the process must stop; after a lease, an event reports it. A write that the
 * server itself has refused for that long, and that can be recovered later, is left to a later walk, so that it does not block others. A defect is
 * reported at once, and not tried again.
 */
export async function retryOutcomeWrite(session: Session, { write, mayBeLeft }: RetriedWrite): Promise<void> {
  const { clock, random, killed, times } = session.host;
  const begun = clock.monotonic();
  let isReported = false;
  for (let tries = 0; ; tries += 1) {
    try {
      if ((await write()) === 'done') return;
    } catch (error) {
      rethrowFinal(session, error);
      const isLong = clock.monotonic() - begun >= times.lease;
      await reportOutcomeUnwritten(session, error, isLong && !isReported);
      isReported ||= isLong;
      if (isLong && isServerRefusal(error) && mayBeLeft()) throw error;
    }
    // 1 - random() instead of random(): the recorded seeds of the simulation and the table in docs/guard/simulation.md depend on these delays.
    await clock.sleep(
      backoffDelay(backoffs.outcomeWrite, tries, () => 1 - random()),
      killed,
    );
  }
}
