import {
  addFinalizer,
  BusyError,
  claimOf,
  createController,
  errorOf,
  findCondition,
  type HostedController,
  type Integration,
  isDeleting,
  type JsonPatchOperation,
  messageOf,
  mirrorAnnotation,
  NotFoundError,
  objectKeyOf,
  type ProviderHost,
  patchTested,
  pointer,
  type Result,
  remove,
  removeCondition,
  resolutionOf,
  resolutionText,
  resolveAnnotation,
  resolvedSlot,
  ruleOf,
  type Scope,
  StaleError,
  settlePatch,
  statusPatch,
  ThrottledError,
  test,
  Workspace,
} from '../sdk/index.ts';
import { holdBack } from './hold-back.ts';

/** What became of one move: the workspace as its last write answered, and what is wished next. */
export interface Moved {
  readonly workspace: Workspace;
  readonly result?: Result;
  readonly error?: unknown;
}

/** Sends a patch that tests what was decided on; nothing when there is nothing to change. @throws StaleError if somebody else was faster, RefusedError */
export async function patched(
  host: ProviderHost,
  workspace: Workspace,
  change: { readonly operations: readonly JsonPatchOperation[]; readonly status: boolean },
): Promise<Workspace> {
  const { operations, status } = change;
  if (operations.length === 0) return workspace;
  const patch = { kind: Workspace, key: objectKeyOf(workspace), operations };
  return patchTested(host.client, patch, status ? { subresource: 'status' } : {});
}

/** Writes what a recipe changes of the status; nothing when nothing changes. */
export const writeStatus = (
  host: ProviderHost,
  workspace: Workspace,
  recipe: Parameters<typeof statusPatch>[1],
): Promise<Workspace> => patched(host, workspace, { operations: statusPatch(workspace, recipe), status: true });

/** Adds the claims of all these integrations in one patch. */
export const claim = (
  host: ProviderHost,
  workspace: Workspace,
  integrations: readonly Integration[],
): Promise<Workspace> => {
  const operations = addFinalizer(workspace, ...integrations.map(({ name }) => claimOf(name)));
  return patched(host, workspace, { operations, status: false });
};

/** What a server tests before it lets a claim go: everything is gone, and nothing was learned late; or no guard has begun anything, and the condition says so. */
function goneTests({ status }: Workspace, type: string): readonly JsonPatchOperation[] {
  const index = status?.conditions?.findIndex((condition) => condition.type === type) ?? -1;
  const entry = status?.guards?.[type];
  if (entry !== undefined && entry.phase !== 'none')
    return [
      test(pointer('status', 'guards', type, 'phase'), 'gone'),
      test(pointer('status', 'guards', type, 'late'), null),
    ];
  return [
    ...(status?.guards === undefined ? [] : [test(pointer('status', 'guards', type), entry)]),
    test(pointer('status', 'conditions', index, 'type'), type),
    test(pointer('status', 'conditions', index, 'status'), 'Terminated'),
  ];
}

/** Takes the claim away; on a workspace that stays, the mirror too. A workspace that is gone already is a success. */
export async function release(host: ProviderHost, workspace: Workspace, integration: Integration): Promise<Workspace> {
  const { uid, finalizers = [], annotations } = workspace.metadata;
  const finalizer = claimOf(integration.name);
  const path = pointer('metadata', 'finalizers', finalizers.indexOf(finalizer));
  const { condition } = integration;
  const mirror = mirrorAnnotation(condition);
  const isMirrorLeft = !isDeleting(workspace) && annotations?.[mirror] !== undefined;
  const operations = [
    test('/metadata/uid', uid),
    test(path, finalizer),
    ...goneTests(workspace, condition),
    remove(path),
    ...(isMirrorLeft ? [remove(pointer('metadata', 'annotations', mirror))] : []),
  ];
  try {
    return await patched(host, workspace, { operations, status: false });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return {
      ...workspace,
      metadata: { ...workspace.metadata, finalizers: finalizers.filter((name) => name !== finalizer) },
    };
  }
}

/** Drops a condition that nobody asks for any more; its journal stays, so that no operation key is ever used twice. */
export const forget = (host: ProviderHost, workspace: Workspace, { condition }: Integration): Promise<Workspace> =>
  writeStatus(host, workspace, (status) => {
    status.conditions = [...removeCondition(status.conditions, condition)];
  });

/** Carries out what a person has said about an attempt, and takes the answer away. */
export async function resolve(
  host: ProviderHost,
  workspace: Workspace,
  { condition: type }: Integration,
): Promise<Workspace> {
  const resolution = resolutionOf(workspace, type);
  const seen = workspace.status?.guards?.[type];
  if (resolution === undefined || seen === undefined) return workspace;
  const slot = resolvedSlot(workspace, type, { resolution, now: host.clock.now() });
  const resolved = await patched(host, workspace, { operations: settlePatch(workspace, seen, slot), status: true });
  host.events.event(resolved, 'Normal', 'GuardResolved', `${type}: ${resolutionText(resolution)}`);
  const operations = [
    test('/metadata/uid', workspace.metadata.uid),
    remove(pointer('metadata', 'annotations', resolveAnnotation(type))),
  ];
  return patched(host, resolved, { operations, status: false });
}

/** What a controller is about, for an integration. */
export const scopeOf = (workspace: Workspace, integration: Integration, terminating: boolean): Scope => ({
  type: integration.condition,
  claim: claimOf(integration.name),
  terminating,
  policy: ruleOf(workspace, integration).policy,
  limits: integration.limits,
});

/** Gives up what is outside, as the policy says: the integration is not asked. */
export async function letGo(host: ProviderHost, workspace: Workspace, integration: Integration): Promise<Workspace> {
  const controller = createController(host, workspace, scopeOf(workspace, integration, true));
  await controller.letGo();
  return controller.workspace;
}

/** Errors that say nothing about the third party: the condition stays as it is. */
const isQuiet = (error: unknown): boolean =>
  error instanceof BusyError ||
  error instanceof StaleError ||
  error instanceof ThrottledError ||
  error instanceof NotFoundError;

/** Puts an error that no guard has written into the condition, best effort. */
async function showError(controller: HostedController, error: unknown): Promise<void> {
  if (isQuiet(error) || controller.signal.aborted) return;
  const { type, status } = controller.condition;
  controller.event('Warning', `${type}Failed`, messageOf(error));
  if (status !== 'Locked' && status !== 'Unknown')
    await controller.updateCondition('Error', messageOf(error)).catch(() => undefined);
}

/** Connects the integration and lets it work for one step. Never throws: what went wrong is in the answer, and in the condition. */
export async function work(
  host: ProviderHost,
  workspace: Workspace,
  { kind, integration }: { readonly kind: 'reconcile' | 'terminate'; readonly integration: Integration },
): Promise<Moved> {
  const scope = scopeOf(workspace, integration, kind === 'terminate');
  const controller = createController(host, workspace, scope);
  try {
    if (controller.locked() !== undefined) await controller.surfaceUnresolved();
    const lock = controller.locked();
    if (lock !== undefined)
      return {
        workspace: controller.workspace,
        ...(lock.kind === 'busy' && { result: { requeueAfter: lock.retryAfter } }),
      };
    if (!ruleOf(workspace, integration).changes) return await holdBack(host, controller, { kind, integration, scope });
    const provider = await integration.connect({ workspace, controller });
    const result = (await provider[kind]()) ?? {};
    await controller.surfaceUnresolved();
    announce(controller, findCondition(workspace.status?.conditions, integration.condition)?.status);
    return { workspace: controller.workspace, result };
  } catch (error) {
    await showError(controller, error);
    return { workspace: controller.workspace, error: errorOf(error) };
  }
}

function announce(controller: HostedController, before: string | undefined): void {
  const { type, status, reason } = controller.condition;
  if (status !== before) controller.event('Normal', `${type}${status.replaceAll(' ', '')}`, reason);
}
