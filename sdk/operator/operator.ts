/** Operator: runs controllers concurrently. */

import { type Clock, systemClock } from '../clock.ts';
import { messageOf } from '../thrown.ts';
import { createInterrupt } from './interrupt/interrupt.ts';

/** Component that runs until its signal aborts: a controller, a leader election, a server. */
export interface Runnable {
  readonly name: string;
  /** Resolves when it has ended. A rejection before the signal aborts stops the operator; so does an early end with `earlyEnd: 'fail'`. */
  run(signal: AbortSignal): Promise<void>;
}

/** Options of {@link runOperator}. */
export interface OperatorOptions {
  readonly controllers: readonly Runnable[];
  /**
   * Stops the operator when it aborts. @default aborts at SIGINT, SIGTERM or SIGHUP, and when the npm process that runs the program ends; a second
   * signal exits the process with 130
   */
  readonly signal?: AbortSignal;
  /** ms within which all controllers must end once the operator stops. @default 15 000 */
  readonly drain?: number;
  /**
   * Handling of a controller that ends before the signal aborts, without an error: `'fail'` counts it as a failure, which stops the others.
   * @default 'ignore'
   */
  readonly earlyEnd?: 'ignore' | 'fail';
  readonly clock?: Clock;
}

/** Failure of one component of an operator. */
export interface Failure {
  readonly name: string;
  readonly error: unknown;
}

/** Thrown when components of an operator failed, or did not end in time. */
export class OperatorError extends Error {
  static {
    OperatorError.prototype.name = 'OperatorError';
  }
  /** Failures in the order they happened. */
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    super(failures.map(({ name, error }) => `${name}: ${messageOf(error)}`).join('; '), { cause: failures[0]?.error });
    this.failures = failures;
  }
}

/**
 * Returns the root failures of an {@link OperatorError}, including nested ones, each with its own class and code; any other error is returned as
 * the only one.
 */
export const failuresOf = (error: unknown): readonly unknown[] =>
  error instanceof OperatorError ? error.failures.flatMap((failure) => failuresOf(failure.error)) : [error];

/**
 * Runs all controllers concurrently until the signal aborts or one of them fails; then stops the others and waits for all.
 * The operator also ends when all controllers have ended.
 * @throws OperatorError with the failures, also of controllers that had not ended within `drain` ms
 * @example
 * ```ts run
 * import { runOperator } from 'workspace-sequencer/sdk';
 *
 * const once = { name: 'once', run: async (signal: AbortSignal) => console.log(signal.aborted ? 'late' : 'at work') };
 * await runOperator({ controllers: [once] });
 * ```
 */
export async function runOperator(options: OperatorOptions): Promise<void> {
  if (options.signal !== undefined) return runUntil(options.signal, options);
  using interrupt = createInterrupt();
  await runUntil(interrupt.signal, options);
}

async function runUntil(
  signal: AbortSignal,
  { controllers, drain = 15_000, earlyEnd = 'ignore', clock = systemClock }: OperatorOptions,
): Promise<void> {
  const stop = new AbortController();
  const failures: Failure[] = [];
  const running = new Set(controllers);
  const stopping = Promise.withResolvers<void>();
  const end = (reason: unknown): void => {
    stop.abort(reason);
    stopping.resolve();
  };
  const onAbort = () => end(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });

  const all = controllers.map(async (controller) => {
    const { name } = controller;
    try {
      await controller.run(stop.signal);
      if (!stop.signal.aborted && earlyEnd === 'fail') throw new Error('ended without being stopped');
    } catch (error) {
      // A rejection with the abort reason is not a failure.
      if (!stop.signal.aborted || error !== stop.signal.reason) failures.push({ name, error });
      end(new Error(`${name} ended`));
    }
    running.delete(controller);
    if (running.size === 0) end(new Error('all have ended'));
  });

  await stopping.promise;
  const deadline = Promise.withResolvers<void>();
  const cancel = clock.after(drain, deadline.resolve);
  await Promise.race([Promise.all(all), deadline.promise]);
  cancel();
  signal.removeEventListener('abort', onAbort);
  for (const { name } of running) failures.push({ name, error: new Error(`had not ended after ${drain} ms`) });
  if (failures.length > 0) throw new OperatorError(failures);
}
