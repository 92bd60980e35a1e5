/** Calls a provider and reports its result in the condition. */

import {
  cutText,
  effectivePolicyOf,
  type InternalController,
  maxReasonLength,
  type ProviderHost,
  reportConditionUnwritten,
} from '../../sdk/host/index.ts';
import {
  ApiError,
  BusyError,
  type ConditionStatus,
  ContractError,
  claimOf,
  createController,
  errorOf,
  findCondition,
  type Integration,
  messageOf,
  policyAnnotation,
  type Result,
  StaleError,
  ThrottledError,
  UnreachableError,
  type Workspace,
} from '../../sdk/index.ts';
import { configBehind, hostFor, withoutSecrets } from '../tenants/configured-integration.ts';
import { callProvider } from './call-provider.ts';
import { alarmingStatuses } from './phase.ts';
import { isGone } from './plan/is-gone.ts';
import type { Move } from './plan/plan.ts';
import { isRequestedOrError } from './plan/requested-integrations.ts';
import { isClaimed, othersOfCondition } from './plan/shared-condition.ts';
import { dryRun } from './report-dry-run.ts';
import { isWorkspaceGone } from './workspace-gone.ts';
import { scopeOf } from './workspace-patches.ts';

/** Result of one move: the workspace as of its last write, and the requested requeue. */
export interface MoveResult {
  readonly workspace: Workspace;
  readonly result?: Result;
  readonly error?: unknown;
}

/** Reports in the condition, once, that the integration's `handles` fails; no other condition is affected. */
export async function reportInvalid(
  host: ProviderHost,
  workspace: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const asking = isRequestedOrError(workspace, integration);
  if (!(asking instanceof Error)) return workspace;
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  const { status, reason } = controller.condition;
  const said = cutText(asking.message, maxReasonLength);
  if (status === 'Error' && reason === said) return workspace;
  await controller.writeCondition('Error', said);
  controller.event('Warning', `${integration.condition}Failed`, asking.message);
  if (configBehind(integration)?.problem === undefined)
    host.logger?.error({ err: asking, integration: integration.name }, 'an integration breaks its contract');
  return controller.workspace;
}

/**
 * Reports in the condition, once, what blocks an integration. A condition that reports an unresolved attempt
 * is kept: `Unknown` always, `Locked` if the move only waits.
 * @throws StaleError, RefusedError
 */
export async function reportBlocked(
  host: ProviderHost,
  workspace: Workspace,
  move: Extract<Move, { kind: 'blocked' }>,
): Promise<Workspace> {
  const { integration } = move;
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  const { status, reason } = controller.condition;
  if (status === 'Unknown' || (status === 'Locked' && move.status === 'Waiting')) return workspace;
  if (status === move.status && reason === cutText(move.reason, maxReasonLength)) return workspace;
  await controller.writeCondition(move.status, move.reason);
  if (move.status === 'Error') controller.event('Warning', `${integration.condition}Blocked`, move.reason);
  return controller.workspace;
}

/**
 * Reports in the condition, once and best effort, that the server refuses the integration's finalizer. The report of an unresolved attempt stays.
 * Also for an integration that is being removed, which is only called with its finalizer.
 */
export async function reportUnclaimed(
  host: ProviderHost,
  { workspace, integrations }: { readonly workspace: Workspace; readonly integrations: readonly Integration[] },
  { integration, error }: { readonly integration: Integration; readonly error: Error },
): Promise<Workspace> {
  if (othersOfCondition(integration, integrations).some((one) => isClaimed(workspace, one))) return workspace; // the claimed one owns the condition
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  if (unresolvedStatuses.has(controller.condition.status)) return workspace;
  const why = `the finalizer ${claimOf(integration.name)} cannot be added, and nothing is made outside before it is there`;
  await showCondition(host, controller, { status: 'Error', reason: `${why}: ${error.message}` });
  return controller.workspace;
}

/** Statuses that report an unresolved attempt. */
const unresolvedStatuses: ReadonlySet<ConditionStatus> = new Set(['Locked', 'Unknown']);

/** Sets a condition, best effort. */
const showCondition = (
  host: ProviderHost,
  controller: InternalController,
  { status, reason }: { readonly status: ConditionStatus; readonly reason: string },
): Promise<void> =>
  controller
    .writeCondition(status, reason)
    .catch((refusal: unknown) =>
      reportConditionUnwritten(host, { workspace: controller.workspace, type: controller.condition.type }, refusal),
    );

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

/** Returns advice for a deletion that fails, to follow its reason; empty when the reason has it. */
function orphanAdvice(type: string, reason: string): string {
  const annotation = `${policyAnnotation(type)}=orphan`;
  if (reason.length <= maxReasonLength && reason.includes(`annotate ${annotation}`)) return '';
  return `; annotate ${annotation} to leave what is outside and let the workspace go`;
}

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
  const advice = kind === 'terminate' && !isOfServer ? orphanAdvice(type, messageOf(error)) : '';
  const reason = `${cutText(messageOf(error), maxReasonLength - advice.length)}${advice}`;
  await showCondition(host, controller, { status: 'Error', reason });
}

/** Message of the error after which `terminate` is called again: nothing else would trigger it. */
const unsaid = 'terminate has returned, but its condition does not say Terminated';

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
  const isSaid = !inconclusiveStatuses.has(status) && !(status === 'Error' && reason.includes(unsaid));
  if (requeueAfter !== undefined || isSaid || isGone(workspace, integration)) return;
  const entry = workspace.status?.guards?.[condition.type];
  const refs = [...(entry?.refs ?? []), ...(entry?.late ?? [])];
  const held = refs.length === 0 ? '' : `; the journal holds ${JSON.stringify(refs).slice(0, 200)}`;
  const advice = 'return requeueAfter, say In Progress, or run a guard with op delete that returns refs: []';
  throw new ContractError(
    `integration "${integration.name}" (condition ${condition.type}): ${unsaid}${held}: ${advice}`,
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

/** Connects the integration and calls it for one step. Never throws: errors are in the result and in the condition. */
export async function stepIntegration(
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
      await controller.restoreMirror();
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
  const requeueAfter = await controller.reportTakeOver();
  return { workspace: controller.workspace, ...(requeueAfter !== undefined && { result: { requeueAfter } }) };
}

const alarming: ReadonlySet<string> = new Set(alarmingStatuses);

function reportTransition(controller: InternalController, before: string | undefined): void {
  const { type, status, reason } = controller.condition;
  if (status !== before)
    controller.event(alarming.has(status) ? 'Warning' : 'Normal', `${type}${status.replaceAll(' ', '')}`, reason);
}
