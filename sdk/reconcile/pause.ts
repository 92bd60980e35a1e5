/** Reconciler that honours the pause annotation. */

import type { KubeObject } from '../api/object.ts';
import { isPaused, type PauseOptions } from '../api/pause.ts';
import { isDeletingOrGone, withLastKnownObject } from './object-event.ts';
import { done, type Reconciler } from './reconciler.ts';
import { declareConditions } from './written-conditions.ts';

/** Skips objects that are paused by annotation, as the sequencer does; their deletion is handled unless `pauseDeletion` is set. */
export const pausable = <T extends KubeObject>(options: PauseOptions, inner: Reconciler<T>): Reconciler<T> =>
  declareConditions('pausable', { inner: [[inner]] }, async (request) => {
    const last = withLastKnownObject(request);
    const skips = last !== undefined && isPaused(last.object, options, isDeletingOrGone(last));
    return skips ? done : inner(request);
  });
