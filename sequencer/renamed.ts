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
import { formerOf } from './former.ts';
import { scopeOf, writeStatus } from './moves.ts';

/** Journals that nothing was begun under the new condition: the journal of the former one is there, so that none was lost. */
async function noted(host: ProviderHost, workspace: Workspace, { condition }: Integration): Promise<Workspace> {
  if (workspace.status?.guards?.[condition] !== undefined || isMirrored(workspace, condition)) return workspace;
  const made = { holder: host.holder, nonce: holderOf(host), now: host.clock.now() };
  return writeStatus(host, workspace, (status) => {
    status.guards = Object.assign({}, status.guards, { [condition]: nothingBegun(workspace, condition, made) });
  });
}

/** Says in the condition, once, that the integration has things under a former one: nothing is made a second time before these are settled. */
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
  await controller.explain('Error', reason);
  controller.event('Warning', 'ConditionRenamed', reason);
  return controller.workspace;
}
