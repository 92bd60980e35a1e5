/** Dispatches events of a watch controller to watchers and reconcilers, with retries. */

import type { Logger } from 'pino';
import { type Kind, resourceOf } from '../api/kind.ts';
import { type KubeObject, keyOf, objectKeyOf, parseKey } from '../api/object.ts';
import type { StoreReader } from '../client/store.ts';
import type { Clock } from '../clock.ts';
import { RetryError } from '../errors.ts';
import type { ObjectEvent } from '../reconcile/object-event.ts';
import type { Cause, RequestContext, Result, Run, State } from '../reconcile/reconciler.ts';
import { requestOf } from '../reconcile/request.ts';
import { backoffs, exponentialBackoff, type RetryPolicy } from '../retry.ts';
import { drained } from './drain.ts';
import type { ErrorHandler } from './failure-handler.ts';
import type { HandlerRegistry } from './handler-registry.ts';
import type { ControllerHealth } from './health.ts';
import type { InformerEvent } from './informer-set.ts';
import { nextRun, type Settled } from './next-run.ts';
import { type Observer, queueObserverOf } from './observer.ts';
import { type HandlerCall, PendingWork, type QueuedEvent, type Retry } from './pending-work.ts';
import { Queue } from './queue.ts';
import { opinionatedRetryDequeuePolicy, type RetryDequeuePolicy } from './retry-dequeue.ts';
import { RunExecutor } from './run-executor.ts';
import type { Source } from './source.ts';

/** Returns the queue key of an object under a resource kind. */
export const jobKeyOf = (resourceKind: string, key: string): string => `${resourceKind} ${key}`;

const partsOfJob = (job: string) => {
  const space = job.lastIndexOf(' ');
  return { resourceKind: job.slice(0, space), key: parseKey(job.slice(space + 1)) };
};

/** Options of {@link HandlerDispatcher}. */
export interface HandlerDispatcherOptions {
  readonly name: string;
  readonly handlers: Pick<HandlerRegistry, 'of' | 'has'>;
  readonly context: Omit<RequestContext<KubeObject>, 'kind'>;
  /** Reports whether an object must wait for {@link HandlerDispatcher.release}. */
  readonly isHeld: (job: string) => boolean;
  /** Reports whether the source is still part of the controller; events of others are dropped. */
  readonly isFollowed: (source: Source) => boolean;
  /** Receives every failure. Must not throw. */
  readonly failed: ErrorHandler;
  readonly retryPolicy?: RetryPolicy;
  readonly retryDequeuePolicy?: RetryDequeuePolicy;
  readonly workers?: number;
  readonly deadline?: number;
  readonly observer?: Observer;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly logger?: Logger | undefined;
}

const causes: Readonly<Record<ObjectEvent<KubeObject>['action'], Cause>> = {
  created: 'created',
  updated: 'updated',
  deleted: 'deleted',
  resynced: 'resync',
};

/** Wraps a custom policy: if it throws, the error is logged and the default policy decides. */
function unlessThrown<A extends readonly unknown[], R>(
  policy: (...args: A) => R,
  usual: (...args: A) => R,
  logger?: Logger,
) {
  return (...args: A): R => {
    try {
      return policy(...args);
    } catch (error) {
      logger?.error({ err: error }, 'a policy failed, using the default');
      return usual(...args);
    }
  };
}

/** Returns the state for the next call: the one this call returned or threw, else its own. */
const stateAfter = (settled: Settled, state: State | undefined): State | undefined => {
  const said = 'result' in settled ? settled.result.state : settled.error instanceof RetryError && settled.error.state;
  return said || state;
};

/** Dispatches events to the handlers of their kind, one object at a time, and retries failures. */
export class HandlerDispatcher {
  readonly #options: HandlerDispatcherOptions;
  readonly #queue: Queue;
  readonly #executor: RunExecutor<KubeObject>;
  readonly #pending: PendingWork;
  readonly #retry: RetryPolicy;
  readonly #counts = { runs: 0, failures: 0, givenUp: 0 };

  constructor(options: HandlerDispatcherOptions) {
    const { name, workers, deadline = 300_000, clock, isHeld, random = Math.random, observer, logger } = options;
    this.#options = options;
    const usual = exponentialBackoff({ ...backoffs.handlerCall, random });
    this.#retry = unlessThrown(options.retryPolicy ?? usual, usual, logger);
    const { retryDequeuePolicy = opinionatedRetryDequeuePolicy } = options;
    this.#pending = new PendingWork(unlessThrown(retryDequeuePolicy, opinionatedRetryDequeuePolicy, logger));
    this.#executor = new RunExecutor({ deadline, clock });
    this.#queue = new Queue({
      clock,
      isHeld,
      run: (job) => this.#safely(job),
      ...(workers !== undefined && { workers }),
      ...(observer && { observer: queueObserverOf(name, observer) }),
    });
  }

  start(): void {
    this.#queue.start();
  }

  /** Adds an event and enqueues its object, at backlog priority if it is `initial`. */
  onEvent(...[resourceKind, event, { source, initial }]: InformerEvent): void {
    const observed = { controller: this.#options.name, resourceKind, action: event.action, object: event.object };
    const job = jobKeyOf(resourceKind, keyOf(event.object.metadata));
    this.#pending.add(job, { event, source, observed });
    this.#queue.add(job, { priority: initial ? 'backlog' : 'fresh' });
  }

  /** Releases held objects. */
  release(jobs: readonly string[]): void {
    for (const job of jobs) this.#queue.release(job);
  }

  /** See {@link drained}. */
  async drain(deadline: number): Promise<readonly string[]> {
    const running = await drained(this.#queue, this.#executor, deadline);
    return running.map((job) => keyOf(partsOfJob(job).key));
  }

  health(): Pick<ControllerHealth, 'queue' | 'runs' | 'failures' | 'givenUp' | 'failing'> {
    return { queue: this.#queue.health(), ...this.#counts, failing: this.#pending.failing };
  }

  /** Processes one object: its pending events first, then the calls that are due again. */
  async #work(job: string): Promise<void> {
    do {
      const queued = this.#pending.next(job);
      if (queued === undefined) break;
      if (this.#options.isFollowed(queued.source)) await this.#handle(job, queued);
    } while (!this.#options.isHeld(job));
    const now = this.#options.clock.monotonic();
    // Events that arrive meanwhile go first: they may cancel the other retries. Own writes must be observed before the next call.
    while (!this.#pending.hasEvents(job) && !this.#options.isHeld(job)) {
      const retry = this.#pending.dueAt(job, now);
      if (retry === undefined) break;
      if (this.#isWanted(job, retry)) await this.#call(job, retry);
    }
  }

  /** Processes one object; after an error, such as one thrown by an observer, its pending work is still scheduled. */
  async #safely(job: string): Promise<void> {
    try {
      await this.#work(job);
    } catch (error) {
      this.#options.logger?.error({ err: error, job }, 'a run broke off');
    } finally {
      this.#wake(job);
    }
  }

  #wake(job: string): void {
    this.#queue.cancel(job);
    const due = this.#pending.nextDue(job);
    if (this.#pending.hasEvents(job)) this.#queue.add(job);
    else if (due !== undefined) this.#queue.add(job, { delay: Math.max(1, due - this.#options.clock.monotonic()) });
  }

  #isWanted(job: string, { handler, queued }: Retry): boolean {
    return this.#options.isFollowed(queued.source) && this.#options.handlers.has(handler, partsOfJob(job).resourceKind);
  }

  async #handle(job: string, queued: QueuedEvent): Promise<void> {
    const { observer, handlers } = this.#options;
    const all = async (): Promise<void> => {
      for (const handler of handlers.of(queued.observed.resourceKind))
        if (this.#pending.admits(job, handler, queued))
          await this.#call(job, { handler, queued, attempt: 0, state: undefined, cause: causes[queued.event.action] });
    };
    await (observer?.event?.(queued.observed, all) ?? all());
  }

  async #call(job: string, task: HandlerCall): Promise<void> {
    const { observer, clock, random = Math.random } = this.#options;
    const { handler, queued, attempt, cause } = task;
    const work = () => this.#executor.run(runOf(task), (run) => this.#reconcile(task, run));
    const isRetry = cause === 'retry' || cause === 'requeue';
    const seen = { type: handler.type, event: queued.observed, attempt, isRetry };
    const settled = await (observer?.call?.(seen, work) ?? work());
    this.#counts.runs += 1;
    const delay = nextRun(settled, attempt, { retry: this.#retry, random });
    const failed = 'error' in settled;
    if (failed) this.#fail(task, settled.error, delay);
    if (delay === undefined) return;
    this.#pending.plan(job, {
      ...task,
      due: clock.monotonic() + delay,
      cause: failed ? 'retry' : 'requeue',
      error: failed ? settled.error : undefined,
      attempt: failed ? attempt + 1 : attempt,
      state: stateAfter(settled, task.state),
    });
  }

  #reconcile({ handler, queued: { source } }: HandlerCall, run: Run<KubeObject>): Promise<Result> {
    const { context: around, logger } = this.#options;
    const stored: typeof around.stored = <S extends KubeObject>(kind: Kind<S>) =>
      resourceOf(kind) === resourceOf(source.kind) ? (source.store as unknown as StoreReader<S>) : around.stored(kind);
    return handler.reconcile(requestOf(run, { ...around, stored, kind: source.kind }, logger));
  }

  #fail({ handler: { type }, queued, attempt }: HandlerCall, error: unknown, retryAfter: number | undefined): void {
    this.#counts.failures += 1;
    if (retryAfter === undefined) this.#counts.givenUp += 1;
    const { object, action } = queued.event;
    const { resourceKind } = queued.observed;
    this.#options.failed(error, { type, resourceKind, key: objectKeyOf(object), action, attempt, retryAfter });
  }
}

/** Returns the run for a call, with the object's current state: a delayed call never acts on an outdated one. */
function runOf({ queued: { event, source }, attempt, state, cause }: HandlerCall): Omit<Run<KubeObject>, 'signal'> {
  const key = objectKeyOf(event.object);
  const common = { key, attempt, state, cause };
  if (event.action === 'deleted') return { ...common, object: undefined, event };
  const known = source.store.get(key);
  const object = known !== undefined && known.metadata.uid === event.object.metadata.uid ? known : event.object;
  return { ...common, object, event: object === event.object ? event : { ...event, object } };
}
