import { trackGlobalFetch } from './tracked-fetch.ts';
import { trackGlobalTimers } from './tracked-timers.ts';
import { trackUnseenRequests } from './untracked-requests.ts';

/** Has requests and timers of the integration's functions seen that they make by themselves. @returns function that ends it */
export function trackGlobals(): () => void {
  const ends = [trackGlobalTimers(), trackGlobalFetch(), trackUnseenRequests()];
  return () => {
    for (const end of ends) end();
  };
}
