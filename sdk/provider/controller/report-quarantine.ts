/** Reports in a condition its quarantine: until when requests of another holder may still be carried out. */

import { type ConditionStatus, timestamp } from '../../api/condition.ts';
import { conditionOf, type GuardEntry } from '../../api/workspace.ts';
import { BusyError } from '../../errors.ts';
import { currentLockState, unchangedFor } from '../guard/guard.ts';
import { tryWriteCondition } from '../guard/update-condition.ts';
import { maxGuardLease } from '../host/host.ts';
import type { Session } from '../journal/session.ts';

const prefix = 'waits until ';

/** Attempt of another holder that this process waits for. */
export interface QuarantineState {
  /** Absent: the journal entry was lost. */
  readonly entry: GuardEntry | undefined;
  /** ms until it may be taken over. */
  readonly wait: number;
  /** ms since the last sign of its holder. */
  readonly silentFor: number;
  /** Wall clock, ms. */
  readonly now: number;
}

/** Formats the condition's reason while requests of another holder may still be carried out. */
export function quarantineText({ entry, wait, silentFor, now }: QuarantineState): string {
  const until = `${prefix}${timestamp(now + wait)}`;
  if (entry === undefined)
    return `${until}: the journal entry is missing, and requests of its writer may still be carried out`;
  const { holder, op } = entry;
  return `${until} for requests of a dead holder: ${holder}, silent since ${timestamp(now - silentFor)}, may have "${op}" under way`;
}

/** Reports whether a condition already names the end of the wait, and that is in the future. */
const isReported = (reason: string, now: number): boolean =>
  reason.startsWith(prefix) && reason.slice(prefix.length) > timestamp(now);

/** Returns the status to show while requests of another holder may still be carried out: an earlier result is not valid meanwhile. */
const waitingStatus = (status: ConditionStatus): ConditionStatus => (status === 'Locked' ? 'Locked' : 'Waiting');

/**
 * Reports in the condition, once, until when requests of another holder may be carried out. A live holder sends a heartbeat every
 * third of its lease, so the report begins after half a lease without one.
 * @returns ms until the next report or action; undefined when there is no such wait
 */
export async function reportQuarantine(session: Session): Promise<number | undefined> {
  const { workspace, scope, host, entry } = session;
  const { clock, holder, times } = host;
  const lock = currentLockState(session);
  if (lock.kind !== 'busy') return undefined;
  const { retryAfter: wait } = lock;
  if (entry?.holder.startsWith(`${holder}/`)) return wait;
  const silentFor = unchangedFor(session);
  const lease = Math.min((entry?.leaseSeconds ?? times.lease / 1000) * 1000, maxGuardLease);
  const remaining = entry === undefined ? 0 : lease / 2 - silentFor;
  if (remaining > 0) return Math.min(wait, Math.ceil(remaining));
  const { status, reason } = conditionOf(workspace, scope.type);
  if (!isReported(reason, clock.now()))
    await tryWriteCondition(
      session,
      waitingStatus(status),
      quarantineText({ entry, wait, silentFor, now: clock.now() }),
    );
  return wait;
}

/**
 * Carries out work of the sequencer itself; while another holder may be active, the condition reports until when.
 * @throws BusyError with the time of the next report or action; other errors of the work
 */
export async function withQuarantineReport(session: Session, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    throw new BusyError(error.message, (await reportQuarantine(session)) ?? error.retryAfter);
  }
}
