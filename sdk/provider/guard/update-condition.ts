/** Sets the condition of an integration. */

import type { ConditionStatus } from '../../api/condition.ts';
import { conditionOf } from '../../api/workspace.ts';
import { BusyError } from '../../errors.ts';
import { mistakeInReason, mistakeInStatus } from '../contract/check-outcome.ts';
import { reportConditionUnwritten } from '../host/report-refusals.ts';
import { conditionFor, conditionPatch, outcomePatch } from '../journal/journal-patch.ts';
import { refsOf } from '../journal/known-refs.ts';
import { isLocked } from '../journal/recorded-claim.ts';
import { refuseIfOwnedByOther, type Session } from '../journal/session.ts';
import { throwIfMistake } from '../value-mistakes.ts';

/**
 * Sets the condition regardless of its journal entry, as long as that is unchanged; no request when the condition is unchanged. @throws StaleError
 */
export async function writeCondition(session: Session, status: ConditionStatus, reason: string): Promise<void> {
  const { workspace, scope, host } = session;
  const seen = conditionOf(workspace, scope.type);
  const next = conditionFor(session, { type: scope.type, status, reason }, host.clock.now());
  if (seen.status === status && seen.reason === next.reason && seen.observedGeneration === next.observedGeneration)
    return;
  await session.patchStatus(conditionPatch(workspace, next));
}

/** Sets the condition as {@link writeCondition} does, but never fails: the caller's wait does not depend on it. A refusal is reported by an event. */
export const tryWriteCondition = (session: Session, status: ConditionStatus, reason: string): Promise<void> =>
  writeCondition(session, status, reason).catch((error: unknown) =>
    reportConditionUnwritten(session.host, { workspace: session.workspace, type: session.scope.type }, error),
  );

/** Longest list of ids in an error, in characters. */
const maxListLength = 200;

/**
 * Sets `Terminated` for an integration that reports it itself, without a guard. If its guards have no recorded ids left, the journal becomes `gone`
 * with it, so that the claim can be released.
 * @throws ContractError while ids are recorded
 */
async function sayTerminated(session: Session, reason: string): Promise<void> {
  const { workspace, scope, host, entryOfOtherClaim } = session;
  const { type, claim } = scope;
  const entry = entryOfOtherClaim ?? session.entry;
  const known = refsOf(session);
  const held = JSON.stringify(known).slice(0, maxListLength);
  throwIfMistake(
    scope,
    known.length === 0
      ? undefined
      : `terminate says Terminated, but the journal still holds ${held}: delete it inside controller.guard(…, { op: 'delete' }) and return refs: [], or call controller.destroy`,
  );
  if (entry === undefined || entry.phase === 'none') return writeCondition(session, 'Terminated', reason);
  const condition = conditionFor(session, { type, status: 'Terminated', reason }, host.clock.now());
  const gone = { ...entry, claim, phase: 'gone' } as const;
  await session.patchStatus(outcomePatch(workspace, entry, { type, entry: gone, condition }));
}

/**
 * Sets the condition on behalf of its integration. @throws BusyError while it is locked, ContractError for an invalid status or reason, StaleError
 */
export async function updateCondition(session: Session, status: ConditionStatus, reason: string): Promise<void> {
  refuseIfOwnedByOther(session);
  const { scope, entry, host } = session;
  const mistake = mistakeInStatus(status) ?? mistakeInReason(reason);
  throwIfMistake(scope, mistake && `updateCondition: ${mistake}`);
  const wait = entry?.phase === 'intent' ? host.times.maxRequest : undefined;
  if (isLocked(entry)) throw new BusyError(`${scope.type} is locked: its condition says why`, wait);
  if (status === 'Terminated' && scope.terminating && entry?.phase !== 'gone') return sayTerminated(session, reason);
  await writeCondition(session, status, reason);
}
