import type { Logger } from 'pino';
import type { ObjectKey } from '../api/object.ts';
import type { ReconcileAction } from '../reconcile/object-event.ts';

/** A failure: its part, its object, and the time of the next try. */
export type WatchFailure =
  | {
      readonly type: 'watcher' | 'reconciler';
      /** The text it was added under; of an informer controller the resource, such as `configmaps`. */
      readonly resourceKind: string;
      readonly key: ObjectKey;
      readonly action: ReconcileAction;
      /** Failures in a row before this one. */
      readonly attempt: number;
      /** ms until it is tried again; undefined: it is given up. */
      readonly retryAfter: number | undefined;
    }
  | { readonly type: 'informer'; readonly resourceKind: string; readonly resource: string };

/** Told of a failure. */
export type ErrorHandler = (error: unknown, failure: WatchFailure) => void;

/** The handler of a watch controller that was given none: it tells the logger. Reflectors log their own failures. */
export const loggingHandler =
  (logger: Logger | undefined): ErrorHandler =>
  (error, { type, ...about }) => {
    if (type === 'informer') return;
    const isLast = !('retryAfter' in about) || about.retryAfter === undefined;
    logger?.[isLast ? 'error' : 'warn']({ ...about, err: error }, `${type} failed${isLast ? ', giving up' : ''}`);
  };

/** Tells a handler; one that throws must not stop the engine. */
export const safely =
  (handler: ErrorHandler, logger: Logger | undefined): ErrorHandler =>
  (error, failure) => {
    try {
      handler(error, failure);
    } catch (thrown) {
      logger?.error({ err: thrown }, 'the error handler failed');
    }
  };
