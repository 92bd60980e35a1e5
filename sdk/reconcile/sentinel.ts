import type { KubeObject } from '../api/object.ts';
import { chain } from './chain.ts';
import { pass } from './pass.ts';
import type { Reconciler } from './reconciler.ts';

/**
 * Watches objects that belong to somebody else, and keeps children beside them (operator-sdk-extra's Sentinel): the object itself is never written,
 * neither its finalizers nor its status. Its children go with it by their owner reference.
 * A failure is told as the event SentinelActionError.
 */
export const sentinel = <T extends KubeObject>(...reconcilers: readonly Reconciler<T>[]): Reconciler<T> =>
  pass<T>({
    status: false,
    warning: 'SentinelActionError',
    steps: (context) => [{ name: 'children', run: () => chain(...reconcilers)(context) }],
    cleanUp: () => [],
  });
