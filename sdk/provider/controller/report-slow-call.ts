/** Reports in a condition that a call into its integration does not respond. */

import { conditionOf } from '../../api/workspace.ts';
import {
  type IntegrationCall,
  type IntegrationFunction,
  type PendingCall,
  pendingCallText,
} from '../contract/call-deadline.ts';
import { inProgressStatuses } from '../guard/rate-limited-guard.ts';
import { tryWriteCondition } from '../guard/update-condition.ts';
import type { Session } from '../journal/session.ts';

/** Statuses that it may also replace once the spec has changed or the workspace is being deleted, since the result is of an earlier spec. */
const formerResults: ReadonlySet<string> = new Set(['Completed', 'Healthy', 'Not Healthy']);

const isReplaceable = ({ workspace, scope, deleting }: Session): boolean => {
  const { status, observedGeneration } = conditionOf(workspace, scope.type);
  if (inProgressStatuses.has(status)) return true;
  return formerResults.has(status) && (deleting || observedGeneration !== workspace.metadata.generation);
};

/** Call into an integration. */
interface PluginWork<T> {
  readonly name: IntegrationFunction;
  readonly work: () => T | Promise<T>;
}

/**
 * Calls an integration, and reports in its condition when it does not respond; afterwards the former condition is restored. @throws see {@link
 * IntegrationCall.run}
 */
export async function withSlowCallReport<T>(
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
    reporting = tryWriteCondition(session, 'Waiting', reported);
  };
  const answer = await call.run(name, work, report);
  await reporting;
  if (reported !== undefined && conditionNow().reason === reported)
    await tryWriteCondition(session, formerResults.has(before.status) ? 'In Progress' : before.status, before.reason);
  return answer;
}
