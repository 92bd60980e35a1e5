/** Detection of requests that the API server refuses for missing rights or credentials. */

import { ApiError, type Clock, combinedObserver, type Observer } from '../../../sdk/index.ts';

/** Detector of refused requests. */
export interface RefusedRequestObserver {
  /** Observer of the client whose requests count, combined with the given one; raw requests, such as access reviews, do not count. */
  readonly observer: Observer;
  /** Calls `refused` after the first refused request, and then once a minute at most: quotas and policies answer 403 as well. */
  follow(refused: () => void): void;
}

const minInterval = 60_000;

const isRefusal = (error: unknown): boolean => error instanceof ApiError && (error.code === 401 || error.code === 403);

/** Creates an observer of refused requests, which also calls `others`. */
export function createRefusedRequestObserver(clock: Clock, others: Observer = {}): RefusedRequestObserver {
  let listener = (): void => undefined;
  let quietUntil = Number.NEGATIVE_INFINITY;
  const onFailure = (error: unknown): void => {
    if (!isRefusal(error) || clock.monotonic() < quietUntil) return;
    quietUntil = clock.monotonic() + minInterval;
    listener();
  };
  return {
    observer: combinedObserver(
      {
        request: async ({ kind }, work) => {
          try {
            return await work();
          } catch (error) {
            if (kind !== '') onFailure(error);
            throw error;
          }
        },
        watch: () => ({ ended: onFailure }),
      },
      others,
    ),
    follow(refused) {
      listener = refused;
    },
  };
}
