/** Exponential backoff with jitter. */

/** Parameters of a series of delays; times in ms. */
export interface Backoff {
  /** First delay. */
  readonly initialDelay: number;
  /** Longest delay. */
  readonly maxDelay: number;
  /** Random share of a delay, 0 to 1: 0.5 gives delays between half and all of it, so that clients do not retry in step. */
  readonly jitter: number;
}

/** Describes an invalid maximum or jitter; undefined when both are valid. */
export function mistakeInBackoff({ initialDelay, maxDelay, jitter }: Backoff): string | undefined {
  if (!(maxDelay >= initialDelay)) return `maxDelay must be at least initialDelay (${initialDelay}), found ${maxDelay}`;
  return jitter >= 0 && jitter <= 1 ? undefined : `jitter must be between 0 and 1, found ${jitter}`;
}

/** Returns the delay before attempt number `attempt` (0 is the first): doubled each time, capped, then shortened by a random share. */
export function backoffDelay(
  { initialDelay, maxDelay, jitter }: Backoff,
  attempt: number,
  random: () => number,
): number {
  const delay = Math.min(maxDelay, initialDelay * 2 ** Math.min(attempt, 1000));
  return delay * (1 - jitter * random());
}
