/** Global `fetch` and timers while an integration's function runs. */

import { trackGlobalFetch } from './tracked-fetch.ts';
import { trackGlobalTimers } from './tracked-timers.ts';
import { trackUnseenRequests } from './untracked-requests.ts';

/** Tracks requests and timers that an integration's functions make by global functions. @param isVirtual waits by the system's timers are mistakes @returns function that ends it */
export function trackGlobals(isVirtual: boolean): () => void {
  const ends = [trackGlobalTimers(isVirtual), trackGlobalFetch(), trackUnseenRequests()];
  return () => {
    for (const end of ends) end();
  };
}
