/** Reconciler that walks one workspace. */

import { isServerRefusal } from '../../sdk/host/index.ts';
import {
  done,
  exponentialBackoff,
  type Graph,
  type Integration,
  isDeleting,
  keyOf,
  type Reconciler,
  RefusedError,
  type Workspace,
  walkGraph,
} from '../../sdk/index.ts';
import { addIntegrationFinalizers, removeIntegrationFinalizers } from './finalizers/integration-finalizers.ts';
import { releaseUnregisteredFinalizers } from './finalizers/unregistered-finalizers.ts';
import { orphanFormerCondition, reportRenamedCondition } from './former-conditions.ts';
import { initializeConditions } from './initialize-conditions.ts';
import { dropForeignMirrors } from './mirrors/foreign-mirrors.ts';
import { reportLostSeal, sealInterval, verifiedMoves } from './mirrors/lost-seal.ts';
import { type ActingMove as Acting, moveKey, throwIfEndless } from './plan/plan.ts';
import { reconcileOrTerminate } from './reconcile-or-terminate.ts';
import { reportBlocked, reportInvalid, reportUnclaimed } from './report-blocked.ts';
import { reportNewerFormat } from './report-newer-format.ts';
import { RetryAfterTimes } from './retry-after-times.ts';
import { startTakeoverClocks } from './start-takeover-clocks.ts';
import { summarizeConditions } from './summarize-conditions.ts';
import { ReportedConditions, reportUnregistered } from './unregistered-conditions.ts';
import { isLasting, walkResult } from './walk-result.ts';
import { recordMoved, reportFailed, type WalkDependencies, type WalkOptions, type WalkState } from './walk-state.ts';
import { applyResolution, dropCondition, orphanObjects, reportRefused } from './workspace-patches.ts';

/** Moves that only change the workspace itself. */
const workspaceMoves = {
  handlesFailed: reportInvalid,
  newerFormat: reportNewerFormat,
  sealLost: reportLostSeal,
  renamed: reportRenamedCondition,
  orphanFormer: orphanFormerCondition,
  orphan: orphanObjects,
  dropCondition,
  resolve: applyResolution,
};

const isDeleted = (workspace: Workspace): boolean =>
  isDeleting(workspace) && (workspace.metadata.finalizers ?? []).length === 0;

/** Steps of one pass. */
export type WalkStep = 'Settle' | 'Plan' | 'Initialize' | 'Claim' | 'Move' | 'Summarize' | 'End';

/** Possible next steps of each step. If a step returns the name of one, that follows, otherwise the last in its list. The walk plans, acts and summarizes until no move is left. */
export const walkTransitions: Graph<WalkStep> = {
  Settle: ['Summarize', 'Plan'],
  Plan: ['Initialize', 'Claim', 'Move', 'End'],
  Initialize: ['Summarize'],
  Claim: ['End', 'Summarize'],
  Move: ['End', 'Summarize'],
  Summarize: ['Plan'],
  End: [],
};

const stepHandlers: Readonly<
  Record<WalkStep, (pass: WalkState) => Promise<WalkStep | undefined> | WalkStep | undefined>
> = {
  async Settle(pass) {
    pass.workspace = await releaseUnregisteredFinalizers(pass.host, pass.workspace, pass);
    pass.workspace = await reportUnregistered(pass.host, pass.workspace, pass);
    pass.workspace = await dropForeignMirrors(pass.host, pass.workspace, pass.integrations);
    return isDeleting(pass.workspace) && !isDeleted(pass.workspace) ? 'Summarize' : undefined;
  },
  Plan(pass) {
    if (pass.signal.aborted || pass.host.stopping.aborted) return undefined;
    pass.integrations = pass.integrationsOf(pass.workspace);
    throwIfEndless(pass.moved, pass.integrations);
    const moves = verifiedMoves(pass.host, pass.workspace, pass.integrations);
    if (moves.some(({ kind }) => kind === 'sealLost')) pass.requeues.push(sealInterval);
    if (moves.some(({ kind }) => kind === 'initialize')) return 'Initialize';
    startTakeoverClocks(pass.host, pass.workspace, moves);
    const acting = (moves as readonly Acting[]).filter(
      (move) => move.kind !== 'wait' && !pass.moved.has(moveKey(pass.workspace, move)) && !isThrottled(pass, move),
    );
    const claims = acting.filter(({ kind }) => kind === 'claim');
    pass.moves = claims.length > 0 ? claims : acting;
    for (const move of pass.moves) pass.moved.add(moveKey(pass.workspace, move));
    if (claims.length > 0) return 'Claim';
    return acting.length > 0 ? 'Move' : undefined;
  },
  async Initialize(pass) {
    pass.workspace = await initializeConditions(pass.host, pass.workspace, pass.integrations);
    return undefined;
  },
  async Claim(pass) {
    const integrations = pass.moves.map(({ integration }) => integration);
    await claimAll(pass, integrations);
    return isDeleted(pass.workspace) ? 'End' : undefined;
  },
  async Move(pass) {
    const leaving = pass.moves.filter(({ kind }) => kind === 'release').map(({ integration }) => integration);
    await Promise.all([releaseAll(pass, leaving), ...pass.moves.map((move) => moveOne(pass, move))]);
    return isDeleted(pass.workspace) ? 'End' : undefined;
  },
  async Summarize(pass) {
    pass.workspace = await summarizeConditions(pass.host, pass);
    return undefined;
  },
  End: () => undefined,
};

/** Reports whether the third party is throttling; then the integration is not called, and the requeue is noted. */
function isThrottled(pass: WalkState, move: Acting): boolean {
  const wait = pass.retryAfterTimes.wait(pass.workspace, move);
  if (wait > 0) pass.requeues.push(wait);
  return wait > 0;
}

/**
 * Claims integrations in one patch; one by one if the server refuses that, so that a refused one does not block the others.
 * @throws errors that neither are refusals nor last
 */
async function claimAll(pass: WalkState, integrations: readonly Integration[]): Promise<void> {
  try {
    pass.workspace = await addIntegrationFinalizers(pass.host, pass.workspace, integrations);
  } catch (error) {
    if (!isServerRefusal(error) && !isLasting(error, pass.attempt)) throw error;
    const [first, ...others] = integrations;
    if (first === undefined || others.length > 0) {
      for (const integration of integrations) await claimAll(pass, [integration]);
      return;
    }
    reportFailed(pass, error);
    if (pass.attempt > 0) pass.workspace = await reportUnclaimed(pass.host, pass, { integration: first, error });
  }
}

/** Releases integrations in one patch; one by one if the server refuses that, so that a refused one does not block the others. Never throws. */
async function releaseAll(pass: WalkState, integrations: readonly Integration[]): Promise<void> {
  if (integrations.length === 0) return;
  const { host, workspace, integrations: registered } = pass;
  try {
    recordMoved(pass, {
      workspace: await removeIntegrationFinalizers(host, workspace, { released: integrations, registered }),
    });
  } catch (error) {
    if (integrations.length === 1 || !(error instanceof RefusedError)) return reportFailed(pass, error);
    for (const integration of integrations) await releaseAll(pass, [integration]);
  }
}

/** Calls a provider for one step. Never throws. */
async function runProviderMove(pass: WalkState, step: Parameters<typeof reconcileOrTerminate>[2]): Promise<void> {
  const { host, workspace } = pass;
  const moved = await reconcileOrTerminate(host, workspace, step);
  pass.retryAfterTimes.note(workspace, step, moved.error);
  if (step.kind === 'reconcile' && moved.error === undefined)
    pass.confirmed.set(step.integration.condition, workspace.metadata.generation);
  recordMoved(pass, moved);
}

/** Calls a provider for one step, or changes only the workspace. Never throws. */
async function moveOne(pass: WalkState, move: Acting): Promise<void> {
  const { host, workspace } = pass;
  const { kind, integration } = move;
  if (kind === 'claim' || kind === 'release' || kind === 'wait') return;
  if (kind === 'reconcile' || kind === 'terminate') return runProviderMove(pass, { kind, integration });
  try {
    const settle = kind === 'blocked' ? () => reportBlocked(host, workspace, move) : workspaceMoves[kind];
    recordMoved(pass, { workspace: await settle(host, workspace, integration) });
    // Once a person has resolved an attempt, the provider may be called again in the same walk.
    if (kind === 'resolve')
      for (const again of ['reconcile', 'terminate'] as const)
        pass.moved.delete(moveKey(workspace, { kind: again, integration }));
  } catch (error) {
    reportFailed(pass, error);
  }
}

/** Creates the sequencer's reconciler, which walks one workspace along its {@link walkTransitions}. */
export function walk({
  host,
  integrations: all,
  integrationsOf = () => all,
  orphan = new Set(),
  retry = exponentialBackoff({ random: host.random }),
}: WalkOptions): Reconciler<Workspace> {
  const retryAfterTimes = new RetryAfterTimes(host.clock);
  const reported = new ReportedConditions();
  const shared: WalkDependencies = {
    host,
    integrationsOf,
    orphan,
    retry,
    logged: new Set(),
    reported,
    retryAfterTimes,
  };
  return async ({ key, object, signal, attempt }) => {
    if (object === undefined) {
      for (const memory of [retryAfterTimes, reported]) memory.forget(key);
      for (const memory of [host.observedTimes, host.fencingTokens]) memory.forget(keyOf(key));
      return done;
    }
    const fresh = { moves: [], moved: new Set<string>(), confirmed: new Map(), requeues: [], errors: [] };
    const given = { signal, attempt, workspace: object, integrations: integrationsOf(object) };
    const pass: WalkState = { ...shared, ...fresh, ...given };
    try {
      await walkGraph(walkTransitions, 'Settle', async (step) => {
        const raised = await stepHandlers[step](pass);
        return new Set(raised === undefined ? [] : [raised]);
      });
    } catch (error) {
      reportRefused(pass, error);
      pass.errors.push(error);
    }
    return walkResult(pass);
  };
}
