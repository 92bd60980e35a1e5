/** Requests of an integration's functions by the global `fetch`, which are sent by `run.fetch`. */

import { byIntegration } from './tracked-timers.ts';

const replaced: { users: number; restore(): void } = { users: 0, restore: () => undefined };

/** Returns a `fetch` that sends the requests of an integration's functions by `run.fetch`, so that they are recorded and have faults; all others as before. */
const trackedFetch =
  (plain: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) =>
    (byIntegration()?.fetch ?? plain)(input, init);

/** Has requests by the global `fetch` sent by `run.fetch`. @returns function that ends it; the last one puts the function back */
export function trackGlobalFetch(): () => void {
  if (replaced.users === 0) {
    const { fetch } = globalThis;
    globalThis.fetch = trackedFetch(fetch);
    replaced.restore = () => {
      globalThis.fetch = fetch;
    };
  }
  replaced.users += 1;
  return () => {
    replaced.users -= 1;
    if (replaced.users === 0) replaced.restore();
  };
}
