import { errorOf, GiveUpError, messageOf, RetryError, retryAfterOf } from '../errors.ts';
import { combined, done, type Result, requeueAfter as requeued, stop } from './reconciler.ts';

/** What a run can have done; authors add their own. */
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

/** One thing a run did, or failed to do. */
export interface Operation {
  readonly name: OperationName;
  /** What it was about, such as `Deployment default/a`. */
  readonly resource?: string;
  readonly error?: unknown;
  /** ms until the next run that it asks for. Of an operation without an error, 0 asks for nothing. */
  readonly requeueAfter?: number;
  /** Nothing until something changes; an alarming one fails with `error`. */
  readonly giveUp?: true;
  /** The error of an alarm that nothing came of, see {@link Results.overrule}. */
  readonly overruled?: unknown;
}

/** What all operations of a run come to. */
export interface Consolidated {
  readonly givenUp: boolean;
  /** The alarm, else the first error. */
  readonly error?: Error;
  /** ms; absent: nothing asks for a run, or an error leaves it to the retry policy. */
  readonly requeueAfter?: number;
}

/** No wish for another run is longer. */
const longestDelay = 21_600_000;

const delayOf = ({ error, requeueAfter }: Operation): number | undefined => {
  if (error === undefined) return requeueAfter === 0 ? undefined : requeueAfter;
  return requeueAfter ?? retryAfterOf(error);
};

const smallest = (delays: readonly (number | undefined)[]): number | undefined => {
  const wishes = delays.filter((delay) => delay !== undefined);
  return wishes.length === 0 ? undefined : Math.min(longestDelay, ...wishes);
};

/**
 * What operations come to. Giving up outweighs everything and cannot be taken back, an alarm outweighs giving up quietly; else the first error counts.
 * Of several delays the smallest wins, 6 h at most; one of `SameStatusError` takes the place of all. When no error came with a delay, the retry policy decides, whatever else was wished for.
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

/** What one run has done so far. */
export class Results {
  readonly #operations: Operation[] = [];
  readonly #returned: Result[] = [];

  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /** How often each operation happened. */
  get counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name } of this.#operations) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  }

  /** How many operations failed, alarms included. */
  get errors(): number {
    return this.#operations.filter(({ error }) => error !== undefined).length;
  }

  /** Whether there is an alarm, or an error and nobody gave up: what {@link Consolidated} has as `error`. */
  get isFailed(): boolean {
    const isGivenUp = this.#operations.some(({ giveUp }) => giveUp);
    return this.#operations.some(({ giveUp, error }) => error !== undefined && (giveUp || !isGivenUp));
  }

  /** Whether the steps to come are skipped, quietly or with an alarm. */
  get isOver(): boolean {
    return this.#operations.some(({ giveUp }) => giveUp) || this.#returned.some((result) => result.stop);
  }

  /** Notes an operation; one with an `error` fails the run, `requeueAfter` says when to come back. Returns the error. */
  addOp(name: OperationName, about: Omit<Operation, 'name' | 'giveUp'> = {}): unknown {
    this.#operations.push({ name, ...about });
    return about.error;
  }

  /** Notes an operation that went well. */
  addOpSuccess(name: OperationName, resource?: string): void {
    this.addOp(name, resource === undefined ? {} : { resource });
  }

  /** Gives up until something changes: quietly, or with an alarm if there is an `error`. */
  addGiveupError(name: OperationName, about: Pick<Operation, 'resource' | 'error'> = {}): void {
    this.#operations.push({ name, ...about, giveUp: true });
  }

  /** Takes all alarms back, which stay among the operations as `overruled`, and returns what they said. Giving up quietly stands. */
  overrule(): readonly Error[] {
    const errors: Error[] = [];
    for (const [index, { giveUp, error, ...rest }] of this.#operations.entries()) {
      if (!giveUp || error === undefined) continue;
      this.#operations[index] = { ...rest, overruled: error };
      errors.push(errorOf(error));
    }
    return errors;
  }

  /** Notes what was thrown, once: a GiveUpError is an alarm. */
  thrown(error: unknown): void {
    if (this.#operations.some((operation) => operation.error === error)) return;
    if (error instanceof GiveUpError) this.addGiveupError('HookError', { error });
    else this.addOp('HookError', { error: errorOf(error) });
  }

  /** Notes what another reconciler wished for. */
  returned(result: Result): void {
    this.#returned.push(result);
  }

  /** See {@link consolidated}. */
  consolidated(): Consolidated {
    return consolidated(this.#operations);
  }

  /**
   * The result of the run.
   * @throws GiveUpError after an alarm; RetryError when an error came with a delay; else the first error as it was
   */
  settle(): Result {
    const { givenUp, error, requeueAfter } = this.consolidated();
    const { requeueAfter: wished, ...wishes } = combined(this.#returned);
    if (givenUp && error !== undefined) throw alarmOf(error);
    if (givenUp) return { ...wishes, ...stop };
    if (error !== undefined) throw delayed(error, smallest([requeueAfter, requeueAfter && wished]));
    return combined([...this.#returned, requeueAfter === undefined ? done : requeued(requeueAfter)]);
  }
}

const alarmOf = (error: Error): GiveUpError =>
  error instanceof GiveUpError ? error : new GiveUpError(messageOf(error), { cause: error });

const delayed = (error: Error, retryAfter: number | undefined): Error =>
  retryAfter === undefined || retryAfterOf(error) === retryAfter
    ? error
    : new RetryError(error.message, { retryAfter, cause: error });
