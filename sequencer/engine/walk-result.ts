/** Computes the result of a walk from its errors and its requeues. */

import {
  ApiError,
  done,
  errorOf,
  GiveUpError,
  isRace,
  type Result,
  RetryError,
  type RetryPolicy,
  retryAfterOf,
  type Workspace,
} from '../../sdk/index.ts';
import { isWorkspaceGone } from './is-workspace-gone.ts';

/** End of a walk: its errors, and when it is due again. */
export interface WalkEnd {
  readonly host: { readonly stopping: AbortSignal };
  /** Signal of the run; aborted when it has taken too long, and the walk has therefore left its other moves. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly retry: RetryPolicy;
  /** Number of consecutive failed walks before this one. */
  readonly attempt: number;
  readonly errors: readonly unknown[];
  /** ms until conditions are due again. */
  readonly requeues: readonly number[];
}

/** Shortest ms between two walks that an integration can ask for, by its result or its error: one that always asks for 0 costs no more than that. */
const minRequeue = 100;

/** Returns the ms after which an error alone is retried: as it asks, or by the policy; `Infinity` when it is not. */
function delayOf(error: Error, { retry, attempt }: Pick<WalkEnd, 'retry' | 'attempt'>): number {
  if (error instanceof GiveUpError) return Number.POSITIVE_INFINITY;
  return retryAfterOf(error) ?? Math.max(minRequeue, retry(error, attempt) ?? Number.POSITIVE_INFINITY);
}

/** Conflicts in a row after which they are not races any more: a webhook, or another program, refuses so. */
const maxRaces = 20;

/** Reports whether a failure persists: a conflict after twenty failed walks, a 5xx or 429 after one. */
export function isLasting(error: unknown, attempt: number): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (isRace(error)) return attempt >= maxRaces;
  return attempt > 0 && (error.code >= 500 || error.code === 429);
}

/** Returns a lost race, which is retried at once or within a second; one that lasts is retried by the policy. */
function withPatience(error: Error, { retry, attempt }: WalkEnd): Error {
  const retryAfter = isLasting(error, attempt) ? retry(error, attempt - maxRaces) : undefined;
  return retryAfter === undefined ? error : new RetryError(error.message, { cause: error, retryAfter });
}

/**
 * Returns a failure that is retried when another condition asks to be requeued, if that is earlier: a failing condition does not delay others. One that
 * asks for an earlier walk than {@link minRequeue} is retried then.
 */
function withRequeue(error: Error, end: WalkEnd): Error {
  if (isRace(error)) return withPatience(error, end);
  const delay = delayOf(error, end);
  const earliest = Math.max(minRequeue, Math.min(...end.requeues, delay));
  return earliest === delay ? error : new RetryError(error.message, { cause: error, retryAfter: earliest });
}

/**
 * Returns the result of a walk. A walk that has exceeded the duration of a run is requeued at once, since no change would cause the next run.
 * @throws its most severe error; a deleted workspace is not an error, nor is an abort by the stop
 */
export function walkResult(pass: WalkEnd): Result {
  const { host, signal, errors } = pass;
  const requeues = signal.aborted ? [...pass.requeues, minRequeue] : pass.requeues;
  if (host.stopping.aborted) return done;
  const reportable = errors.filter((error) => !isWorkspaceGone(error, pass.workspace));
  const failures = reportable.filter((error) => !isRace(error));
  const [first] = [...failures.filter((error) => retryAfterOf(error) === undefined), ...failures, ...reportable];
  if (first !== undefined) throw withRequeue(errorOf(first), pass);
  return requeues.length === 0 ? done : { requeueAfter: Math.max(minRequeue, Math.min(...requeues)) };
}
