import type { Logger } from 'pino';
import { type Kind, resourceOf } from '../api/kind.ts';
import { type KubeObject, keyOf, objectKeyOf, parseKey } from '../api/object.ts';
import type { StoreReader } from '../client/store.ts';
import type { Clock } from '../clock.ts';
import { RetryError } from '../errors.ts';
import type { ObjectEvent } from '../reconcile/object-event.ts';
import type { Cause, RequestContext, Result, Run, State } from '../reconcile/reconciler.ts';
import { requestOf } from '../reconcile/request.ts';
import { drained } from './drain.ts';
import type { ErrorHandler } from './failure-handler.ts';
import type { HandlerRegistry } from './handler-registry.ts';
import type { ControllerHealth } from './health.ts';
import type { InformerEvent } from './informer-set.ts';
import { nextRun, type Settled } from './next-run.ts';
import { type Observer, queueObserverOf } from './observer.ts';
import { type HandlerCall, PendingWork, type QueuedEvent, type Retry } from './pending-work.ts';
import { Queue } from './queue.ts';
import { defaultRetryOptions, exponentialBackoff, type RetryPolicy } from './retry.ts';
import { opinionatedRetryDequeuePolicy, type RetryDequeuePolicy } from './retry-dequeue.ts';
import { RunExecutor } from './run-executor.ts';
import type { Source } from './source.ts';

/** One object under one kind, as the queue knows it. */
export const jobKeyOf = (resourceKind: string, key: string): string => `${resourceKind} ${key}`;

const partsOfJob = (job: string) => {
  const space = job.lastIndexOf(' ');
  return { resourceKind: job.slice(0, space), key: parseKey(job.slice(space + 1)) };
};

export interface HandlerDispatcherOptions {
  readonly name: string;
  readonly handlers: Pick<HandlerRegistry, 'of' | 'has'>;
  readonly context: Omit<RequestContext<KubeObject>, 'kind'>;
  /** Whether an object must wait for {@link HandlerDispatcher.release}. */
  readonly isHeld: (job: string) => boolean;
  /** Whether what came from there still counts. */
  readonly isFollowed: (source: Source) => boolean;
  /** Told of every failure. Must not throw. */
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

/** A policy of somebody's own that throws must not stop the engine: ours is asked instead. */
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

/** What the next call is to know: what this one says, else what it knew itself. */
const stateAfter = (settled: Settled, state: State | undefined): State | undefined => {
  const said = 'result' in settled ? settled.result.state : settled.error instanceof RetryError && settled.error.state;
  return said || state;
};

/** Dispatches events to the handlers of their kind, one object at a time, and again after failures. */
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
    const usual = exponentialBackoff({ ...defaultRetryOptions, random });
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

  /** Something happened to an object. What is `initial` yields to what comes later. */
  onEvent(...[resourceKind, event, { source, initial }]: InformerEvent): void {
    const observed = { controller: this.#options.name, resourceKind, action: event.action, object: event.object };
    const job = jobKeyOf(resourceKind, keyOf(event.object.metadata));
    this.#pending.add(job, { event, source, observed });
    this.#queue.add(job, { priority: initial ? 'backlog' : 'fresh' });
  }

  /** Lets held objects be worked on. */
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

  /** Everything that is to do for one object now: what happened first, then what is due again. */
  async #work(job: string): Promise<void> {
    do {
      const queued = this.#pending.next(job);
      if (queued === undefined) break;
      if (this.#options.isFollowed(queued.source)) await this.#handle(job, queued);
    } while (!this.#options.isHeld(job));
    const now = this.#options.clock.monotonic();
    // What happens meanwhile goes first: it may make the rest pointless. What was written meanwhile must be seen first.
    while (!this.#pending.hasEvents(job) && !this.#options.isHeld(job)) {
      const retry = this.#pending.dueAt(job, now);
      if (retry === undefined) break;
      if (this.#isWanted(job, retry)) await this.#call(job, retry);
    }
  }

  /** Whatever an observer of somebody else may throw: what waits is not forgotten. */
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

/** A run with the object as it is now: what waited is never carried out on what is long past. */
function runOf({ queued: { event, source }, attempt, state, cause }: HandlerCall): Omit<Run<KubeObject>, 'signal'> {
  const key = objectKeyOf(event.object);
  const common = { key, attempt, state, cause };
  if (event.action === 'deleted') return { ...common, object: undefined, event };
  const known = source.store.get(key);
  const object = known !== undefined && known.metadata.uid === event.object.metadata.uid ? known : event.object;
  return { ...common, object, event: object === event.object ? event : { ...event, object } };
}
