/** Reports former conditions of renamed integrations, and orphans the external objects recorded there. */

import {
  cutText,
  maxReasonLength,
  mirrorPatch,
  type ProviderHost,
  recordedClaim,
  recordsNothing,
} from '../../sdk/host/index.ts';
import {
  claimOf,
  createController,
  type Integration,
  mirrorAnnotation,
  policyAnnotation,
  type Workspace,
} from '../../sdk/index.ts';
import { effectiveWorkspace, formerConditionsOf, outdatedEntriesOf } from './plan/effective-journal.ts';
import { patchWorkspace, scopeOf, writeStatus } from './workspace-patches.ts';

/** Advice on external objects that are recorded under a former condition. Where some are recorded under both, neither registration would continue. */
function adviceFor(workspace: Workspace, { name, condition }: Integration, former: string): string {
  const orphan = `annotate ${policyAnnotation(former)}=orphan to leave that outside`;
  return recordedClaim(workspace, condition) === claimOf(name)
    ? `since it has made something under ${condition} too, delete the workspace, which removes both, or ${orphan} and continue under ${condition}`
    : `register it with that condition again, or ${orphan} and begin afresh under ${condition}`;
}

/** Reports in the condition, once, that the integration has external objects under a former one; they must be settled before new ones are made. */
export async function reportRenamedCondition(
  host: ProviderHost,
  read: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const [former] = formerConditionsOf(effectiveWorkspace(host, read, [integration]), integration);
  if (former === undefined) return read;
  const doubts = outdatedEntriesOf(host, read, [integration]);
  const workspace = await writeStatus(host, read, (status) => {
    Object.assign(status.guards ?? {}, doubts);
  });
  host.fencingTokens.see(workspace, former.condition);
  const { name } = integration;
  const reason =
    `integration "${name}" answered for condition ${former.condition} before, and what it made is recorded there (${mirrorAnnotation(former.condition)}): ` +
    adviceFor(workspace, integration, former.condition);
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  if (controller.condition.reason === cutText(reason, maxReasonLength)) return workspace;
  await controller.writeCondition('Error', reason);
  controller.event('Warning', 'ConditionRenamed', reason);
  return controller.workspace;
}

/** Orphans the external objects of a former condition, and removes its mirror. */
export async function orphanFormerCondition(
  host: ProviderHost,
  workspace: Workspace,
  former: Integration,
): Promise<Workspace> {
  const entry = effectiveWorkspace(host, workspace, [former]).status?.guards?.[former.condition];
  const controller = createController(host, workspace, scopeOf(workspace, former, true));
  if (entry === undefined || !recordsNothing(entry)) await controller.orphanAll();
  const operations = mirrorPatch(controller.workspace, former.condition, undefined);
  return patchWorkspace(host, controller.workspace, { operations, status: false });
}
