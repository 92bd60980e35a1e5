/** Calls a provider to reconcile or to terminate, and reports its result in the condition. */

import {
  cutWithEllipsis,
  effectivePolicyOf,
  type InternalController,
  maxReasonLength,
  type ProviderHost,
  withOrphanAdvice,
} from '../../sdk/host/index.ts';
import {
  ApiError,
  BusyError,
  ContractError,
  createController,
  errorOf,
  findCondition,
  type Integration,
  messageOf,
  type Result,
  StaleError,
  ThrottledError,
  UnreachableError,
  type Workspace,
} from '../../sdk/index.ts';
import { hostFor, withoutSecrets } from '../tenants/configured-integration.ts';
import { callProvider } from './call-provider.ts';
import { isWorkspaceGone } from './is-workspace-gone.ts';
import { isGone } from './plan/is-gone.ts';
import { showCondition, unresolvedStatuses } from './report-blocked.ts';
import { dryRun } from './report-dry-run.ts';
import { alarmingStatuses } from './summarize-conditions.ts';
import { scopeOf } from './workspace-patches.ts';

/** Result of one move: the workspace as of its last write, and the requested requeue. */
export interface MoveResult {
  readonly workspace: Workspace;
  readonly result?: Result;
  readonly error?: unknown;
}

/** Failed call with its error. */
interface CallFailure {
  readonly error: unknown;
  readonly kind: 'reconcile' | 'terminate';
}

/** Reports whether an error says nothing about the third party, so that the condition stays unchanged. */
const isQuiet = (error: unknown, workspace: Workspace): boolean =>
  error instanceof BusyError ||
  error instanceof StaleError ||
  error instanceof ThrottledError ||
  isWorkspaceGone(error, workspace);

/** Writes an error that no guard has reported into the condition, best effort. */
async function showError(
  host: ProviderHost,
  controller: InternalController,
  { error, kind }: CallFailure,
): Promise<void> {
  if (isQuiet(error, controller.workspace) || host.stopping.aborted) return;
  const { type, status } = controller.condition;
  controller.event('Warning', `${type}Failed`, messageOf(error));
  if (unresolvedStatuses.has(status)) return;
  const isOfServer = error instanceof ApiError || error instanceof UnreachableError;
  const reason =
    kind === 'terminate' && !isOfServer
      ? withOrphanAdvice(type, messageOf(error))
      : cutWithEllipsis(messageOf(error), maxReasonLength);
  await showCondition(host, controller, { status: 'Error', reason });
}

/** Message of the error after which `terminate` is called again: nothing else would trigger it. */
const missingTerminated = 'terminate has returned, but its condition does not say Terminated';

/** Statuses that report neither the progress of a deletion nor what blocks it. */
const inconclusiveStatuses: ReadonlySet<string> = new Set([
  'Initialized',
  'Created',
  'Completed',
  'Healthy',
  'Not Healthy',
  'Terminated',
]);

/** Checks the end of a `terminate`. @throws ContractError when it has returned without reporting the end or a time to come back */
function checkTerminateReported(
  { workspace, condition }: InternalController,
  integration: Integration,
  { requeueAfter }: Result,
): void {
  const { status, reason } = condition;
  const isSaid = !inconclusiveStatuses.has(status) && !(status === 'Error' && reason.includes(missingTerminated));
  if (requeueAfter !== undefined || isSaid || isGone(workspace, integration)) return;
  const entry = workspace.status?.guards?.[condition.type];
  const refs = [...(entry?.refs ?? []), ...(entry?.late ?? [])];
  const held = refs.length === 0 ? '' : `; the journal holds ${JSON.stringify(refs).slice(0, 200)}`;
  const advice = 'return requeueAfter, set In Progress, or run a guard with op delete that returns refs: []';
  throw new ContractError(
    `integration "${integration.name}" (condition ${condition.type}): ${missingTerminated}${held}: ${advice}`,
  );
}

/** Checks the end of a first `reconcile`. @throws ContractError when it has returned without reporting anything or a time to come back */
function checkReconcileReported(
  { condition: { type, status } }: InternalController,
  { name }: Integration,
  result: Result,
): void {
  if (status !== 'Initialized' || result.requeueAfter !== undefined) return;
  throw new ContractError(
    `integration "${name}" (condition ${type}): reconcile has returned, but its condition says nothing yet: await controller.ensure or controller.guard, or call controller.updateCondition`,
  );
}

/** Connects the integration and calls it once. Never throws: errors are in the result and in the condition. */
export async function reconcileOrTerminate(
  shared: ProviderHost,
  workspace: Workspace,
  { kind, integration }: { readonly kind: 'reconcile' | 'terminate'; readonly integration: Integration },
): Promise<MoveResult> {
  const host = hostFor(shared, integration);
  const scope = scopeOf(workspace, integration, kind === 'terminate');
  const controller = createController(host, workspace, scope);
  try {
    if (controller.locked() !== undefined) await controller.reportUnresolved();
    if (controller.locked() !== undefined) return await reportHolder(controller);
    if (!effectivePolicyOf(workspace, integration).changes)
      return await dryRun(host, controller, { kind, integration, scope });
    const result = await callProvider(controller, controller, { kind, integration });
    await controller.reportUnresolved();
    if (kind === 'terminate') checkTerminateReported(controller, integration, result);
    else {
      checkReconcileReported(controller, integration, result);
      await controller.recreateMirror();
    }
    reportTransition(controller, findCondition(workspace.status?.conditions, integration.condition)?.status);
    return { workspace: controller.workspace, result };
  } catch (error) {
    if (error instanceof BusyError) await reportHolder(controller).catch(() => undefined);
    await showError(host, controller, { error, kind });
    return { workspace: controller.workspace, error: errorOf(withoutSecrets(error, integration)) };
  }
}

/** Reports in the condition until when another holder may be active. @returns that time as the requeue */
async function reportHolder(controller: InternalController): Promise<MoveResult> {
  const requeueAfter = await controller.reportQuarantine();
  return { workspace: controller.workspace, ...(requeueAfter !== undefined && { result: { requeueAfter } }) };
}

const alarming: ReadonlySet<string> = new Set(alarmingStatuses);

function reportTransition(controller: InternalController, before: string | undefined): void {
  const { type, status, reason } = controller.condition;
  if (status !== before)
    controller.event(alarming.has(status) ? 'Warning' : 'Normal', `${type}${status.replaceAll(' ', '')}`, reason);
}
