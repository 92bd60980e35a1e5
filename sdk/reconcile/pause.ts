/** Pauses the reconciliation of annotated objects. */

import type { KubeObject } from '../api/object.ts';
import { isEnding, lastSeen } from './object-event.ts';
import { done, type Reconciler } from './reconciler.ts';

/** Options of {@link pausable}. */
export interface PauseOptions {
  /** Annotations with the value that pauses an object; any one suffices. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Pauses the clean-up as well; an object that is removed while it is paused gets none. @default false */
  readonly pauseDeletion?: boolean;
}

const isPaused = ({ metadata }: KubeObject, annotations: PauseOptions['annotations']): boolean =>
  Object.entries(annotations).some(([name, value]) => metadata.annotations?.[name] === value);

/** Skips objects that are paused by annotation; their deletion is handled unless `pauseDeletion` is set. */
export const pausable =
  <T extends KubeObject>({ annotations, pauseDeletion = false }: PauseOptions, inner: Reconciler<T>): Reconciler<T> =>
  async (request) => {
    const last = lastSeen(request);
    const waits = last !== undefined && isPaused(last.object, annotations) && (pauseDeletion || !isEnding(last));
    return waits ? done : inner(request);
  };
