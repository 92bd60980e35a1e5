import type { Logger } from 'pino';
import { type Kind, resourceOf } from '../api/kind.ts';
import type { KubeObject } from '../api/object.ts';
import type { Client, Selection } from '../client/client.ts';
import type { OwnWrites } from '../client/own-writes.ts';
import type { Recorder } from '../client/recorder.ts';
import type { StoreOptions } from '../client/store.ts';
import type { Clock } from '../clock.ts';
import type { Reconciler } from '../reconcile/reconciler.ts';
import type { Observer } from './observer.ts';
import type { RetryPolicy } from './retry.ts';
import type { Watched } from './source.ts';

/** What a controller follows and what it does about it. */
export interface InformerControllerOptions<T extends KubeObject> extends StoreOptions<T> {
  readonly client: Client;
  readonly kind: Kind<T>;
  /** Called for each object at start-up and after each change; one run per object at a time. */
  readonly reconciler: Reconciler<T>;
  /** In logs, health and errors. @default the resource, such as `workspaces.se.quencer.io` */
  readonly name?: string;
  /** Which objects of the kind. @default all */
  readonly selection?: Selection;
  /** Kinds of objects that are owned (owner reference) by ours: a change of one runs its owner. @default [] */
  readonly owns?: readonly Kind[];
  /** Other kinds whose changes run ours, see `watched`. @default [] */
  readonly watches?: readonly Watched[];
  /** How many objects run at once. @default 10 */
  readonly workers?: number;
  /** When a failed run is tried again. @default exponentialBackoff(): 1 s doubling to 5 min */
  readonly retry?: RetryPolicy;
  /** ms after which a run's signal aborts; the run holds its object until it ends. @default 300 000 */
  readonly deadline?: number;
  /** ms that runs may go on after the signal has aborted; then their own signals abort. @default 10 000 */
  readonly drain?: number;
  /** ms between runs of every object without a reason (cause `resync`). @default never */
  readonly resyncInterval?: number;
  /**
   * Whether changes that our own writes made run the object again: `'ignore'` for a reconciler that looks again by itself after it has written.
   * @default 'run'
   */
  readonly echoes?: 'run' | 'ignore';
  /** The notes of the client that the reconciler writes with, if it is not the controller's own `client`. */
  readonly ownWrites?: OwnWrites;
  /** ms without any byte after which a watch counts as dead. @default the client's */
  readonly idleTimeout?: number;
  /** Takes the events of the runs; a recorder of your own must be closed by you. @default one of the controller's, named after it */
  readonly events?: Pick<Recorder, 'event'>;
  /** Sees what is done: metrics and traces. @default nobody */
  readonly observer?: Observer;
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: () => number;
  readonly logger?: Logger;
}

const known: ReadonlySet<string> = new Set<keyof InformerControllerOptions<KubeObject>>([
  'client',
  'kind',
  'reconciler',
  'name',
  'selection',
  'owns',
  'watches',
  'workers',
  'retry',
  'deadline',
  'drain',
  'resyncInterval',
  'ownWrites',
  'echoes',
  'events',
  'observer',
  'idleTimeout',
  'clock',
  'random',
  'logger',
  'project',
  'indexes',
]);

/** Refuses what makes no sense. @throws TypeError naming the option, what was expected and what was found */
export function checkOptions<T extends KubeObject>(options: InformerControllerOptions<T>): void {
  const name = options.name ?? (options.kind === undefined ? '' : resourceOf(options.kind));
  const refuse = (what: string): never => {
    throw new TypeError(`controller ${name}: ${what}`);
  };
  const unknown = Object.keys(options).find((option) => !known.has(option));
  if (unknown !== undefined) refuse(`${unknown} is no option; known are ${[...known].join(', ')}`);
  for (const required of ['client', 'kind', 'reconciler'] as const)
    if (options[required] === undefined) refuse(`${required} is missing`);
  const { workers = 1 } = options;
  if (!Number.isInteger(workers) || workers < 1)
    refuse(`workers must be a whole number of at least 1, found ${workers}`);
  for (const duration of ['deadline', 'resyncInterval', 'idleTimeout'] as const) {
    const ms = options[duration] ?? 1;
    if (!(ms > 0)) refuse(`${duration} must be more than 0 ms, found ${ms}`);
  }
  const { drain = 0 } = options;
  if (!(drain >= 0)) refuse(`drain must be 0 ms or more, found ${drain}`);
}
