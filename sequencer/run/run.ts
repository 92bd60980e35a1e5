/** Runs a sequencer as an operator: connection, checks, health and leader election. */

import { hostname } from 'node:os';
import { defined, shardNameOf } from '../../sdk/host/index.ts';
import {
  type Client,
  type Clock,
  type ConfiguredRunnable,
  createClient,
  ensureCrds,
  isPod,
  type LeaderTimes,
  loadConnection,
  type Runnable,
  SecretRegistry,
  systemClock,
} from '../../sdk/index.ts';
import { servedKinds } from '../tenants/tenant-integration.ts';
import { checkIntegrations, misspeltAfter } from './check-integrations.ts';
import { createInstrumentation, type InstrumentationOptions } from './instrumentation.ts';
import { instanceName } from './operator-instance.ts';
import { packageVersion } from './package-version.ts';
import { accessOf } from './preflight/access.ts';
import { type AccessNamespaces, questionsOf, requireAccess } from './preflight/access-review.ts';
import { followDefinitions } from './preflight/follow-definitions.ts';
import { createPreflight } from './preflight/preflight.ts';
import { createRefusedRequestObserver } from './preflight/refused-request-observer.ts';
import { leaseTimesOf, runWithServices, type ServingOptions } from './run-with-services.ts';
import { runnableGroup } from './runnable-group.ts';
import { createSequencer, type Sequencer, type SequencerOptions } from './sequencer.ts';
import { pageOf } from './served-page.ts';
import { webhooksOf } from './served-webhooks.ts';
import { defaultDrain, grace } from './shutdown.ts';

/** Options of {@link runSequencer}: the options of a sequencer, and its cluster. */
export interface RunOptions
  extends Omit<SequencerOptions, 'client' | 'observer' | 'shard'>,
    Omit<ServingOptions, 'leaderElection' | 'shard'>,
    InstrumentationOptions {
  /** Stops it: running attempts finish within `drain`, then the promise resolves. */
  readonly signal: AbortSignal;
  /** Path of a kubeconfig file. @default $KUBECONFIG, the pod's service account, or ~/.kube/config */
  readonly kubeconfig?: string;
  /** Context of that kubeconfig. @default the current one */
  readonly context?: string;
  /** Leader election by a Lease named `sequencer`, or by class and selector, in this namespace (of the connection, or `default`). @default all processes walk */
  readonly leaderElection?: LeaderTimes & { readonly namespace?: string };
  /**
   * Runs as one of several shards of a ring, instead of a leader election: walks the workspaces that are assigned to it, while it holds a Lease of its own
   * (`shard`, by default named by the pod) in the namespace of `leaderElection`. One of them assigns, elected among them.
   * @default walks all workspaces
   */
  readonly shards?: LeaderTimes & { readonly ring: string; readonly shard?: string; readonly namespace?: string };
  /** Run along with the sequencer, in the process that walks and while it walks (of shards, in the one that assigns); if one ends, all are stopped. @default none */
  readonly runnables?: readonly ConfiguredRunnable[];
  /** Port of the page; 0 picks any free one. @default none */
  readonly pagePort?: number;
  /** Address of the page. @default 127.0.0.1 */
  readonly pageHost?: string;
  /** Port of the webhook that refuses workspaces with mistakes; 0 picks any free one. @default none */
  readonly webhookPort?: number;
  /** Address of the webhook, which its certificate names too. @default all addresses of the machine */
  readonly webhookHost?: string;
  /** Called once all workspaces are followed, with access to the health. */
  readonly onReady?: (sequencer: Pick<Sequencer, 'health'>) => void;
}

/** Returns a unique identity of this process among the candidates. */
const candidateName = (): string => `${hostname()}.${process.pid}.${crypto.randomUUID().slice(0, 8)}`;

/** Returns the ring and the name of this process among its shards. */
const shardIn = ({ ring, shard }: NonNullable<RunOptions['shards']>, inPod: boolean) => ({
  ring,
  name: shard ?? shardNameOf(inPod ? hostname() : candidateName()),
});

/** Returns a function that logs each distinct line once. */
function onceLogger(logger: RunOptions['logger']) {
  const logged = new Set<string>();
  return (level: 'info' | 'warn', text: string, about: object = {}): void => {
    const line = JSON.stringify([text, about]);
    if (!logged.has(line)) logger?.[level](about, text);
    logged.add(line);
  };
}

/** Returns the checks before anything external is created: the CRD is served without gaps, and no permission is missing. */
function checksOf(client: Client, namespaces: AccessNamespaces, options: RunOptions) {
  const { integrations, runnables, leaderElection, shards, logger } = options;
  const logOnce = onceLogger(logger);
  // A definition that is deleted later is not created again, since the deletion may be part of an uninstallation.
  let createMissing = true;
  return [
    {
      name: 'definitions',
      async run(signal: AbortSignal) {
        const outcomes = await ensureCrds(client, servedKinds(options), {
          signal,
          release: packageVersion(),
          createMissing,
        });
        createMissing = false;
        for (const { name, outcome, notice } of outcomes)
          logOnce(notice === undefined ? 'info' : 'warn', 'definition served', { name, outcome, notice });
      },
    },
    {
      name: 'rights',
      async run(signal: AbortSignal) {
        const access = accessOf({
          ...options,
          integrations: checkIntegrations(integrations),
          runnables,
          leaderElection: leaderElection !== undefined,
          page: options.pagePort !== undefined,
          webhooks: options.webhookPort !== undefined,
          operatorNamespace: namespaces.operatorNamespace,
          ring: shards?.ring,
          namespace: namespaces.namespace,
        });
        if (!(await requireAccess(client, questionsOf(access, namespaces), { signal })))
          logOnce('warn', 'rights could not be checked: the server answers no SelfSubjectAccessReview');
      },
    },
  ];
}

/** Wraps the sequencer as a part of an operator. */
const sequencerRunnable = (sequencer: Sequencer, onReady: RunOptions['onReady']): Runnable => ({
  name: 'sequencer',
  async run(signal) {
    void sequencer.synced.then(
      () => onReady?.(sequencer),
      () => undefined,
    );
    await sequencer.run(signal);
  },
});

/** Parts of a process that `serve` runs. */
interface ProcessParts {
  readonly operatorNamespace: string;
  readonly inPod: boolean;
  readonly others: readonly Runnable[];
  readonly clock: Clock;
  readonly shard?: NonNullable<SequencerOptions['shard']>;
}

/** Returns the ports of the process, and its leader election or shard. */
function servingOf(
  { healthPort, metricsPort, healthHost, leaderElection, shards, ...instance }: RunOptions,
  { operatorNamespace, inPod, others, clock, shard }: ProcessParts,
): ServingOptions {
  const host = healthHost ?? (inPod ? undefined : '127.0.0.1');
  const lease = { namespace: operatorNamespace, name: instanceName(instance) };
  const { namespace, className, selector } = instance;
  return {
    ...defined({ healthPort, metricsPort, healthHost: host }),
    ...(leaderElection && { leaderElection: { ...leaseTimesOf(leaderElection), lease, identity: candidateName() } }),
    ...(shards &&
      shard && {
        shard: {
          ...{ namespace, className, selector, operatorNamespace, others, clock },
          ...{ ring: shard.ring, shard: shard.name, times: leaseTimesOf(shards) },
        },
      }),
  };
}

/**
 * Connects, ensures that the Workspace kind is served as this release needs it and that no permission is missing, and walks workspaces until the
 * signal aborts; if configured, serves health and metrics. With leader election it walks only while this process leads; as a shard, only the workspaces that are assigned to it.
 *
 * With a health port, it waits for problems that an administrator has to fix, and `/readyz` reports them; without one it throws them.
 *
 * @throws UserError for an unusable kubeconfig, conflicting integrations, E#1011 to E#1017 for problems of the cluster; UnreachableError, DrainError
 * if attempts did not end in time, LeadershipLostError; OperatorError for several of them
 * @example
 * ```ts
 * import { memoryDns } from 'workspace-sequencer/integrations/memory/dns';
 * import { runSequencer } from 'workspace-sequencer/sequencer';
 *
 * const stop = new AbortController();
 * process.once('SIGTERM', () => stop.abort());
 * await runSequencer({ integrations: [memoryDns()], signal: stop.signal, healthPort: 8080, leaderElection: {} });
 * ```
 */
export async function runSequencer(all: RunOptions): Promise<void> {
  const { signal, kubeconfig, context, onReady, healthPort, metricsPort, healthHost: _, leaderElection, ...rest } = all;
  const { runnables = [], shards, pagePort: _page, pageHost: _host, otlp: _otlp, ...served } = rest;
  const { webhookPort: _port, webhookHost: _address, ...options } = served;
  const { logger, namespace, drain = defaultDrain, clock = systemClock, secrets = new SecretRegistry() } = options;
  if (leaderElection && shards) throw new TypeError('runSequencer: leaderElection and shards exclude each other');
  secrets.add(...runnables.flatMap((one) => one.secrets ?? []));
  const connection = await loadConnection({
    env: process.env,
    ...defined({ kubeconfig, context }),
  });
  const { metrics, observed, close } = await createInstrumentation(all, { logger, secrets, clock });
  const refusals = createRefusedRequestObserver(clock, observed.observer);
  const client = createClient({ connection, userAgent: 'sequencer', observer: refusals.observer });
  try {
    const { namespace: operatorNamespace = connection.namespace ?? 'default' } = leaderElection ?? shards ?? {};
    const inPod = await isPod(process.env);
    const shard = shards && shardIn(shards, inPod);
    const sequencer = createSequencer({
      operatorNamespace,
      ...options,
      ...defined({ shard }),
      secrets,
      client,
      ...observed,
    });
    for (const note of misspeltAfter(options.integrations)) logger?.warn(note);
    const others = runnables.map((one) => one.create({ client, clock, logger }));
    const main = sequencerRunnable(sequencer, onReady);
    const preflight = createPreflight({
      checks: checksOf(client, { namespace, operatorNamespace }, all),
      waits: (healthPort ?? metricsPort) !== undefined,
      follow: (changed, until) => {
        refusals.follow(changed);
        return followDefinitions(client, servedKinds(all), { changed, clock, signal: until });
      },
      clock,
      logger,
    });
    const combined = runnableGroup(main, others, drain + grace);
    const page = await pageOf(all, { client, sequencer, preflight, secrets });
    const webhooks = await webhooksOf(all, { client, operatorNamespace, observer: metrics?.observer });
    await runWithServices(
      { client, sequencer, preflight, main: shard ? main : combined, page, webhooks, signal, metrics, drain, logger },
      servingOf(all, { operatorNamespace, inPod, others, clock, ...defined({ shard }) }),
    );
  } finally {
    await client.close();
    await close();
  }
}
