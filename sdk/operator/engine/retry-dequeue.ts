/** Policies that drop pending retries when an event supersedes them. */

import type { KubeObject } from '../../api/object.ts';
import type { ReconcileAction } from '../../reconcile/object-event.ts';

/** Action and object of an event or a retry, as a {@link RetryDequeuePolicy} compares them. */
export interface DequeueSide {
  readonly action: ReconcileAction;
  readonly object: KubeObject | undefined;
}

/** Pending retry. */
export interface PendingRetry extends DequeueSide {
  /** Error of the last attempt; undefined after a result that requested another run. */
  readonly error: unknown;
}

/**
 * Reports whether a pending retry is dropped because of a new event of its object. Called once for each retry of each watcher and
 * reconciler, before that handler is called for the event. Never called for a resync, which cancels no retry. Pure.
 */
export type RetryDequeuePolicy = (event: DequeueSide, retry: PendingRetry) => boolean;

/** Drops superseded retries: a deletion drops all, an event of the same action drops those of another generation. */
export const opinionatedRetryDequeuePolicy: RetryDequeuePolicy = (event, retry) => {
  if (event.action === 'deleted') return true;
  if (event.action !== retry.action) return false;
  return event.object?.metadata.generation !== retry.object?.metadata.generation;
};

/** Drops every retry of an object with a new event, as grafana-app-sdk does without a policy. */
export const dequeueAll: RetryDequeuePolicy = () => true;
