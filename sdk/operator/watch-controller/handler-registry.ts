/** Registry of the watchers and reconcilers of a watch controller. */

import type { KubeObject } from '../../api/object.ts';
import { type ResourceWatcher, watcher } from '../../reconcile/grafana-app-sdk/watcher.ts';
import type { Reconciler } from '../../reconcile/reconciler.ts';
import { ListMap } from '../engine/list-map.ts';

/** Registered watcher or reconciler. */
export interface RegisteredHandler {
  readonly type: 'watcher' | 'reconciler';
  readonly reconcile: Reconciler<KubeObject>;
}

type AnyWatcher = ResourceWatcher<never> | Reconciler<never>;
type HandlerEntry = RegisteredHandler & { readonly original: object };

const checkKind = (resourceKind: string): void => {
  if (resourceKind === '') throw new TypeError('resourceKind cannot be empty');
};

const checkPresent = (value: unknown, what: string): void => {
  if (value === undefined || value === null) throw new TypeError(`${what} cannot be nil`);
};

/** Validates the arguments of an `add` method. @throws TypeError */
export function checkArguments(value: unknown, what: string, resourceKind: string): void {
  checkPresent(value, what);
  checkKind(resourceKind);
}

/** Handlers by resource kind, in call order: watchers, then reconcilers. They can be added and removed at any time. */
export class HandlerRegistry {
  readonly #watchers = new ListMap<string, HandlerEntry>();
  readonly #reconcilers = new ListMap<string, HandlerEntry>();

  /** @throws TypeError for no watcher or no kind */
  addWatcher(original: AnyWatcher, resourceKind: string): void {
    checkArguments(original, 'watcher', resourceKind);
    const reconcile = (typeof original === 'function' ? original : watcher(original)) as Reconciler<KubeObject>;
    this.#watchers.addItem(resourceKind, { type: 'watcher', reconcile, original });
  }

  /** @throws TypeError for no reconciler or no kind */
  addReconciler(original: Reconciler<never>, resourceKind: string): void {
    checkArguments(original, 'reconciler', resourceKind);
    const reconcile = original as unknown as Reconciler<KubeObject>;
    this.#reconcilers.addItem(resourceKind, { type: 'reconciler', reconcile, original });
  }

  /** Removes the first registration of this handler; does nothing if there is none. */
  removeWatcher(original: AnyWatcher, resourceKind: string): void {
    this.#watchers.removeItem(resourceKind, (handler) => handler.original === original);
  }

  /** Removes the first registration of this handler; does nothing if there is none. */
  removeReconciler(original: Reconciler<never>, resourceKind: string): void {
    this.#reconcilers.removeItem(resourceKind, (handler) => handler.original === original);
  }

  removeAllWatchers(resourceKind: string): void {
    this.#watchers.removeKey(resourceKind);
  }

  removeAllReconcilers(resourceKind: string): void {
    this.#reconcilers.removeKey(resourceKind);
  }

  /** Returns the current handlers of a kind. */
  of(resourceKind: string): readonly RegisteredHandler[] {
    return [...this.#watchers.items(resourceKind), ...this.#reconcilers.items(resourceKind)];
  }

  /** Reports whether a handler is still registered. */
  has(handler: RegisteredHandler, resourceKind: string): boolean {
    return this.of(resourceKind).includes(handler);
  }
}
