/** Runs a sequencer with health server, metrics and leader election. */

import type { Logger } from 'pino';
import {
  type Client,
  createHealthServer,
  failuresOf,
  type HealthServer,
  type LeaderTimes,
  type ObjectKey,
  type Observer,
  problemsOf,
  type Runnable,
  runOperator,
  stuckRunsOf,
  withLeaderElection,
} from '../../sdk/index.ts';
import type { Metrics } from '../../sdk/metrics/index.ts';
import type { Webhooks } from '../../sdk/webhooks/index.ts';
import type { Preflight } from './preflight/preflight.ts';
import type { Sequencer } from './sequencer.ts';
import { type ShardOptions, shardOf } from './shards.ts';
import { grace, shutdownTimeout } from './shutdown.ts';

/** Services besides a sequencer. */
export interface ServingOptions {
  /** Port of `/livez` and `/readyz`. @default none */
  readonly healthPort?: number;
  /** Port of `/metrics`, and of `/livez` and `/readyz` too; may equal the health port. @default none */
  readonly metricsPort?: number;
  /** Address that both ports bind to. @default all addresses */
  readonly healthHost?: string;
  /** Leader election: of the processes with the same lease, one walks. @default all walk */
  readonly leaderElection?: LeaderTimes & { readonly lease: ObjectKey; readonly identity: string };
  /** Shard that this process runs as, instead of a leader election. @default none */
  readonly shard?: Omit<ShardOptions, keyof Served>;
}

/** Sequencer with its dependencies. */
export interface Served {
  readonly client: Client;
  readonly sequencer: Pick<Sequencer, 'health' | 'warmUp'>;
  /** Checks before the first walk, and before this process becomes a candidate. */
  readonly preflight: Preflight;
  /** Walks until the signal aborts. */
  readonly main: Runnable;
  readonly signal: AbortSignal;
  /** Page of the operator. @default none */
  readonly page?: Runnable | undefined;
  /** Server of its webhook. @default none */
  readonly webhooks?: Webhooks | undefined;
  readonly metrics: Metrics | undefined;
  /** ms in which walks must end. */
  readonly drain: number;
  readonly logger: Logger | undefined;
}

/** Returns the durations of an election without the other options. */
export const leaseTimesOf = ({ leaseDuration, renewDeadline, retryPeriod }: LeaderTimes): LeaderTimes => ({
  ...(leaseDuration !== undefined && { leaseDuration }),
  ...(renewDeadline !== undefined && { renewDeadline }),
  ...(retryPeriod !== undefined && { retryPeriod }),
});

/** Returns the main part under leader election; undefined without one. */
function electedOf(served: Served, { leaderElection, shard }: ServingOptions): Runnable | undefined {
  const { client, main, metrics, drain, logger } = served;
  const observer: Pick<Observer, 'elected'> | undefined = metrics?.observer;
  if (shard !== undefined) return shardOf({ ...shard, client, main, observer, logger, drain: drain + grace });
  if (leaderElection === undefined) return undefined;
  return withLeaderElection({
    ...leaderElection,
    client,
    controllers: [main],
    drain: drain + grace,
    ...(observer && { observer }),
    ...(logger && { logger }),
  });
}

function serversOf({ sequencer, preflight, webhooks, metrics, logger }: Served, options: ServingOptions) {
  const { healthPort, metricsPort, healthHost: host } = options;
  const common = {
    ...(host !== undefined && { host }),
    live: () => stuckRunsOf(sequencer.health()),
    ready: () => {
      const problems = [...preflight.problems(), ...(webhooks?.problems() ?? [])];
      return problems.length > 0 ? problems : problemsOf(sequencer.health());
    },
    ...(logger && { logger }),
  };
  const servers: HealthServer[] = [];
  if (healthPort !== undefined && healthPort !== metricsPort)
    servers.push(createHealthServer({ ...common, port: healthPort }));
  if (metricsPort !== undefined)
    servers.push(createHealthServer({ ...common, port: metricsPort, ...(metrics && { metrics }) }));
  return servers;
}

/** Runs a sequencer with its services. @throws the error of the only failing part; OperatorError for several */
export async function runWithServices(served: Served, options: ServingOptions): Promise<void> {
  const elected = electedOf(served, options);
  const servers = serversOf(served, options);
  const work = elected ?? served.main;
  const prepared: Runnable = {
    name: work.name,
    async run(signal) {
      await served.preflight.pass(signal);
      const over = new AbortController();
      const until = AbortSignal.any([signal, over.signal]);
      const background: Promise<void>[] = [served.preflight.repeat(until).catch(() => undefined)];
      // A standby has cached all workspaces when it starts to lead.
      if (elected !== undefined) background.push(served.sequencer.warmUp(until));
      await work.run(signal).finally(() => over.abort());
      await Promise.all(background);
    },
  };
  const optional = [served.page, served.webhooks].filter((one) => one !== undefined);
  const controllers: readonly Runnable[] = [prepared, ...servers, ...optional];
  try {
    const drain = shutdownTimeout(served.drain);
    await runOperator({ controllers, signal: served.signal, drain, earlyEnd: 'fail' });
  } catch (error) {
    const failures = failuresOf(error);
    throw failures.length === 1 ? failures[0] : error;
  }
}
