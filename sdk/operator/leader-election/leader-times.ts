/** Durations of leader election. */

import { backoffs } from '../../retry.ts';

/** Durations of leader election in ms; the defaults of the first two are client-go's. */
export interface LeaderTimes {
  /** ms that other candidates wait after the last renewal they observed. @default 15 000 */
  readonly leaseDuration?: number;
  /** ms that the leader retries a renewal before it stops leading. @default 10 000 */
  readonly renewDeadline?: number;
  /** ms between attempts; waiting candidates add jitter. @default backoffs.leaderElection */
  readonly retryPeriod?: number;
}

const policy = backoffs.leaderElection;

/** Completes the times. @throws TypeError for times that contradict each other */
export function checkedTimes({
  leaseDuration = 15_000,
  renewDeadline = 10_000,
  retryPeriod = policy.initialDelay,
}: LeaderTimes): Required<LeaderTimes> {
  const longest = retryPeriod * policy.jitter;
  const refuse = (what: string): never => {
    throw new TypeError(`leader election: ${what}`);
  };
  if (!(retryPeriod > 0)) refuse(`retryPeriod must be more than 0 ms, found ${retryPeriod}`);
  if (!(renewDeadline > longest))
    refuse(`renewDeadline (${renewDeadline}) must be more than retryPeriod with its jitter (${longest})`);
  if (!(leaseDuration > renewDeadline))
    refuse(`leaseDuration (${leaseDuration}) must be more than renewDeadline (${renewDeadline})`);
  if (leaseDuration < 1000) refuse(`leaseDuration must be at least 1000 ms, found ${leaseDuration}`);
  return { leaseDuration, renewDeadline, retryPeriod };
}
