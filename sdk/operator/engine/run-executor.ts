/** Execution of runs with a deadline. */

import type { KubeObject } from '../../api/object.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { done, type Result, type Run } from '../../reconcile/reconciler.ts';
import type { Settled } from './next-run.ts';

/** Options of {@link RunExecutor}. */
export interface RunExecutorOptions {
  /** ms after which the signal of a run aborts. */
  readonly deadline: number;
  readonly clock?: Clock;
}

/** Checks a result, since a reconciler in plain JavaScript may return any value. @throws TypeError */
function checkResult(result: Result | undefined): Result {
  if (result === undefined) return done;
  const { requeueAfter = 0 } = result;
  if (Number.isFinite(requeueAfter) && requeueAfter >= 0) return result;
  throw new TypeError(`the reconciler’s result: requeueAfter must be 0 ms or more, found ${requeueAfter}`);
}

/** Calls a reconciler with a signal per run; never throws. */
export class RunExecutor<T extends KubeObject> {
  readonly #options: RunExecutorOptions;
  readonly #clock: Clock;
  readonly #running = new Set<AbortController>();

  constructor(options: RunExecutorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Runs the reconciler and returns its outcome, even after the deadline: only the reconciler itself can end a run. */
  async run(run: Omit<Run<T>, 'signal'>, reconciler: (run: Run<T>) => Promise<Result>): Promise<Settled> {
    const { deadline } = this.#options;
    const abort = new AbortController();
    this.#running.add(abort);
    const cancel = this.#clock.after(deadline, () => {
      abort.abort(new DOMException(`the run took longer than ${deadline} ms`, 'TimeoutError'));
    });
    try {
      return { result: checkResult(await reconciler({ ...run, signal: abort.signal })) };
    } catch (error) {
      return { error };
    } finally {
      cancel();
      this.#running.delete(abort);
    }
  }

  /** Aborts the signals of all runs. */
  abort(reason: Error): void {
    for (const abort of this.#running) abort.abort(reason);
  }
}
