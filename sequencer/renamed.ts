import {
  createController,
  holderOf,
  type Integration,
  isMirrored,
  mirrorAnnotation,
  nothingBegun,
  type ProviderHost,
  policyAnnotation,
  type Workspace,
} from '../sdk/index.ts';
import { formerOf } from './former-conditions.ts';
import { scopeOf, writeStatus } from './moves.ts';

/** Journals that nothing was begun under the new condition: the former one's entry exists, so the journal was not lost. */
async function noted(host: ProviderHost, workspace: Workspace, { condition }: Integration): Promise<Workspace> {
  if (workspace.status?.guards?.[condition] !== undefined || isMirrored(workspace, condition)) return workspace;
  const made = { holder: host.holder, nonce: holderOf(host), now: host.clock.now() };
  return writeStatus(host, workspace, (status) => {
    status.guards = Object.assign({}, status.guards, { [condition]: nothingBegun(workspace, condition, made) });
  });
}

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
  const begun = await noted(host, workspace, integration);
  const controller = createController(host, begun, scopeOf(begun, integration, false));
  if (controller.condition.reason === reason) return begun;
  await controller.writeCondition('Error', reason);
  controller.event('Warning', 'ConditionRenamed', reason);
  return controller.workspace;
}
