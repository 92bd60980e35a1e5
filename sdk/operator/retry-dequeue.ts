import type { KubeObject } from '../api/object.ts';
import type { ReconcileAction } from '../reconcile/object-event.ts';

/** One side of the question of a {@link RetryDequeuePolicy}. */
export interface DequeueSide {
  readonly action: ReconcileAction;
  readonly object: KubeObject | undefined;
}

/** A retry that waits. */
export interface PendingRetry extends DequeueSide {
  /** What the last try failed with; undefined: it asked to run again. */
  readonly error: unknown;
}

/**
 * Whether a retry that waits is dropped since something new has happened to its object. Asked once for each retry of each watcher and
 * reconciler, before that is called for the event. Never asked for a resync: that cancels nothing. Pure.
 */
export type RetryDequeuePolicy = (event: DequeueSide, retry: PendingRetry) => boolean;

/** Drops what a deletion or a newer spec has made pointless: the deletion drops all; of the same action, another generation drops. */
export const opinionatedRetryDequeuePolicy: RetryDequeuePolicy = (event, retry) => {
  if (event.action === 'deleted') return true;
  if (event.action !== retry.action) return false;
  return event.object?.metadata.generation !== retry.object?.metadata.generation;
};

/** Drops every retry of an object to which something happens: what grafana-app-sdk does without a policy. */
export const dequeueAll: RetryDequeuePolicy = () => true;
