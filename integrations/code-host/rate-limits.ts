/** Rate limits of code hosts. */

import type { Clock } from '../../sdk/index.ts';

/** Maximum pause in seconds until a reset of the rate limit: an hour. */
const maxPause = 3600;

/**
 * Wraps fetch so that a rate limit refusal becomes a 429 with Retry-After. Hosts also answer 403, with Retry-After or with the time of the reset when
 * no requests remain (a minute if they name no reset). @param prefix of the headers: `x-ratelimit` of `x-ratelimit-remaining` and `x-ratelimit-reset`
 */
export const withRateLimits =
  (fetch: typeof globalThis.fetch, clock: Clock, prefix: string): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { status, headers, body } = response;
    if (status !== 403 && status !== 429) return response;
    const [after, remaining, reset] = ['retry-after', `${prefix}-remaining`, `${prefix}-reset`].map((name) =>
      headers.get(name),
    );
    const untilReset = Math.ceil(Number(reset ?? Number.NaN) - clock.now() / 1000);
    const pause = after ?? (remaining === '0' ? `${Math.min(maxPause, Math.max(1, untilReset || 60))}` : undefined);
    if (pause === undefined) return response;
    return new Response(body, { status: 429, headers: { 'retry-after': pause } });
  };
