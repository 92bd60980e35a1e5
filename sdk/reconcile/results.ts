/** Results of a run: operations, errors and the consolidated outcome (OKT). */

import { GiveUpError, RetryError } from '../errors.ts';
import { backoffs } from '../retry.ts';
import { errorOf, messageOf, retryAfterOf } from '../thrown.ts';
import { combineResults, done, type Result, requeueAfter as requeued, stop } from './reconciler.ts';

/** Name of an operation; authors may add their own. */
export type OperationName =
  | 'CRSemanticError'
  | 'RegistrationSuccess'
  | 'ResourceUnreadable'
  | 'MutationSuccess'
  | 'MutateWithCRError'
  | 'AskRequeue'
  | 'None'
  | 'Created'
  | 'CreateDelayed'
  | 'Updated'
  | 'Deleted'
  | 'CRUDError'
  | 'ImplementationConcern'
  | 'HookError'
  | 'StatusUpdateSuccess'
  | 'StatusUpdateError'
  | 'SameStatusError'
  | (string & {});

/** Operation of a run, successful or not. */
export interface Operation {
  readonly name: OperationName;
  /** Resource of the operation, such as `Deployment default/a`. */
  readonly resource?: string;
  readonly error?: unknown;
  /** ms until the next run that it requests. For an operation without an error, 0 requests nothing. */
  readonly requeueAfter?: number;
  /** Gives up until the object changes; with an `error` it is an alarm, which fails the run. */
  readonly giveUp?: true;
  /** Error of an alarm that was withdrawn, see {@link Results.withdrawAlarms}. */
  readonly withdrawn?: unknown;
}

/** Consolidated outcome of all operations of a run. */
export interface Consolidated {
  readonly givenUp: boolean;
  /** Error of the alarm, else the first error. */
  readonly error?: Error;
  /** ms until the next run; absent when none is requested, or when the retry policy decides. */
  readonly requeueAfter?: number;
}

const delayOf = ({ error, requeueAfter }: Operation): number | undefined => {
  if (error === undefined) return requeueAfter === 0 ? undefined : requeueAfter;
  return requeueAfter ?? retryAfterOf(error);
};

const smallestDelay = (delays: readonly (number | undefined)[]): number | undefined => {
  const requested = delays.filter((delay) => delay !== undefined);
  return requested.length === 0 ? undefined : Math.min(backoffs.sameFailure.maxDelay, ...requested);
};

/**
 * Consolidates operations. Precedence: an alarm, giving up without an alarm, the first error.
 * The smallest delay wins, capped by the maximum of `backoffs.sameFailure`; the delay of `SameStatusError` replaces all others.
 * Errors without any delay leave it to the retry policy, regardless of other delays.
 */
export function consolidated(operations: readonly Operation[]): Consolidated {
  const failed = operations.filter(({ error }) => error !== undefined);
  const givenUp = operations.some(({ giveUp }) => giveUp);
  const first = failed.find(({ giveUp }) => giveUp) ?? (givenUp ? undefined : failed[0]);
  const error = first === undefined ? {} : { error: errorOf(first.error) };
  if (givenUp) return { givenUp, ...error };
  const sameStatus = operations.findLast(({ name }) => name === 'SameStatusError')?.requeueAfter;
  const isTimed =
    sameStatus !== undefined || failed.length === 0 || failed.some((operation) => delayOf(operation) !== undefined);
  const requeueAfter = isTimed
    ? smallestDelay(sameStatus === undefined ? operations.map(delayOf) : [sameStatus])
    : undefined;
  return { givenUp, ...error, ...(requeueAfter !== undefined && { requeueAfter }) };
}

/** Operations and results of one run so far. */
export class Results {
  readonly #operations: Operation[] = [];
  readonly #results: Result[] = [];

  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /** Number of operations by name. */
  get counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name } of this.#operations) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  }

  /** Number of failed operations, including alarms. */
  get errors(): number {
    return this.#operations.filter(({ error }) => error !== undefined).length;
  }

  /** True when {@link Consolidated} has an `error`: there is an alarm, or an error and no giving up. */
  get isFailed(): boolean {
    const isGivenUp = this.#operations.some(({ giveUp }) => giveUp);
    return this.#operations.some(({ giveUp, error }) => error !== undefined && (giveUp || !isGivenUp));
  }

  /** True when the remaining steps are skipped: after giving up, an alarm or a result with `stop`. */
  get isOver(): boolean {
    return this.#operations.some(({ giveUp }) => giveUp) || this.#results.some((result) => result.stop);
  }

  /** Records an operation; an `error` fails the run, `requeueAfter` requests another one. Returns the error. */
  addOp(name: OperationName, about: Omit<Operation, 'name' | 'giveUp'> = {}): unknown {
    this.#operations.push({ name, ...about });
    return about.error;
  }

  /** Records a successful operation. */
  addOpSuccess(name: OperationName, resource?: string): void {
    this.addOp(name, resource === undefined ? {} : { resource });
  }

  /** Gives up until the object changes; with an `error` this is an alarm, which fails the run. */
  addGiveupError(name: OperationName, about: Pick<Operation, 'resource' | 'error'> = {}): void {
    this.#operations.push({ name, ...about, giveUp: true });
  }

  /** Withdraws all alarms, which stay among the operations as `withdrawn`, and returns their errors. Giving up without an alarm is kept. */
  withdrawAlarms(): readonly Error[] {
    const errors: Error[] = [];
    for (const [index, { giveUp, error, ...rest }] of this.#operations.entries()) {
      if (!giveUp || error === undefined) continue;
      this.#operations[index] = { ...rest, withdrawn: error };
      errors.push(errorOf(error));
    }
    return errors;
  }

  /** Records a thrown error, unless it is recorded already; a GiveUpError becomes an alarm. */
  addError(error: unknown): void {
    if (this.#operations.some((operation) => operation.error === error)) return;
    if (error instanceof GiveUpError) this.addGiveupError('HookError', { error });
    else this.addOp('HookError', { error: errorOf(error) });
  }

  /** Records the result of another reconciler. */
  addResult(result: Result): void {
    this.#results.push(result);
  }

  /** Consolidates the operations so far, see {@link consolidated}. */
  consolidated(): Consolidated {
    return consolidated(this.#operations);
  }

  /**
   * Returns the result of the run.
   * @throws GiveUpError after an alarm; RetryError when an error has a delay; else the first error unchanged
   */
  settle(): Result {
    const { givenUp, error, requeueAfter } = this.consolidated();
    const { requeueAfter: requested, ...others } = combineResults(this.#results);
    if (givenUp && error !== undefined) throw alarmOf(error);
    if (givenUp) return { ...others, ...stop };
    if (error !== undefined) throw withRetryAfter(error, smallestDelay([requeueAfter, requeueAfter && requested]));
    return combineResults([...this.#results, requeueAfter === undefined ? done : requeued(requeueAfter)]);
  }
}

const alarmOf = (error: Error): GiveUpError =>
  error instanceof GiveUpError ? error : new GiveUpError(messageOf(error), { cause: error });

const withRetryAfter = (error: Error, retryAfter: number | undefined): Error =>
  retryAfter === undefined || retryAfterOf(error) === retryAfter
    ? error
    : new RetryError(error.message, { retryAfter, cause: error });
