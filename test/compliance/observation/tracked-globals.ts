/** Global `fetch` and timers while an integration's function runs. */

import { trackGlobalFetch } from './tracked-fetch.ts';
import { trackGlobalTimers } from './tracked-timers.ts';
import { trackUnseenRequests } from './untracked-requests.ts';

/** Tracks requests and timers that an integration's functions make by global functions. @returns function that ends it */
export function trackGlobals(): () => void {
  const ends = [trackGlobalTimers(), trackGlobalFetch(), trackUnseenRequests()];
  return () => {
    for (const end of ends) end();
  };
}
