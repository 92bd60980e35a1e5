import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import {
  type Client,
  createClient,
  ensureCrds,
  isPod,
  type LeaderTimes,
  loadConnection,
  type Runnable,
  systemClock,
  Workspace,
} from '../sdk/index.ts';
import { accessOf, leaseName } from './access.ts';
import { type AccessPlaces, questionsOf, requireAccess } from './access-review.ts';
import { createPreflight } from './preflight.ts';
import { registered } from './registry.ts';
import { createSequencer, type Sequencer, type SequencerOptions } from './sequencer.ts';
import { metricsOf, type ServingOptions, serve, usualDrain } from './serving.ts';

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

/** Logs each line once, however often a check comes to it. */
function loggedOnce(logger: RunOptions['logger']) {
  const told = new Set<string>();
  return (level: 'info' | 'warn', text: string, about: object = {}): void => {
    const line = JSON.stringify([text, about]);
    if (!told.has(line)) logger?.[level](about, text);
    told.add(line);
  };
}

/** What has to hold before anything is made outside: the kind is served and keeps all we write, and no right is missing. */
function checksOf(client: Client, places: AccessPlaces, { integrations, leaderElection, logger }: RunOptions) {
  const once = loggedOnce(logger);
  return [
    {
      name: 'definitions',
      async run(signal: AbortSignal) {
        const outcomes = await ensureCrds(client, [Workspace], { signal, release: ownRelease() });
        for (const { name, outcome, notice } of outcomes)
          once(notice === undefined ? 'info' : 'warn', 'definition served', { name, outcome, notice });
      },
    },
    {
      name: 'rights',
      async run(signal: AbortSignal) {
        const access = accessOf({
          integrations: registered(integrations),
          leaderElection: leaderElection !== undefined,
          namespace: places.namespace,
        });
        if (!(await requireAccess(client, questionsOf(access, places), signal)))
          once('warn', 'rights could not be checked: the server answers no SelfSubjectAccessReview');
      },
    },
  ];
}

/** The sequencer as a part of an operator. */
const mainOf = (sequencer: Sequencer, onReady: RunOptions['onReady']): Runnable => ({
  name: 'sequencer',
  async run(signal) {
    void sequencer.synced.then(
      () => onReady?.(sequencer),
      () => undefined,
    );
    await sequencer.run(signal);
  },
});

/**
 * Connects, makes sure that the Workspace kind is served as this release needs it and that no right is missing, and walks workspaces until the
 * signal aborts; beside that, if asked to, a server of health and metrics. With leader election it walks only while this process leads.
 *
 * With a port for its health it waits for what an administrator has to mend first, and `/readyz` says what that is; without one it throws that.
 *
 * @throws UserError for a kubeconfig that cannot be used, integrations that contradict each other, E#1011 to E#1016 for what the cluster lacks;
 * UnreachableError, DrainError if attempts did not end in time, LeadershipLostError; OperatorError for several of them
 */
export async function runSequencer(all: RunOptions): Promise<void> {
  const { signal, kubeconfig, context, onReady, healthPort, metricsPort, healthHost, leaderElection, ...options } = all;
  const { logger, namespace, drain = usualDrain, clock = systemClock } = options;
  const connection = await loadConnection({
    env: process.env,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const metrics = await metricsOf(all);
  const observed = metrics && { observer: metrics.observer };
  const client = createClient({ connection, userAgent: 'sequencer', ...observed });
  try {
    const { namespace: operatorNamespace = connection.namespace ?? 'default', ...times } = leaderElection ?? {};
    const sequencer = createSequencer({ operatorNamespace, ...options, client, ...observed });
    const preflight = createPreflight({
      checks: checksOf(client, { namespace, operatorNamespace }, all),
      waits: (healthPort ?? metricsPort) !== undefined,
      clock,
      logger,
    });
    const lease = { namespace: operatorNamespace, name: leaseName };
    const host = healthHost ?? ((await isPod(process.env)) ? undefined : '127.0.0.1');
    await serve(
      { client, sequencer, preflight, main: mainOf(sequencer, onReady), signal, metrics, drain, logger },
      {
        ...(healthPort !== undefined && { healthPort }),
        ...(metricsPort !== undefined && { metricsPort }),
        ...(host !== undefined && { healthHost: host }),
        ...(leaderElection && { leaderElection: { ...times, lease, identity: candidateName() } }),
      },
    );
  } finally {
    await client.close();
  }
}
