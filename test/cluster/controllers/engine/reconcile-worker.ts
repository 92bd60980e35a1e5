/** Runs a reconciler: work queue, retries with backoff, and timers. */

import { keyOf } from '../../../../sdk/api/object.ts';
import type { ApiObject } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { Change } from '../../storage/store.ts';
import type { Decision, Reconciler, View } from './reconciler.ts';
import { rest } from './reconciler.ts';
import type { Outcome, Worker } from './worker.ts';
import type { Writer } from './writer.ts';

/** Delay after the first refusal, in ms; doubled with each. */
const firstRetryDelay = 5;
const maxRetryDelay = 1_000_000;
/** Number of conflicts in a row that are retried without delay. */
const conflictsInARow = 10;

interface Failure {
  readonly count: number;
  readonly message: string;
  /** Set once the refusal has been passed to a decision. */
  readonly reported: boolean;
}

/** Options of {@link ReconcileWorker}. */
export interface ReconcileWorkerOptions {
  readonly server: ServerContext;
  readonly reconciler: Reconciler;
  readonly writer: Writer;
  /** Called when a timer adds an item. */
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}

const reasonOf = (error: unknown): unknown => (error instanceof StatusError ? error.status.reason : undefined);
const isLate = (error: unknown): boolean => ['Conflict', 'NotFound'].includes(String(reasonOf(error)));

/** Reports whether the namespace is being terminated, so that the create is not retried. */
function isFinal(error: unknown): boolean {
  const { causes = [] } =
    ((error instanceof StatusError ? error.status.details : undefined) as
      | { causes?: { reason?: string }[] }
      | undefined) ?? {};
  return causes.some(({ reason }) => reason === 'NamespaceTerminating');
}

/**
 * Work queue of one reconciler: each object once at a time, again when it or a related object changes, and after a
 * delay when a write was refused.
 */
export class ReconcileWorker implements Worker {
  readonly #options: ReconcileWorkerOptions;
  readonly #pending = new Set<string>();
  readonly #timers = new Map<string, () => void>();
  readonly #failures = new Map<string, Failure>();

  readonly #unsubscribe: (() => void) | undefined;

  constructor(options: ReconcileWorkerOptions) {
    this.#options = options;
    this.#unsubscribe = options.reconciler.subscribe?.(() => this.#requeueAll());
  }

  get waiting(): number {
    return this.#pending.size;
  }

  take(change: Change): void {
    const { server, reconciler } = this.#options;
    const isOwn = change.collection === reconciler.collection;
    if (isOwn && (reconciler.predicate?.(change) ?? true)) this.#pending.add(change.key);
    if (reconciler.concerns === undefined) return;
    if (server.store.count(reconciler.collection) === 0 && reconciler.gone === undefined) return;
    for (const key of reconciler.concerns(change, this.#viewFor(undefined))) this.#pending.add(key);
  }

  async next(): Promise<Outcome> {
    const [key] = this.#pending;
    if (key === undefined) return 'empty';
    this.#pending.delete(key);
    this.#timers.get(key)?.();
    this.#timers.delete(key);
    try {
      return await this.#reconcile(key);
    } catch (error) {
      this.#options.onError(error);
      return 'passed';
    }
  }

  stop(): void {
    this.#unsubscribe?.();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#pending.clear();
    this.#failures.clear();
  }

  #requeueAll(): void {
    const { server, reconciler, wake } = this.#options;
    for (const { metadata } of server.store.page(reconciler.collection, { prefix: '' }).objects) {
      this.#pending.add(keyOf(metadata));
    }
    wake();
  }

  #viewFor(failure: Failure | undefined): View {
    const { store, clock, random } = this.#options.server;
    return {
      now: clock.now(),
      random,
      refusal: failure === undefined || failure.reported ? undefined : failure.message,
      get: <T extends ApiObject>(collection: string, key: string) => store.get(collection, key) as T | undefined,
      list: <T extends ApiObject>(collection: string, namespace?: string) =>
        store.page(collection, { prefix: namespace === undefined ? '' : `${namespace}/` }).objects as readonly T[],
    };
  }

  #decide(key: string, failure: Failure | undefined): Decision {
    const { server, reconciler } = this.#options;
    const object = server.store.get(reconciler.collection, key);
    const view = this.#viewFor(failure);
    if (object !== undefined) return reconciler.decide(object, view);
    this.#failures.delete(key);
    return reconciler.gone?.(key, view) ?? rest;
  }

  async #reconcile(key: string): Promise<Outcome> {
    const failure = this.#failures.get(key);
    const { writes, after } = this.#decide(key, failure);
    let done = 0;
    try {
      for (const write of writes) {
        await this.#options.writer.write(write);
        done += 1;
      }
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#refused(key, error);
      return done > 0 ? 'wrote' : 'passed';
    }
    if (failure !== undefined && !failure.reported) this.#retryLater(key, failure);
    else {
      this.#failures.delete(key);
      if (after !== undefined) this.#later(key, after);
    }
    return done > 0 ? 'wrote' : 'passed';
  }

  /** Requeues after a refusal: once at once so that it is reported, then with backoff; conflicts at once, up to a limit. */
  #refused(key: string, error: StatusError): void {
    if (isFinal(error)) return;
    const before = this.#failures.get(key);
    const failure = { count: (before?.count ?? 0) + 1, message: error.message, reported: isLate(error) };
    this.#failures.set(key, failure);
    const wasReport = before !== undefined && !before.reported;
    const isSoon = isLate(error) ? failure.count <= conflictsInARow : !wasReport;
    if (isSoon) this.#pending.add(key);
    else this.#retryLater(key, failure);
  }

  #retryLater(key: string, failure: Failure): void {
    this.#failures.set(key, { ...failure, reported: true });
    this.#later(key, Math.min(firstRetryDelay * 2 ** Math.min(failure.count - 1, 20), maxRetryDelay));
  }

  #later(key: string, ms: number): void {
    const { server, wake } = this.#options;
    const cancel = server.clock.after(Math.max(ms, 1), () => {
      this.#timers.delete(key);
      this.#pending.add(key);
      wake();
    });
    this.#timers.get(key)?.();
    this.#timers.set(key, cancel);
  }
}
