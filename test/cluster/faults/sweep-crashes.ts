import type { Cluster } from '../cluster.ts';
import type { Fault } from './fluent.ts';
import type { FaultScope } from './target.ts';

/** A cluster of its own for one crash, and the fault that is the crash. */
export interface CrashRun {
  readonly cluster: Cluster;
  /** `remove()` brings the client up again; `hits` says whether it went down. */
  readonly crash: Fault;
  /** After how many writes the client dies. */
  readonly writes: number;
}

/** What is swept. */
export interface CrashSweep {
  /** Each run begins as this one is, and leaves it as it is. */
  readonly cluster: Cluster;
  /** Who dies: a user or a user agent. */
  readonly client: FaultScope;
  /** Throws when runs go on with more writes than this. @default 1000 */
  readonly most?: number;
}

/** Runs a story with a crash after the first write, then with one after the second, and so on, each on a fork, until one ends without a crash. Resolves with how many crashes there were. */
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
