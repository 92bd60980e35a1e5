import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { createClient, ensureCrds, type LeaderTimes, loadConnection, type Runnable, Workspace } from '../sdk/index.ts';
import { createSequencer, type Sequencer, type SequencerOptions } from './sequencer.ts';
import { metricsOf, type ServingOptions, serve } from './serving.ts';

/** What {@link runSequencer} takes: the options of a sequencer, and where its cluster is. */
export interface RunOptions
  extends Omit<SequencerOptions, 'client' | 'observer'>,
    Omit<ServingOptions, 'leaderElection'> {
  /** Stops it: running attempts come to an end within `drain`, then the promise resolves. */
  readonly signal: AbortSignal;
  /** Path of a kubeconfig file. @default $KUBECONFIG, the pod's service account, or ~/.kube/config */
  readonly kubeconfig?: string;
  /** A context of that kubeconfig. @default its current one */
  readonly context?: string;
  /** Of several processes one walks and the others wait, by a Lease named `sequencer` in this namespace (of the connection, or `default`). @default all walk */
  readonly leaderElection?: LeaderTimes & { readonly namespace?: string };
  /** Told once it follows all workspaces, with its health to ask for. */
  readonly onReady?: (sequencer: Pick<Sequencer, 'health'>) => void;
}

/** The version of this package: an older replica leaves the definition of a newer one alone. */
function ownRelease(): string {
  const { version } = createRequire(import.meta.url)('workspace-sequencer/package.json') as {
    readonly version: string;
  };
  return version;
}

/** Names this process among the candidates: no other ever has the same. */
const candidateName = (): string => `${hostname()}.${process.pid}.${randomUUID().slice(0, 8)}`;

/**
 * Connects, makes sure that the Workspace kind is served, and walks workspaces until the signal aborts; beside that, if asked to, a server
 * of health and metrics. With leader election all of this but the server happens only while this process leads.
 *
 * @throws UserError for a kubeconfig that cannot be used or integrations that contradict each other, UnreachableError, ForbiddenError,
 * DrainError if attempts did not end in time, LeadershipLostError
 */
export async function runSequencer(all: RunOptions): Promise<void> {
  const { signal, kubeconfig, context, onReady, healthPort, metricsPort, healthHost, leaderElection, ...options } = all;
  const connection = await loadConnection({
    env: process.env,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const metrics = await metricsOf(all);
  const observed = metrics && { observer: metrics.observer };
  const client = createClient({ connection, userAgent: 'sequencer', ...observed });
  try {
    const sequencer = createSequencer({ ...options, client, ...observed });
    const main: Runnable = {
      name: 'sequencer',
      async run(running) {
        const outcomes = await ensureCrds(client, [Workspace], { signal: running, release: ownRelease() });
        for (const { name, outcome, notice } of outcomes)
          options.logger?.info({ name, outcome, notice }, 'definition served');
        void sequencer.synced.then(
          () => onReady?.(sequencer),
          () => undefined,
        );
        await sequencer.run(running);
      },
    };
    const { namespace = connection.namespace ?? 'default', ...times } = leaderElection ?? {};
    const lease = { namespace, name: 'sequencer' };
    await serve(
      { client, sequencer, main, signal, metrics, drain: options.drain ?? 10_000, logger: options.logger },
      {
        ...(healthPort !== undefined && { healthPort }),
        ...(metricsPort !== undefined && { metricsPort }),
        ...(healthHost !== undefined && { healthHost }),
        ...(leaderElection && { leaderElection: { ...times, lease, identity: candidateName() } }),
      },
    );
  } finally {
    await client.close();
  }
}
