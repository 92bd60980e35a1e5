/** Scheduling of the runs of an informer controller. */

import { type Kind, resourceOf } from '../../api/kind.ts';
import { type KubeObject, parseKey } from '../../api/object.ts';
import type { Change, StoreReader } from '../../client/cache/store.ts';
import type { Cause, Result, Run } from '../../reconcile/reconciler.ts';
import type { AddOptions, Queue } from '../queue/queue.ts';
import { drainQueue } from './drain.ts';
import { type Engine, queueOf } from './engine.ts';
import type { ControllerHealth } from './health.ts';
import { nextRun, type Settled } from './next-run.ts';
import { RunExecutor } from './run-executor.ts';
import {
  afterRun,
  causeOf,
  initialRunState,
  isInitialRunState,
  nextScheduledRun,
  type RunState,
  strongerCause,
  supersedes,
  withEvent,
  withOutcome,
  withoutPendingRuns,
} from './run-state.ts';

/** Options of {@link Schedule}. */
export interface ScheduleOptions<T extends KubeObject> {
  readonly engine: Engine;
  readonly kind: Kind<T>;
  readonly reconciler: (run: Run<T>) => Promise<Result>;
  readonly store: Pick<StoreReader<T>, 'get'>;
}

/** Schedules and executes runs, by a queue, a state for each key, and the rules of {@link nextRun}. */
export class Schedule<T extends KubeObject> {
  readonly #options: ScheduleOptions<T>;
  readonly #queue: Queue;
  readonly #executor: RunExecutor<T>;
  readonly #states = new Map<string, RunState>();
  readonly #counts = { runs: 0, failures: 0, givenUp: 0 };

  constructor(options: ScheduleOptions<T>) {
    const { engine, store } = options;
    this.#options = options;
    this.#executor = new RunExecutor(engine);
    this.#queue = queueOf(engine, {
      run: (key) =>
        this.#run(key).catch((error) =>
          engine.logger?.error({ err: error, key }, 'a run ended with an error outside of its handler'),
        ),
      objectOf: (key) => store.get(parseKey(key)),
    });
  }

  /** Starts to run; requests are only collected before. */
  start(): void {
    this.#queue.start();
  }

  /** Adds a change and enqueues its object, at backlog priority if it is `initial`. */
  changed(change: Change<T>, initial: boolean): void {
    if (!initial && supersedes(change)) {
      this.#queue.cancel(change.key);
      this.#states.set(change.key, withoutPendingRuns(this.#stateOf(change.key)));
    }
    const { object, previous } = change;
    const event = { action: causeOf(change), object, previous };
    this.#states.set(change.key, withEvent(this.#stateOf(change.key), event));
    this.enqueue(change.key, causeOf(change), initial ? 'backlog' : 'fresh');
  }

  /** Enqueues a key. */
  enqueue(key: string, cause: Cause, priority: AddOptions['priority'] = 'fresh'): void {
    const runState = this.#stateOf(key);
    this.#states.set(key, { ...runState, cause: strongerCause(runState.cause, cause) });
    this.#queue.add(key, { priority });
  }

  /** Stops starting runs, waits up to `deadline` ms for the current ones, then aborts them. Resolves with the keys that still run. */
  drain(deadline: number): Promise<readonly string[]> {
    return drainQueue(this.#queue, this.#executor, deadline);
  }

  health(): Pick<ControllerHealth, 'queue' | 'runs' | 'failures' | 'givenUp' | 'failing'> {
    const failing = [...this.#states.values()].filter(({ attempt }) => attempt > 0).length;
    return { queue: this.#queue.health(), ...this.#counts, failing };
  }

  #stateOf(key: string): RunState {
    return this.#states.get(key) ?? initialRunState;
  }

  async #run(key: string): Promise<void> {
    const before = this.#stateOf(key);
    const next = nextScheduledRun(before, this.#options.store.get(parseKey(key)));
    this.#states.set(key, next?.memory ?? { ...before, cause: undefined });
    if (next === undefined) return this.#forget(key);
    const { attempt } = next.run;
    const settled = await this.#observed({ key: parseKey(key), ...next.run });
    this.#counts.runs += 1;
    const delay = nextRun(settled, attempt, this.#options.engine);
    if ('error' in settled) this.#failed({ ...next.run, key: parseKey(key) }, settled.error, delay);
    // A superseding change during the run has its own run, which decides about retries.
    if (this.#stateOf(key).epoch === before.epoch) this.#plan(key, settled, delay);
    this.#states.set(key, afterRun(this.#stateOf(key), next, { settled, isOver: delay === undefined }));
    // Events of the current object were held until the previous deletion was handled.
    if (next.isPreviousDeletion && delay === undefined) this.#queue.add(key);
    if (delay === undefined) this.#forget(key);
  }

  #observed(run: Omit<Run<T>, 'signal'>): Promise<Settled> {
    const { reconciler, kind, engine } = this.#options;
    const work = () => this.#executor.run(run, reconciler);
    const { key, cause, attempt } = run;
    return engine.observer?.run?.({ controller: engine.name, kind: kind.kind, key, cause, attempt }, work) ?? work();
  }

  #plan(key: string, settled: Settled, delay: number | undefined): void {
    this.#states.set(key, withOutcome(this.#stateOf(key), settled, this.#queue.isDelayed(key)));
    if (delay !== undefined) this.#queue.add(key, { delay });
    else if ('error' in settled) this.#queue.cancel(key);
  }

  /** Deletes the state of a key without pending work. */
  #forget(key: string): void {
    const runState = this.#states.get(key);
    if (runState === undefined || runState.cause !== undefined || this.#queue.isDelayed(key)) return;
    if (isInitialRunState(runState) || this.#options.store.get(parseKey(key)) === undefined) this.#states.delete(key);
  }

  #failed({ key, attempt, event }: Omit<Run<T>, 'signal'>, error: unknown, retryAfter: number | undefined): void {
    this.#counts.failures += 1;
    if (retryAfter === undefined) this.#counts.givenUp += 1;
    const { kind, engine } = this.#options;
    const action = event?.action ?? 'deleted';
    engine.failed(error, { type: 'reconciler', resourceKind: resourceOf(kind), key, action, attempt, retryAfter });
  }
}
