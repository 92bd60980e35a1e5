/** State of one pass of a walk over one workspace, and what its moves record in it. */

import type { ProviderHost } from '../../sdk/host/index.ts';
import {
  BusyError,
  type Integration,
  isOlder,
  type RetryPolicy,
  retryAfterOf,
  type Workspace,
} from '../../sdk/index.ts';
import type { ActingMove } from './plan/plan.ts';
import type { MoveResult } from './reconcile-or-terminate.ts';
import type { RetryAfterTimes } from './retry-after-times.ts';
import type { ReportedConditions } from './unregistered-conditions.ts';
import { reportRefused } from './workspace-patches.ts';

/** Dependencies and options of all walks. */
export interface WalkOptions {
  readonly host: ProviderHost;
  readonly integrations: readonly Integration[];
  /** Returns the integrations for one workspace, with those of its configs; asked again for each plan. @default `integrations` */
  readonly integrationsOf?: (workspace: Workspace) => readonly Integration[];
  /** Unregistered integrations whose claims are released. @default none */
  readonly orphan?: ReadonlySet<string>;
  /** Retry policy of failed walks, as the engine has it. @default exponentialBackoff() */
  readonly retry?: RetryPolicy;
}

/** Options and memories that all passes share. */
export type WalkDependencies = Required<Omit<WalkOptions, 'integrations'>> & {
  readonly logged: Set<string>;
  readonly reported: ReportedConditions;
  readonly retryAfterTimes: RetryAfterTimes;
};

/** State of one pass over one workspace. */
export interface WalkState extends WalkDependencies {
  readonly signal: AbortSignal;
  /** Number of consecutive failed walks before this one. */
  readonly attempt: number;
  workspace: Workspace;
  integrations: readonly Integration[];
  /** Moves of the last plan, without those already done in this pass. */
  moves: readonly ActingMove[];
  readonly moved: Set<string>;
  /** Generation for which a provider found nothing to do, by condition. */
  readonly confirmed: Map<string, number | undefined>;
  readonly requeues: number[];
  readonly errors: unknown[];
}

/** Reports an error of a pass, and records it. */
export function reportFailed(pass: WalkState, error: unknown): void {
  reportRefused(pass, error);
  recordMoved(pass, { workspace: pass.workspace, error });
}

/** Records what a move has led to: the workspace, its requeue and its error. */
export function recordMoved(pass: WalkState, { workspace, result, error }: MoveResult): void {
  if (isOlder(pass.workspace.metadata.resourceVersion, workspace.metadata.resourceVersion)) pass.workspace = workspace;
  const requeue = retryAfterOf(error) ?? result?.requeueAfter;
  if (requeue !== undefined) pass.requeues.push(requeue);
  if (error !== undefined && !(error instanceof BusyError)) pass.errors.push(error);
}
