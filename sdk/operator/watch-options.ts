import type { Logger } from 'pino';
import type { ObjectKey } from '../api/object.ts';
import type { Client } from '../client/client.ts';
import type { Recorder } from '../client/recorder.ts';
import type { Clock } from '../clock.ts';
import type { ReconcileAction } from '../reconcile/object-event.ts';
import type { RetryDequeuePolicy } from './dequeue.ts';
import type { Observer } from './observer.ts';
import type { RetryPolicy } from './retry.ts';

/** What failed, and what comes next. */
export type WatchFailure =
  | {
      readonly type: 'watcher' | 'reconciler';
      readonly resourceKind: string;
      readonly key: ObjectKey;
      readonly action: ReconcileAction;
      /** Failures in a row before this one. */
      readonly attempt: number;
      /** ms until it is tried again; undefined: it is given up. */
      readonly retryAfter: number | undefined;
    }
  | { readonly type: 'informer'; readonly resourceKind: string; readonly resource: string };

/** How a {@link WatchController} goes about its work. */
export interface WatchControllerOptions {
  readonly client: Client;
  /** In logs, metrics, health and errors. @default 'watch-controller' */
  readonly name?: string;
  /** When a failed call is made again. @default six times: 5 s doubling to 160 s, each up to a fifth shorter */
  readonly retryPolicy?: RetryPolicy;
  /** Which waiting retries an event makes pointless. @default opinionatedRetryDequeuePolicy */
  readonly retryDequeuePolicy?: RetryDequeuePolicy;
  /** Told of every failure: first calls, retries, giving up, lists and watches. @default it is logged */
  readonly errorHandler?: (error: unknown, failure: WatchFailure) => void;
  /** How many objects are worked on at once. @default 10 */
  readonly workers?: number;
  /** ms after which the signal of a call aborts; the call holds its object until it ends. @default 300 000 */
  readonly deadline?: number;
  /** ms that calls may go on after the signal has aborted; then their own signals abort. @default 10 000 */
  readonly drain?: number;
  /** Takes the events of the calls; a recorder of your own must be closed by you. @default one of the controller's, named after it */
  readonly events?: Pick<Recorder, 'event'>;
  readonly observer?: Observer;
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: () => number;
  readonly logger?: Logger;
}

const known: ReadonlySet<string> = new Set<keyof WatchControllerOptions>([
  'client',
  'name',
  'retryPolicy',
  'retryDequeuePolicy',
  'errorHandler',
  'workers',
  'deadline',
  'drain',
  'events',
  'observer',
  'clock',
  'random',
  'logger',
]);

/** Refuses what makes no sense. @throws TypeError naming the option */
export function checkWatchOptions(options: WatchControllerOptions): void {
  const refuse = (what: string): never => {
    throw new TypeError(`watch controller: ${what}`);
  };
  const unknown = Object.keys(options).find((option) => !known.has(option));
  if (unknown !== undefined) refuse(`${unknown} is no option; known are ${[...known].join(', ')}`);
  const { client, workers = 1, deadline = 1, drain = 0 } = options;
  if (client === undefined || client === null) throw new TypeError('client cannot be nil');
  if (!Number.isInteger(workers) || workers < 1)
    refuse(`workers must be a whole number of at least 1, found ${workers}`);
  if (!(deadline > 0)) refuse(`deadline must be more than 0 ms, found ${deadline}`);
  if (!(drain >= 0)) refuse(`drain must be 0 ms or more, found ${drain}`);
}
