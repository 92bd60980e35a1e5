/** Schedules the runs of an informer controller. */

import type { Logger } from 'pino';
import type { Kind } from '../api/kind.ts';
import { type KubeObject, keyOf, parseKey } from '../api/object.ts';
import type { Change, StoreReader } from '../client/store.ts';
import { type Clock, systemClock } from '../clock.ts';
import { isRace } from '../errors.ts';
import type { Cause, Result, Run } from '../reconcile/reconciler.ts';
import { exponentialBackoff, type RetryPolicy } from '../retry.ts';
import { drained } from './drain.ts';
import type { ControllerHealth } from './health.ts';
import { nextRun, type Settled } from './next-run.ts';
import { type Observer, queueObserverOf } from './observer.ts';
import { type AddOptions, Queue } from './queue.ts';
import { RunExecutor } from './run-executor.ts';
import {
  afterRun,
  blank,
  causeOf,
  happened,
  isBlankState,
  nextTurn,
  type RunState,
  remember,
  renewed,
  strongerCause,
  supersedes,
} from './run-state.ts';

/** Failed run. */
export interface FailedRun extends Pick<Run<KubeObject>, 'key' | 'cause' | 'attempt' | 'event'> {
  /** ms until the retry; undefined: it was given up. */
  readonly delay: number | undefined;
}

/** Options of {@link Schedule}. */
export interface ScheduleOptions<T extends KubeObject> {
  readonly reconciler: (run: Run<T>) => Promise<Result>;
  readonly store: Pick<StoreReader<T>, 'get'>;
  readonly retry: RetryPolicy;
  /** Reports whether a key must wait for {@link Schedule.release}. */
  readonly isHeld?: (key: string) => boolean;
  readonly workers?: number | undefined;
  /** ms after which the signal of a run aborts. @default 300 000 */
  readonly deadline?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
  /** Name of the controller, for observers. */
  readonly name?: string | undefined;
  readonly observer?: Pick<Observer, 'queued' | 'taken' | 'worked' | 'run'> | undefined;
  /** Kind of the objects, for observers. */
  readonly kind?: Pick<Kind, 'kind'> | undefined;
  /** Receives every failure. Must not throw. @default the logger */
  readonly failed?: ((error: unknown, about: FailedRun) => void) | undefined;
}

/** Decides when and why objects run, and runs them: the queue, the state of each key, and the rules of {@link nextRun}. */
export class Schedule<T extends KubeObject> {
  readonly #options: ScheduleOptions<T>;
  readonly #queue: Queue;
  readonly #executor: RunExecutor<T>;
  readonly #states = new Map<string, RunState>();
  readonly #counts = { runs: 0, failures: 0, givenUp: 0 };

  constructor(options: ScheduleOptions<T>) {
    const { name = '', isHeld, workers, deadline = 300_000, clock = systemClock, observer } = options;
    this.#options = options;
    this.#executor = new RunExecutor({ deadline, clock });
    this.#queue = new Queue({
      clock,
      run: (key) => this.#run(key).catch((error) => options.logger?.error({ err: error, key }, 'a run broke off')),
      ...(isHeld && { isHeld }),
      ...(workers !== undefined && { workers }),
      ...(observer && { observer: queueObserverOf(name, observer) }),
    });
  }

  /** Starts to run; before, requests are only collected. */
  start(): void {
    this.#queue.start();
  }

  /** Adds a change and enqueues its object, at backlog priority if it is `initial`. */
  changed(change: Change<T>, initial: boolean): void {
    if (!initial && supersedes(change)) {
      this.#queue.cancel(change.key);
      this.#states.set(change.key, renewed(this.#stateOf(change.key)));
    }
    const { object, previous } = change;
    const event = { action: causeOf(change), object, previous };
    this.#states.set(change.key, happened(this.#stateOf(change.key), event));
    this.enqueue(change.key, causeOf(change), initial ? 'backlog' : 'fresh');
  }

  /** Enqueues a key. */
  enqueue(key: string, cause: Cause, priority: AddOptions['priority'] = 'fresh'): void {
    const runState = this.#stateOf(key);
    this.#states.set(key, { ...runState, cause: strongerCause(runState.cause, cause) });
    this.#queue.add(key, { priority });
  }

  /** Releases held keys. */
  release(keys: readonly string[]): void {
    for (const key of keys) this.#queue.release(key);
  }

  /** Starts no more runs, waits up to `deadline` ms for the current ones, then aborts them. Resolves with the keys that still run. */
  drain(deadline: number): Promise<readonly string[]> {
    return drained(this.#queue, this.#executor, deadline);
  }

  health(): Pick<ControllerHealth, 'queue' | 'runs' | 'failures' | 'givenUp' | 'failing'> {
    const failing = [...this.#states.values()].filter(({ attempt }) => attempt > 0).length;
    return { queue: this.#queue.health(), ...this.#counts, failing };
  }

  #stateOf(key: string): RunState {
    return this.#states.get(key) ?? blank;
  }

  async #run(key: string): Promise<void> {
    const before = this.#stateOf(key);
    const turn = nextTurn(before, this.#options.store.get(parseKey(key)));
    this.#states.set(key, turn?.memory ?? { ...before, cause: undefined });
    if (turn === undefined) return this.#forget(key);
    const { attempt } = turn.run;
    const settled = await this.#observed({ key: parseKey(key), ...turn.run });
    this.#counts.runs += 1;
    if ('error' in settled) this.#counts.failures += 1;
    const delay = this.#delayAfter(settled, attempt);
    this.#told(settled, { ...turn.run, key: parseKey(key), delay });
    // A change during the run has superseded its plans: the run for that change decides what comes next.
    if (this.#stateOf(key).epoch === before.epoch) this.#plan(key, settled, delay);
    this.#states.set(key, afterRun(this.#stateOf(key), turn, { settled, isOver: delay === undefined }));
    // Events of the current object have waited for this.
    if (turn.isEarlier && delay === undefined) this.#queue.add(key);
    if (delay === undefined) this.#forget(key);
  }

  #observed(run: Omit<Run<T>, 'signal'>): Promise<Settled> {
    const { reconciler, observer, name = '', kind } = this.#options;
    const work = () => this.#executor.run(run, reconciler);
    const { key, cause, attempt } = run;
    return observer?.run?.({ controller: name, kind: kind?.kind ?? '', key, cause, attempt }, work) ?? work();
  }

  #plan(key: string, settled: Settled, delay: number | undefined): void {
    this.#states.set(key, remember(this.#stateOf(key), settled, this.#queue.isDelayed(key)));
    if (delay !== undefined) this.#queue.add(key, { delay });
    else if ('error' in settled) this.#queue.cancel(key);
  }

  /** Returns the delay of the next run; if a custom retry policy throws, the default one decides. */
  #delayAfter(settled: Settled, attempt: number): number | undefined {
    const { retry, random = Math.random, logger } = this.#options;
    try {
      return nextRun(settled, attempt, { retry, random });
    } catch (error) {
      logger?.error({ err: error }, 'the retry policy failed, using exponential back-off');
      return nextRun(settled, attempt, { retry: exponentialBackoff({ random }), random });
    }
  }

  /** Deletes the state of a key that needs none. */
  #forget(key: string): void {
    const runState = this.#states.get(key);
    if (runState === undefined || runState.cause !== undefined || this.#queue.isDelayed(key)) return;
    if (isBlankState(runState) || this.#options.store.get(parseKey(key)) === undefined) this.#states.delete(key);
  }

  #told(settled: Settled, about: FailedRun): void {
    const { logger, failed } = this.#options;
    if (!('error' in settled)) return;
    const { error } = settled;
    if (about.delay === undefined) this.#counts.givenUp += 1;
    const { cause, attempt, delay } = about;
    const said = { key: keyOf(about.key), cause, attempt, delay, err: error };
    if (failed !== undefined) failed(error, about);
    else if (delay === undefined) logger?.error(said, 'run failed, giving up until something changes');
    else if (isRace(error)) logger?.debug(said, 'run was stale, running again');
    else logger?.warn(said, 'run failed, will try again');
  }
}
