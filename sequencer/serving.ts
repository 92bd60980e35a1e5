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
} from '../sdk/index.ts';
import type { Metrics } from '../sdk/metrics/index.ts';
import type { Preflight } from './preflight.ts';
import type { Sequencer } from './sequencer.ts';

/** What runs beside a sequencer. */
export interface ServingOptions {
  /** Port of `/livez` and `/readyz`. @default none */
  readonly healthPort?: number;
  /** Port of `/metrics`, and of `/livez` and `/readyz` too; may be the health port. @default none */
  readonly metricsPort?: number;
  /** The address that both ports are opened on. @default all addresses */
  readonly healthHost?: string;
  /** Of several processes with the same lease one walks, the others wait. @default all walk */
  readonly leaderElection?: LeaderTimes & { readonly lease: ObjectKey; readonly identity: string };
}

/** A sequencer and what it needs to be served. */
export interface Served {
  readonly client: Client;
  readonly sequencer: Pick<Sequencer, 'health'>;
  /** Passed before the first walk, and before this process is a candidate. */
  readonly preflight: Preflight;
  /** Walks until the signal aborts. */
  readonly main: Runnable;
  readonly signal: AbortSignal;
  readonly metrics: Metrics | undefined;
  /** ms that walks have to end. */
  readonly drain: number;
  readonly logger: Logger | undefined;
}

/** ms beyond the drain of what is inside, so that it can say itself what did not end. */
const grace = 5000;

/** ms that walks have to end, unless somebody says otherwise. */
export const usualDrain = 10_000;

/** ms from the signal to stop until a served sequencer has ended, whatever its walks do. */
export const stopsWithin = (drain = usualDrain): number => drain + 3 * grace;

/** Metrics and the observer that fills them, if there is a port for them; prom-client is loaded only then. */
export async function metricsOf({ metricsPort }: Pick<ServingOptions, 'metricsPort'>): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { createMetrics } = await import('../sdk/metrics/index.ts');
  return createMetrics();
}

function electedOf(served: Served, { leaderElection }: ServingOptions) {
  if (leaderElection === undefined) return undefined;
  const { client, main, metrics, drain, logger } = served;
  const observer: Pick<Observer, 'elected'> | undefined = metrics?.observer;
  return withLeaderElection({
    ...leaderElection,
    client,
    controllers: [main],
    drain: drain + grace,
    ...(observer && { observer }),
    ...(logger && { logger }),
  });
}

function serversOf(
  { sequencer, preflight, metrics, logger }: Served,
  options: ServingOptions,
  isWaiting: () => boolean,
) {
  const { healthPort, metricsPort, healthHost: host } = options;
  const common = {
    ...(host !== undefined && { host }),
    live: () => stuckRunsOf(sequencer.health()),
    ready: () => {
      const problems = preflight.problems();
      return problems.length > 0 || isWaiting() ? problems : problemsOf(sequencer.health());
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

/** Runs a sequencer with everything beside it. @throws what its only failing part throws; OperatorError for several */
export async function serve(served: Served, options: ServingOptions): Promise<void> {
  const elected = electedOf(served, options);
  const servers = serversOf(served, options, () => elected !== undefined && !elected.isLeader());
  const work = elected ?? served.main;
  const prepared: Runnable = {
    name: work.name,
    async run(signal) {
      await served.preflight.pass(signal);
      const over = new AbortController();
      const checking = served.preflight.repeat(AbortSignal.any([signal, over.signal])).catch(() => undefined);
      await work.run(signal).finally(() => over.abort());
      await checking;
    },
  };
  const controllers: readonly Runnable[] = [prepared, ...servers];
  try {
    const drain = stopsWithin(served.drain);
    await runOperator({ controllers, signal: served.signal, drain, earlyEnd: 'fail' });
  } catch (error) {
    const failures = failuresOf(error);
    throw failures.length === 1 ? failures[0] : error;
  }
}
