/** Error handlers of controllers, and wrappers for handlers and policies that throw. */

import type { Logger } from 'pino';
import type { ObjectKey } from '../../api/object.ts';
import { isRace } from '../../errors.ts';
import type { ReconcileAction } from '../../reconcile/object-event.ts';

/** Context of a failure: the component that failed, its object, and the delay of the retry. */
export type ControllerFailure =
  | {
      readonly type: 'watcher' | 'reconciler';
      /** Resource kind under which the component was added; for an informer controller the resource, such as `configmaps`. */
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

/** Number of lost races in a row per warning. Single races are logged at `debug`; repeated ones indicate a competing writer. */
const warnEvery = 20;

const isWarned = (attempt: number): boolean => attempt > 0 && attempt % warnEvery === 0;

/** Default error handler, which logs failures. Failures of informers are skipped, since reflectors log them. */
export const loggingHandler =
  (logger: Logger | undefined): ErrorHandler =>
  (error, { type, ...about }) => {
    if (type === 'informer') return;
    const fields = { ...about, err: error };
    if (!('retryAfter' in about) || about.retryAfter === undefined) logger?.error(fields, `${type} failed, giving up`);
    else if (isRace(error))
      logger?.[isWarned(about.attempt) ? 'warn' : 'debug'](fields, `${type} found its object changed`);
    else logger?.warn(fields, `${type} failed`);
  };

/** Wraps an error handler so that an error it throws is logged and does not stop the engine. */
export const withErrorLogged =
  (handler: ErrorHandler, logger: Logger | undefined): ErrorHandler =>
  (error, failure) => {
    try {
      handler(error, failure);
    } catch (thrown) {
      logger?.error({ err: thrown }, 'the error handler failed');
    }
  };

/** Wraps a custom policy: if it throws, the error is logged and the default policy decides. */
export function withFallback<A extends readonly unknown[], R>(
  policy: (...args: A) => R,
  fallback: (...args: A) => R,
  logger: Logger | undefined,
) {
  return (...args: A): R => {
    try {
      return policy(...args);
    } catch (error) {
      logger?.error({ err: error }, 'a policy failed, using the default');
      return fallback(...args);
    }
  };
}
