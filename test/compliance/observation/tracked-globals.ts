import { trackGlobalFetch } from './own-requests.ts';
import { trackGlobalTimers } from './own-timers.ts';
import { trackUnseenRequests } from './unseen-requests.ts';

/** Has requests and timers of the integration's functions seen that they make by themselves. @returns function that ends it */
export function trackGlobals(): () => void {
  const ends = [trackGlobalTimers(), trackGlobalFetch(), trackUnseenRequests()];
  return () => {
    for (const end of ends) end();
  };
}
