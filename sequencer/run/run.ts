/** Runs a sequencer as an operator: connection, checks, health and leader election. */

import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import {
  type Client,
  type ConfiguredRunnable,
  createClient,
  ensureCrds,
  isPod,
  type LeaderTimes,
  loadConnection,
  type Runnable,
  runOperator,
  SecretRegistry,
  systemClock,
  Workspace,
} from '../../sdk/index.ts';
import { registered } from '../engine/registry.ts';
import { accessOf } from './access.ts';
import { type AccessPlaces, questionsOf, requireAccess } from './access-review.ts';
import { instanceName } from './instance.ts';
import { createPreflight } from './preflight.ts';
import { createSequencer, type Sequencer, type SequencerOptions } from './sequencer.ts';
import { grace, metricsOf, type ServingOptions, serve, usualDrain } from './serving.ts';

/** Options of {@link runSequencer}: those of a sequencer, and its cluster. */
export interface RunOptions
  extends Omit<SequencerOptions, 'client' | 'observer'>,
    Omit<ServingOptions, 'leaderElection'> {
  /** Stops it: running attempts finish within `drain`, then the promise resolves. */
  readonly signal: AbortSignal;
  /** Path of a kubeconfig file. @default $KUBECONFIG, the pod's service account, or ~/.kube/config */
  readonly kubeconfig?: string;
  /** Context of that kubeconfig. @default the current one */
  readonly context?: string;
  /** Leader election by a Lease named `sequencer`, or by class and selector, in this namespace (of the connection, or `default`). @default all processes walk */
  readonly leaderElection?: LeaderTimes & { readonly namespace?: string };
  /** Run beside the sequencer, in the process that walks and while it walks; the end of one is the end of all. @default none */
  readonly runnables?: readonly ConfiguredRunnable[];
  /** Called once all workspaces are followed, with access to the health. */
  readonly onReady?: (sequencer: Pick<Sequencer, 'health'>) => void;
}

/** Returns the version of this package: an older replica does not downgrade the CRD of a newer one. */
function ownRelease(): string {
  const { version } = createRequire(import.meta.url)('workspace-sequencer/package.json') as {
    readonly version: string;
  };
  return version;
}

/** Returns a unique identity of this process among the candidates. */
const candidateName = (): string => `${hostname()}.${process.pid}.${randomUUID().slice(0, 8)}`;

/** Returns a function that logs each distinct line once. */
function loggedOnce(logger: RunOptions['logger']) {
  const told = new Set<string>();
  return (level: 'info' | 'warn', text: string, about: object = {}): void => {
    const line = JSON.stringify([text, about]);
    if (!told.has(line)) logger?.[level](about, text);
    told.add(line);
  };
}

/** Returns the checks before anything external is created: the CRD is served without gaps, and no permission is missing. */
function checksOf(client: Client, places: AccessPlaces, options: RunOptions) {
  const { integrations, runnables, leaderElection, logger } = options;
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
          ...options,
          integrations: registered(integrations),
          runnables,
          leaderElection: leaderElection !== undefined,
          namespace: places.namespace,
        });
        if (!(await requireAccess(client, questionsOf(access, places), { signal })))
          once('warn', 'rights could not be checked: the server answers no SelfSubjectAccessReview');
      },
    },
  ];
}

/** Wraps the sequencer as a part of an operator. */
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

/** Runs the sequencer and the runnables of its config as one; without any, the sequencer alone. */
function besideOf(main: Runnable, others: readonly Runnable[], drain: number): Runnable {
  if (others.length === 0) return main;
  const run = (signal: AbortSignal): Promise<void> =>
    runOperator({ controllers: [main, ...others], signal, drain, earlyEnd: 'fail' });
  return { name: main.name, run };
}

/**
 * Connects, ensures that the Workspace kind is served as this release needs it and that no permission is missing, and walks workspaces until the
 * signal aborts; if configured, serves health and metrics. With leader election it walks only while this process leads.
 *
 * With a health port, it waits for problems that an administrator has to fix, and `/readyz` reports them; without one it throws them.
 *
 * @throws UserError for an unusable kubeconfig, conflicting integrations, E#1011 to E#1016 for problems of the cluster; UnreachableError, DrainError
 * if attempts did not end in time, LeadershipLostError; OperatorError for several of them
 */
export async function runSequencer(all: RunOptions): Promise<void> {
  const { signal, kubeconfig, context, onReady, healthPort, metricsPort, healthHost, leaderElection, ...rest } = all;
  const { runnables = [], ...options } = rest;
  const { logger, namespace, drain = usualDrain, clock = systemClock, secrets = new SecretRegistry() } = options;
  secrets.add(...runnables.flatMap((one) => one.secrets ?? []));
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
    const sequencer = createSequencer({ operatorNamespace, ...options, secrets, client, ...observed });
    const others = runnables.map((one) => one.create({ client, clock, logger }));
    const main = besideOf(mainOf(sequencer, onReady), others, drain + grace);
    const preflight = createPreflight({
      checks: checksOf(client, { namespace, operatorNamespace }, all),
      waits: (healthPort ?? metricsPort) !== undefined,
      clock,
      logger,
    });
    const lease = { namespace: operatorNamespace, name: instanceName(all) };
    const host = healthHost ?? ((await isPod(process.env)) ? undefined : '127.0.0.1');
    await serve(
      { client, sequencer, preflight, main, signal, metrics, drain, logger },
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
