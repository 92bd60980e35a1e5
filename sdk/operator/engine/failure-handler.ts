/** Error handlers of controllers, and what becomes of handlers and policies that throw. */

import type { Logger } from 'pino';
import type { ObjectKey } from '../../api/object.ts';
import { isRace } from '../../errors.ts';
import type { ReconcileAction } from '../../reconcile/object-event.ts';

/** Context of a failure: the component that failed, its object, and the delay of the retry. */
export type ControllerFailure =
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
export type ErrorHandler = (error: unknown, failure: ControllerFailure) => void;

/** Lost races in a row after which one line is logged at `warn`: another writer that changes the object each time leaves no other trace. */
const notable = 20;

const isTold = (attempt: number): boolean => attempt > 0 && attempt % notable === 0;

/** Default error handler: writes to the logger. Failures of informers are skipped, as reflectors log their own. */
export const loggingHandler =
  (logger: Logger | undefined): ErrorHandler =>
  (error, { type, ...about }) => {
    if (type === 'informer') return;
    const said = { ...about, err: error };
    if (!('retryAfter' in about) || about.retryAfter === undefined) logger?.error(said, `${type} failed, giving up`);
    else if (isRace(error))
      logger?.[isTold(about.attempt) ? 'warn' : 'debug'](said, `${type} found its object changed`);
    else logger?.warn(said, `${type} failed`);
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

/** Wraps a custom policy: if it throws, the error is logged and the default policy decides. */
export function unlessThrown<A extends readonly unknown[], R>(
  policy: (...args: A) => R,
  usual: (...args: A) => R,
  logger: Logger | undefined,
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
