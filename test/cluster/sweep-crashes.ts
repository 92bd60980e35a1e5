/** Tests a client against a crash after each of its writes. */

import type { Cluster } from './cluster.ts';
import type { Fault } from './faults/fluent.ts';
import type { FaultScope } from './faults/request-matcher.ts';

/** Run with one crash, on a cluster of its own. */
export interface CrashRun {
  readonly cluster: Cluster;
  /** Fault that crashes the client: `remove()` lets it restart; `hits` tells whether it crashed. */
  readonly crash: Fault;
  /** Number of writes before the crash. */
  readonly writes: number;
}

/** Options of {@link sweepCrashes}. */
export interface CrashSweep {
  /** Cluster that each run forks; it is not changed. */
  readonly cluster: Cluster;
  /** Client that crashes: a user or a user agent. */
  readonly client: FaultScope;
  /** Maximum of writes before the sweep throws. @default 1000 */
  readonly most?: number;
}

/**
 * Runs `story` on a fork with a crash after the first write, then after the second, and so on, until a run ends
 * without a crash. Resolves with the number of crashes.
 */
export async function sweepCrashes(
  { cluster, client, most = 1000 }: CrashSweep,
  story: (run: CrashRun) => Promise<void>,
): Promise<number> {
  for (let writes = 1; writes <= most; writes += 1) {
    const fork = await cluster.fork();
    const crash = fork.faults.client(client).crash({ writes });
    try {
      await story({ cluster: fork, crash, writes });
    } finally {
      await fork.close();
    }
    if (crash.hits === 0) return writes - 1;
  }
  throw new Error(`there is still a crash after ${most} writes: does the story ever end?`);
}
