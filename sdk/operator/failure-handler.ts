/** Error handlers of controllers. */

import type { Logger } from 'pino';
import type { ObjectKey } from '../api/object.ts';
import type { ReconcileAction } from '../reconcile/object-event.ts';

/** Context of a failure: the component that failed, its object, and the delay of the retry. */
export type WatchFailure =
  | {
      readonly type: 'watcher' | 'reconciler';
      /** Resource kind it was added under; of an informer controller the resource, such as `configmaps`. */
      readonly resourceKind: string;
      readonly key: ObjectKey;
      readonly action: ReconcileAction;
      /** Failures in a row before this one. */
      readonly attempt: number;
      /** ms until the retry; undefined when it was given up. */
      readonly retryAfter: number | undefined;
    }
  | { readonly type: 'informer'; readonly resourceKind: string; readonly resource: string };

/** Handles a failure. */
export type ErrorHandler = (error: unknown, failure: WatchFailure) => void;

/** Default error handler of a watch controller: writes to the logger. Failures of informers are skipped, as reflectors log their own. */
export const loggingHandler =
  (logger: Logger | undefined): ErrorHandler =>
  (error, { type, ...about }) => {
    if (type === 'informer') return;
    const isLast = !('retryAfter' in about) || about.retryAfter === undefined;
    logger?.[isLast ? 'error' : 'warn']({ ...about, err: error }, `${type} failed${isLast ? ', giving up' : ''}`);
  };

/** Wraps an error handler so that an error it throws is logged and does not stop the engine. */
export const safely =
  (handler: ErrorHandler, logger: Logger | undefined): ErrorHandler =>
  (error, failure) => {
    try {
      handler(error, failure);
    } catch (thrown) {
      logger?.error({ err: thrown }, 'the error handler failed');
    }
  };
