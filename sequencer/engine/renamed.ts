import type { ProviderHost } from '../../sdk/host/index.ts';
import {
  createController,
  type Integration,
  mirrorAnnotation,
  policyAnnotation,
  type Workspace,
} from '../../sdk/index.ts';
import { formerOf } from './former-conditions.ts';
import { scopeOf } from './moves.ts';

/** Reports in the condition, once, that the integration has external objects under a former one; they must be settled before new ones are made. */
export async function tellRenamed(
  host: ProviderHost,
  workspace: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const [former] = formerOf(workspace, integration);
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
