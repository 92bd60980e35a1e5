/** Reports waits in conditions. */

import { type ConditionStatus, timestamp } from '../../api/condition.ts';
import { conditionOf, type GuardEntry } from '../../api/workspace.ts';
import {
  type IntegrationCall,
  type IntegrationFunction,
  type PendingCall,
  pendingCallText,
} from '../contract/call-deadline.ts';
import { currentLockState, unchangedFor } from '../guard/guard.ts';
import { maxGuardLease } from '../host/host.ts';
import { reportConditionUnwritten } from '../host/report-refusals.ts';
import type { Session } from '../journal/session.ts';
import { writeCondition } from './update-condition.ts';

/** Statuses that a report of a wait may replace. */
export const inProgressStatuses: ReadonlySet<string> = new Set(['Initialized', 'Created', 'In Progress', 'Waiting']);

/** Statuses that it may replace too once the spec has changed, or the workspace is deleted: a result from before says nothing about that. */
const formerResults: ReadonlySet<string> = new Set(['Completed', 'Healthy', 'Not Healthy']);

const isReplaceable = ({ workspace, scope, deleting }: Session): boolean => {
  const { status, observedGeneration } = conditionOf(workspace, scope.type);
  if (inProgressStatuses.has(status)) return true;
  return formerResults.has(status) && (deleting || observedGeneration !== workspace.metadata.generation);
};

/** Sets the condition, best effort: the wait does not depend on it. A refusal is reported by an event. */
const say = (session: Session, status: ConditionStatus, reason: string): Promise<void> =>
  writeCondition(session, status, reason).catch((error: unknown) =>
    reportConditionUnwritten(session.host, { workspace: session.workspace, type: session.scope.type }, error),
  );

/** Call into an integration. */
interface PluginWork<T> {
  readonly name: IntegrationFunction;
  readonly work: () => T | Promise<T>;
}

/**
 * Calls an integration, and reports in its condition when it does not respond; afterwards the former condition is restored. @throws see {@link
 * IntegrationCall.run}
 */
export async function callWithReporting<T>(
  session: Session,
  call: IntegrationCall,
  { name, work }: PluginWork<T>,
): Promise<T> {
  const conditionNow = () => conditionOf(session.workspace, session.scope.type);
  const before = conditionNow();
  let reported: string | undefined;
  let reporting: Promise<void> | undefined;
  const report = (unanswered: PendingCall): void => {
    if (!isReplaceable(session)) return;
    reported = pendingCallText(unanswered);
    reporting = say(session, 'Waiting', reported);
  };
  const answer = await call.run(name, work, report);
  await reporting;
  if (reported !== undefined && conditionNow().reason === reported)
    await say(session, formerResults.has(before.status) ? 'In Progress' : before.status, before.reason);
  return answer;
}

const prefix = 'waits until ';

/** Attempt of another holder that this process waits for. */
export interface TakeOverState {
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
export function takeOverText({ entry, wait, silentFor, now }: TakeOverState): string {
  const until = `${prefix}${timestamp(now + wait)}`;
  if (entry === undefined)
    return `${until}: the journal entry is missing, and requests of its writer may still be carried out`;
  const { holder, op } = entry;
  return `${until} for requests of a dead holder: ${holder}, silent since ${timestamp(now - silentFor)}, may have "${op}" under way`;
}

/** Reports whether a condition names the end of its wait, and that is in the future. */
const isTold = (reason: string, now: number): boolean =>
  reason.startsWith(prefix) && reason.slice(prefix.length) > timestamp(now);

/** Returns the status to show while requests of another holder may still be carried out: an earlier result is not valid meanwhile. */
const waitingStatus = (status: ConditionStatus): ConditionStatus => (status === 'Locked' ? 'Locked' : 'Waiting');

/**
 * Reports in the condition, once, until when requests of another holder may be carried out. A live holder sends a heartbeat every
 * third of its lease, so the report begins after half a lease without one.
 * @returns ms until the next report or action; undefined when there is no such wait
 */
export async function reportTakeOver(session: Session): Promise<number | undefined> {
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
  if (!isTold(reason, clock.now()))
    await say(session, waitingStatus(status), takeOverText({ entry, wait, silentFor, now: clock.now() }));
  return wait;
}
