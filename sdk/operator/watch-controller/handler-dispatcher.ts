/** Dispatches events of a watch controller to watchers and reconcilers, with retries. */

import { type Kind, resourceOf } from '../../api/kind.ts';
import { type KubeObject, keyOf, objectKeyOf, parseKey } from '../../api/object.ts';
import type { StoreReader } from '../../client/cache/store.ts';
import { RetryError } from '../../errors.ts';
import type { ObjectEvent } from '../../reconcile/object-event.ts';
import type { Cause, RequestContext, Result, Run, State } from '../../reconcile/reconciler.ts';
import { requestOf } from '../../reconcile/request.ts';
import { drainQueue } from '../engine/drain.ts';
import { type Engine, queueOf } from '../engine/engine.ts';
import { withFallback } from '../engine/error-handler.ts';
import type { ControllerHealth } from '../engine/health.ts';
import { nextRun, type Settled } from '../engine/next-run.ts';
import { opinionatedRetryDequeuePolicy, type RetryDequeuePolicy } from '../engine/retry-dequeue.ts';
import { RunExecutor } from '../engine/run-executor.ts';
import type { Source } from '../engine/source.ts';
import type { Queue } from '../queue/queue.ts';
import type { HandlerRegistry } from './handler-registry.ts';
import type { InformerEvent } from './informer-set.ts';
import { type HandlerCall, PendingWork, type QueuedEvent, type Retry } from './pending-work.ts';

/** Returns the queue key of an object under a resource kind. */
export const jobKeyOf = (resourceKind: string, key: string): string => `${resourceKind} ${key}`;

const parseJobKey = (job: string) => {
  const space = job.lastIndexOf(' ');
  return { resourceKind: job.slice(0, space), key: parseKey(job.slice(space + 1)) };
};

/** Options of {@link HandlerDispatcher}. */
export interface HandlerDispatcherOptions {
  readonly engine: Engine;
  readonly handlers: Pick<HandlerRegistry, 'of' | 'has'>;
  readonly context: Omit<RequestContext<KubeObject>, 'kind'>;
  /** Reports whether the controller still has the source; events of removed sources are dropped. */
  readonly hasSource: (source: Source) => boolean;
  /** @default opinionatedRetryDequeuePolicy */
  readonly retryDequeuePolicy?: RetryDequeuePolicy | undefined;
}

const causes: Readonly<Record<ObjectEvent<KubeObject>['action'], Cause>> = {
  created: 'created',
  updated: 'updated',
  deleted: 'deleted',
  resynced: 'resync',
};

/** Returns the state for the next call: the returned or thrown one, or the one of this call. */
const stateAfter = (settled: Settled, state: State | undefined): State | undefined => {
  const nextState =
    'result' in settled ? settled.result.state : settled.error instanceof RetryError && settled.error.state;
  return nextState || state;
};

/** Dispatches events to the handlers of their kind, one object at a time, and retries failures. */
export class HandlerDispatcher {
  readonly #options: HandlerDispatcherOptions;
  readonly #queue: Queue;
  readonly #executor: RunExecutor<KubeObject>;
  readonly #pending: PendingWork;
  readonly #counts = { runs: 0, failures: 0, givenUp: 0 };

  constructor(options: HandlerDispatcherOptions) {
    const { engine, retryDequeuePolicy: policy = opinionatedRetryDequeuePolicy } = options;
    this.#options = options;
    this.#pending = new PendingWork(withFallback(policy, opinionatedRetryDequeuePolicy, engine.logger));
    this.#executor = new RunExecutor(engine);
    this.#queue = queueOf(engine, {
      run: (job) => this.#runJob(job),
      objectOf: (job) => this.#pending.objectOf(job),
    });
  }

  start(): void {
    this.#queue.start();
  }

  /** Adds an event and enqueues its object, at backlog priority if it is `initial`. */
  onEvent(...[resourceKind, event, { source, initial }]: InformerEvent): void {
    const observed = {
      controller: this.#options.engine.name,
      resourceKind,
      action: event.action,
      object: event.object,
    };
    const job = jobKeyOf(resourceKind, keyOf(event.object.metadata));
    this.#pending.add(job, { event, source, observed });
    this.#queue.add(job, { priority: initial ? 'backlog' : 'fresh' });
  }

  /** Stops starting runs, see {@link drainQueue}. */
  async drain(deadline: number): Promise<readonly string[]> {
    const running = await drainQueue(this.#queue, this.#executor, deadline);
    return running.map((job) => keyOf(parseJobKey(job).key));
  }

  health(): Pick<ControllerHealth, 'queue' | 'runs' | 'failures' | 'givenUp' | 'failing'> {
    return { queue: this.#queue.health(), ...this.#counts, failing: this.#pending.failing };
  }

  /** Processes one object: its pending events, then its due retries. */
  async #work(job: string): Promise<void> {
    const { clock, ownWrites } = this.#options.engine;
    do {
      const queued = this.#pending.next(job);
      if (queued === undefined) break;
      if (this.#options.hasSource(queued.source)) await this.#handle(job, queued);
    } while (!ownWrites.isWaiting(job));
    const now = clock.monotonic();
    // New events precede the remaining retries, which they may cancel. Own writes must be observed before the next call.
    while (!this.#pending.hasEvents(job) && !ownWrites.isWaiting(job)) {
      const retry = this.#pending.takeDue(job, now);
      if (retry === undefined) break;
      if (this.#isActive(job, retry)) await this.#call(job, retry);
    }
  }

  /** Processes one object and schedules its pending work, even after an error, for example of an observer. */
  async #runJob(job: string): Promise<void> {
    try {
      await this.#work(job);
    } catch (error) {
      this.#options.engine.logger?.error({ err: error, job }, 'a run ended with an error outside of its handler');
    } finally {
      this.#schedulePending(job);
    }
  }

  #schedulePending(job: string): void {
    this.#queue.cancel(job);
    const due = this.#pending.nextDue(job);
    if (this.#pending.hasEvents(job)) this.#queue.add(job);
    else if (due !== undefined)
      this.#queue.add(job, { delay: Math.max(1, due - this.#options.engine.clock.monotonic()) });
  }

  #isActive(job: string, { handler, queued }: Retry): boolean {
    return this.#options.hasSource(queued.source) && this.#options.handlers.has(handler, parseJobKey(job).resourceKind);
  }

  async #handle(job: string, queued: QueuedEvent): Promise<void> {
    const { engine, handlers } = this.#options;
    const all = async (): Promise<void> => {
      for (const handler of handlers.of(queued.observed.resourceKind))
        if (this.#pending.accepts(job, handler, queued))
          await this.#call(job, { handler, queued, attempt: 0, state: undefined, cause: causes[queued.event.action] });
    };
    await (engine.observer?.event?.(queued.observed, all) ?? all());
  }

  async #call(job: string, task: HandlerCall): Promise<void> {
    const { observer, clock } = this.#options.engine;
    const { handler, queued, attempt, cause } = task;
    const work = () => this.#executor.run(runOf(task), (run) => this.#reconcile(task, run));
    const isRetry = cause === 'retry' || cause === 'requeue';
    const seen = { type: handler.type, event: queued.observed, attempt, isRetry };
    const settled = await (observer?.call?.(seen, work) ?? work());
    this.#counts.runs += 1;
    const delay = nextRun(settled, attempt, this.#options.engine);
    const failed = 'error' in settled;
    if (failed) this.#fail(task, settled.error, delay);
    if (delay === undefined) return;
    this.#pending.schedule(job, {
      ...task,
      due: clock.monotonic() + delay,
      cause: failed ? 'retry' : 'requeue',
      error: failed ? settled.error : undefined,
      attempt: failed ? attempt + 1 : 0,
      state: stateAfter(settled, task.state),
    });
  }

  #reconcile({ handler, queued: { source } }: HandlerCall, run: Run<KubeObject>): Promise<Result> {
    const { context: shared, engine } = this.#options;
    const stored: typeof shared.stored = <S extends KubeObject>(kind: Kind<S>) =>
      resourceOf(kind) === resourceOf(source.kind) ? (source.store as unknown as StoreReader<S>) : shared.stored(kind);
    return handler.reconcile(requestOf(run, { ...shared, stored, kind: source.kind }, engine.logger));
  }

  #fail({ handler: { type }, queued, attempt }: HandlerCall, error: unknown, retryAfter: number | undefined): void {
    this.#counts.failures += 1;
    if (retryAfter === undefined) this.#counts.givenUp += 1;
    const { object, action } = queued.event;
    const { resourceKind } = queued.observed;
    this.#options.engine.failed(error, { type, resourceKind, key: objectKeyOf(object), action, attempt, retryAfter });
  }
}

/** Returns the run for a call, with the current object, so that a retry does not use an outdated one. */
function runOf({ queued: { event, source }, attempt, state, cause }: HandlerCall): Omit<Run<KubeObject>, 'signal'> {
  const key = objectKeyOf(event.object);
  const common = { key, attempt, state, cause };
  if (event.action === 'deleted') return { ...common, object: undefined, event };
  const known = source.store.get(key);
  const object = known !== undefined && known.metadata.uid === event.object.metadata.uid ? known : event.object;
  return { ...common, object, event: object === event.object ? event : { ...event, object } };
}
