/** Tells about former conditions of renamed integrations, and gives up what is there. */

import { isSettled, mirrorPatch, type ProviderHost } from '../../sdk/host/index.ts';
import {
  createController,
  type Integration,
  mirrorAnnotation,
  policyAnnotation,
  type Workspace,
} from '../../sdk/index.ts';
import { believedWorkspace, formerOf } from './believed.ts';
import { patched, scopeOf } from './moves.ts';

/** Reports in the condition, once, that the integration has external objects under a former one; they must be settled before new ones are made. */
export async function tellRenamed(
  host: ProviderHost,
  workspace: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const [former] = formerOf(believedWorkspace(host, workspace, [integration]), integration);
  if (former === undefined) return workspace;
  const { name, condition } = integration;
  const reason =
    `integration "${name}" answered for condition ${former.condition} before, and what it made is recorded there (${mirrorAnnotation(former.condition)}): ` +
    `register it with that condition again, or annotate ${policyAnnotation(former.condition)}=orphan to leave that outside and begin afresh under ${condition}`;
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  if (controller.condition.reason === reason) return workspace;
  await controller.writeCondition('Error', reason);
  controller.event('Warning', 'ConditionRenamed', reason);
  return controller.workspace;
}

/** Gives up the external objects of a former condition, and removes its mirror. */
export async function leaveFormer(host: ProviderHost, workspace: Workspace, former: Integration): Promise<Workspace> {
  const entry = workspace.status?.guards?.[former.condition];
  const controller = createController(host, workspace, scopeOf(workspace, former, true));
  if (entry === undefined || !isSettled(entry)) await controller.orphanAll();
  const operations = mirrorPatch(controller.workspace, former.condition, undefined);
  return patched(host, controller.workspace, { operations, status: false });
}
