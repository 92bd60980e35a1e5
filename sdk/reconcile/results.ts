/** Results of a run: operations, errors and the consolidated outcome (OKT). */

import { GiveUpError, RetryError } from '../errors.ts';
import { backoffs } from '../retry.ts';
import { errorOf, messageOf, retryAfterOf } from '../thrown.ts';
import { combined, done, type Result, requeueAfter as requeued, stop } from './reconciler.ts';

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
  /** Error of an alarm that was withdrawn, see {@link Results.overrule}. */
  readonly overruled?: unknown;
}

/** Consolidated outcome of all operations of a run. */
export interface Consolidated {
  readonly givenUp: boolean;
  /** Error of the alarm, else the first error. */
  readonly error?: Error;
  /** ms until the next run; absent: none is requested, or an error leaves it to the retry policy. */
  readonly requeueAfter?: number;
}

const delayOf = ({ error, requeueAfter }: Operation): number | undefined => {
  if (error === undefined) return requeueAfter === 0 ? undefined : requeueAfter;
  return requeueAfter ?? retryAfterOf(error);
};

const smallest = (delays: readonly (number | undefined)[]): number | undefined => {
  const requested = delays.filter((delay) => delay !== undefined);
  return requested.length === 0 ? undefined : Math.min(backoffs.sameFailure.maxDelay, ...requested);
};

/**
 * Consolidates operations. Giving up outweighs everything and cannot be undone, an alarm outweighs giving up quietly; else the first error counts.
 * Of several delays the smallest wins, at most the longest of `backoffs.sameFailure`; one of `SameStatusError` replaces all. If no error has a delay, the retry policy decides,
 * regardless of other delays.
 */
export function consolidated(operations: readonly Operation[]): Consolidated {
  const failed = operations.filter(({ error }) => error !== undefined);
  const givenUp = operations.some(({ giveUp }) => giveUp);
  const first = failed.find(({ giveUp }) => giveUp) ?? (givenUp ? undefined : failed[0]);
  const error = first === undefined ? {} : { error: errorOf(first.error) };
  if (givenUp) return { givenUp, ...error };
  const again = operations.findLast(({ name }) => name === 'SameStatusError')?.requeueAfter;
  const isTimed =
    again !== undefined || failed.length === 0 || failed.some((operation) => delayOf(operation) !== undefined);
  const requeueAfter = isTimed ? smallest(again === undefined ? operations.map(delayOf) : [again]) : undefined;
  return { givenUp, ...error, ...(requeueAfter !== undefined && { requeueAfter }) };
}

/** Operations and results of one run so far. */
export class Results {
  readonly #operations: Operation[] = [];
  readonly #returned: Result[] = [];

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

  /** True with an alarm, or with an error and no quiet give-up: when {@link Consolidated} has an `error`. */
  get isFailed(): boolean {
    const isGivenUp = this.#operations.some(({ giveUp }) => giveUp);
    return this.#operations.some(({ giveUp, error }) => error !== undefined && (giveUp || !isGivenUp));
  }

  /** True when the remaining steps are skipped, quietly or with an alarm. */
  get isOver(): boolean {
    return this.#operations.some(({ giveUp }) => giveUp) || this.#returned.some((result) => result.stop);
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

  /** Gives up until the object changes: quietly, or with an alarm if there is an `error`. */
  addGiveupError(name: OperationName, about: Pick<Operation, 'resource' | 'error'> = {}): void {
    this.#operations.push({ name, ...about, giveUp: true });
  }

  /** Withdraws all alarms, which stay among the operations as `overruled`, and returns their errors. Giving up quietly stands. */
  overrule(): readonly Error[] {
    const errors: Error[] = [];
    for (const [index, { giveUp, error, ...rest }] of this.#operations.entries()) {
      if (!giveUp || error === undefined) continue;
      this.#operations[index] = { ...rest, overruled: error };
      errors.push(errorOf(error));
    }
    return errors;
  }

  /** Records a thrown error, once: a GiveUpError is an alarm. */
  thrown(error: unknown): void {
    if (this.#operations.some((operation) => operation.error === error)) return;
    if (error instanceof GiveUpError) this.addGiveupError('HookError', { error });
    else this.addOp('HookError', { error: errorOf(error) });
  }

  /** Records the result of another reconciler. */
  returned(result: Result): void {
    this.#returned.push(result);
  }

  /** See {@link consolidated}. */
  consolidated(): Consolidated {
    return consolidated(this.#operations);
  }

  /**
   * Returns the result of the run.
   * @throws GiveUpError after an alarm; RetryError when an error has a delay; else the first error unchanged
   */
  settle(): Result {
    const { givenUp, error, requeueAfter } = this.consolidated();
    const { requeueAfter: requested, ...others } = combined(this.#returned);
    if (givenUp && error !== undefined) throw alarmOf(error);
    if (givenUp) return { ...others, ...stop };
    if (error !== undefined) throw delayed(error, smallest([requeueAfter, requeueAfter && requested]));
    return combined([...this.#returned, requeueAfter === undefined ? done : requeued(requeueAfter)]);
  }
}

const alarmOf = (error: Error): GiveUpError =>
  error instanceof GiveUpError ? error : new GiveUpError(messageOf(error), { cause: error });

const delayed = (error: Error, retryAfter: number | undefined): Error =>
  retryAfter === undefined || retryAfterOf(error) === retryAfter
    ? error
    : new RetryError(error.message, { retryAfter, cause: error });
