/** How a series of delays grows. All times in ms. */
export interface Backoff {
  /** The first delay. */
  readonly initialDelay: number;
  /** No delay is longer. */
  readonly maxDelay: number;
  /** The share of a delay that is random, 0 to 1: 0.5 gives delays between half and all of it, so that many waiters do not come back at once. */
  readonly jitter: number;
}

/** What is wrong with the cap or the jitter of a series that people chose, as a sentence; undefined when nothing is. */
export function mistakeInBackoff({ initialDelay, maxDelay, jitter }: Backoff): string | undefined {
  if (!(maxDelay >= initialDelay)) return `maxDelay must be at least initialDelay (${initialDelay}), found ${maxDelay}`;
  return jitter >= 0 && jitter <= 1 ? undefined : `jitter must be between 0 and 1, found ${jitter}`;
}

/** The delay before try number `attempt` (0 is the first): doubles each time, capped, then shortened by a random part. */
export function backoffDelay(
  { initialDelay, maxDelay, jitter }: Backoff,
  attempt: number,
  random: () => number,
): number {
  const delay = Math.min(maxDelay, initialDelay * 2 ** Math.min(attempt, 1000));
  return delay * (1 - jitter * random());
}
