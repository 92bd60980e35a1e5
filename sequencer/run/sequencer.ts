/** Controller that walks all workspaces. */

import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { defined, type Seal, sharded, shardLabelsOf } from '../../sdk/host/index.ts';
import {
  type Client,
  type Clock,
  type ControllerHealth,
  createInformerController,
  createProviderHost,
  createRecorder,
  done,
  type EventSink,
  type GuardTimes,
  type InformerController,
  type Integration,
  type Kind,
  type KubeObject,
  type LimitState,
  type Observer,
  OwnWrites,
  type Reconciler,
  type RetryPolicy,
  requeueAfter,
  resourceOf,
  SecretRegistry,
  systemClock,
  trackingClient,
  Workspace,
} from '../../sdk/index.ts';
import { walk } from '../engine/walk.ts';
import { createTenantConfigs } from '../tenants/tenant-configs.ts';
import { type TenantIntegrations, withRepresentatives } from '../tenants/tenant-integration.ts';
import { checkIntegrations } from './check-integrations.ts';
import { checkSequencerOptions } from './check-sequencer-options.ts';
import { countedWorkspaces } from './counted-workspaces.ts';
import { withLiveReadAfterRace } from './live-read-after-race.ts';
import { isOfClass } from './operator-instance.ts';
import { type OperatorSeal, operatorSeal, whileRefreshed } from './operator-seal.ts';
import { reportUnknownSpecMembers } from './report-unknown-spec-members.ts';
import { createShutdown, defaultDrain } from './shutdown.ts';
import { enqueuingOthers, othersWithIn, uniqueNameIndex, uniqueNamesOf } from './unique-name-index.ts';

/** Options of {@link createSequencer}. */
export interface SequencerOptions {
  /** Client of the API server; the caller closes it. */
  readonly client: Client;
  readonly integrations: readonly Integration[];
  /** Integration types that tenants may configure, by name. @default none: no configs are read, and no Secrets */
  readonly tenantIntegrations?: TenantIntegrations;
  /** Restricts the sequencer to workspaces of this namespace. @default all */
  readonly namespace?: string;
  /** Class whose workspaces are walked: `spec.className`. @default those that name none */
  readonly className?: string;
  /** Label selector of the workspaces, such as `team=a`: the others are neither listed nor watched. @default all */
  readonly selector?: string;
  /**
   * Shard of a ring: only workspaces with its label are listed and watched, and those with the drain label are released. @default none: labels of rings
   * are ignored
   */
  readonly shard?: { readonly ring: string; readonly name: string };
  /** Number of workspaces walked concurrently. @default as for every controller: `WorkOptions` */
  readonly workers?: number;
  /** Tenant of a workspace, for the round robin over tenants. @default 'namespace' */
  readonly tenantBy?: 'namespace' | ((workspace: KubeObject) => string);
  /** Lifetimes of guards and of lost requests. */
  readonly times?: Partial<GuardTimes>;
  /** Retry policy of failed walks. @default exponentialBackoff() */
  readonly retry?: RetryPolicy;
  /** ms in which running attempts must end once the signal has aborted. @default 10 000 */
  readonly drain?: number;
  /** Names of unregistered integrations whose claims are released; their external objects are kept. @default none */
  readonly orphan?: readonly string[];
  /** Identity of this process run in journals. @default host name, process id and a random part */
  readonly holder?: string;
  /** Destination of events. @default the API server */
  readonly events?: EventSink;
  /** Observer for metrics and traces. @default none */
  readonly observer?: Observer;
  /** Namespace of the Secret `sequencer-seal`, whose key signs the annotations; only the operator may read it. @default 'default' */
  readonly operatorNamespace?: string;
  /** Seal to use instead of the Secret's. */
  readonly seal?: Seal;
  /** Secrets redacted in conditions, events and logs; the integrations' `secrets` are added. @default an empty registry */
  readonly secrets?: SecretRegistry;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
}

/** Walks workspaces until stopped. */
export interface Sequencer {
  /** Resolves after the signal has aborted and running walks have ended. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Lists and watches without walking, until the signal aborts or `run` is called, which then starts at once. Call it once. */
  warmUp(signal: AbortSignal): Promise<void>;
  /** Resolves when all workspaces are known and walks begin. */
  readonly synced: Promise<void>;
  health(): ControllerHealth;
  /** Returns the state of the rate limiters that are in use. */
  limits(): readonly LimitState[];
}

const ownedKinds = (integrations: readonly Integration[]): readonly Kind[] => [
  ...new Map(integrations.flatMap(({ owns = [] }) => owns).map((kind) => [resourceOf(kind), kind])).values(),
];

/** Returns a globally unique identity of this process run. */
const processName = (): string => `${hostname()}.${process.pid}.${crypto.randomUUID().slice(0, 8)}`;

/** Returns the registry of secrets with those of the integrations. */
function secretsOf({ secrets = new SecretRegistry(), integrations }: SequencerOptions): SecretRegistry {
  secrets.add(...integrations.flatMap((integration) => integration.secrets ?? []));
  return secrets;
}

/** Delays the walk of a workspace until the keys of its signatures were read. */
const withKnownKeys =
  ({ refreshFor }: OperatorSeal, walks: Reconciler<Workspace>): Reconciler<Workspace> =>
  async (request) => {
    const wait = request.object === undefined ? 0 : await refreshFor(request.object);
    return wait > 0 ? requeueAfter(wait) : walks(request);
  };

/** Walks the workspaces of a shard; without one, all. */
const ofShard = (shard: SequencerOptions['shard'], walks: Reconciler<Workspace>): Reconciler<Workspace> =>
  shard === undefined ? walks : sharded(shardLabelsOf(shard.ring), shard.name, walks);

/** Returns the label selector of the workspaces. */
function labelsOf({ selector, shard }: SequencerOptions): string | undefined {
  const labels = [selector, shard && `${shardLabelsOf(shard.ring).shard}=${shard.name}`].filter(Boolean);
  return labels.length === 0 ? undefined : labels.join(',');
}

/** Skips workspaces of other classes. */
const ofClass =
  (className: string | undefined, walks: Reconciler<Workspace>): Reconciler<Workspace> =>
  async (request) =>
    request.object === undefined || isOfClass(request.object, className) ? walks(request) : done;

/**
 * Creates a sequencer that follows all workspaces and walks each one when it, or an object that it owns, changes.
 *
 * @throws UserError for conflicting integrations, TypeError for an unknown option, or one of another type
 * @example
 * ```ts run
 * import { memoryDns } from 'workspace-sequencer/integrations/memory/dns';
 * import { createClient, ensureCrds, Workspace } from 'workspace-sequencer/sdk';
 * import { createSequencer } from 'workspace-sequencer/sequencer';
 * import { createCluster } from 'workspace-sequencer/test';
 *
 * const cluster = await createCluster();
 * const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
 * await ensureCrds(client, [Workspace]);
 * const stop = new AbortController();
 * const running = createSequencer({ client, integrations: [memoryDns()] }).run(stop.signal);
 * // … create a Workspace …
 * stop.abort();
 * await running;
 * await client.close();
 * await cluster.close();
 * ```
 */
export function createSequencer(options: SequencerOptions): Sequencer {
  checkSequencerOptions(options);
  const { drain = defaultDrain, clock = systemClock, holder = processName(), events } = options;
  const { random, logger, times, workers, retry, observer, operatorNamespace = 'default', namespace } = options;
  const { tenantBy = 'namespace', className, shard, tenantIntegrations: types = {} } = options;
  const integrations = checkIntegrations(withRepresentatives(options), options.integrations.length);
  const orphan = new Set(options.orphan);
  const [owns, shutdown] = [ownedKinds(integrations), createShutdown(clock, drain)];
  const followed = new Set(owns.map(resourceOf));
  const seal = operatorSeal({ client: options.client, operatorNamespace, seal: options.seal, clock, logger });
  const ownWrites = new OwnWrites({ clock });
  const client = trackingClient(options.client, ownWrites, clock);
  const writer = { component: 'sequencer', instance: holder, clock, ...defined({ logger }) };
  const recorder = createRecorder({ client: options.client, ...writer });
  const host = createProviderHost({
    client,
    clock,
    holder,
    events: events ?? recorder,
    secrets: secretsOf(options),
    owned: (kind, owner) =>
      followed.has(resourceOf(kind)) ? controller.storeOf(kind).by('owner', owner.metadata.uid ?? '') : undefined,
    othersWith: othersWithIn(() => controller.store, { integrations, types: Object.keys(types) }),
    seal: seal.current,
    ...shutdown,
    ...defined({ random, logger, times, observer }),
  });
  const tenants = createTenantConfigs({
    ...{ types, integrations: options.integrations, client, clock, className, namespace, operatorNamespace, orphan },
    secrets: host.secrets,
    walking: () => controller,
    engine: defined({ logger, observer, random }),
  });
  const walks = walk({ host, integrations, integrationsOf: tenants.integrationsOf, orphan, ...defined({ retry }) });
  const inner = reportUnknownSpecMembers(host.events, { integrations, types }, tenants.followed(walks));
  const namesOf = uniqueNamesOf(integrations);
  const ours = withLiveReadAfterRace(client, ofShard(shard, ofClass(className, withKnownKeys(seal, inner))));
  const controller: InformerController<Workspace> = createInformerController({
    kind: Workspace,
    name: 'sequencer',
    reconciler: enqueuingOthers(() => controller, namesOf, ours),
    indexes: { [uniqueNameIndex]: namesOf },
    echoes: 'ignore',
    ...{ client, owns, ownWrites, tenantBy, clock, drain },
    ...defined({ workers, retry, random, logger, observer }),
    selection: defined({ namespace, labels: labelsOf(options) }),
  });
  observer?.followed?.(countedWorkspaces({ integrations, host, className, store: controller.storeOf(Workspace) }));
  return {
    synced: controller.synced,
    health: () => controller.health(),
    limits: () => host.rateLimiters.states(clock.monotonic()),
    warmUp: async (signal) => void (await Promise.all([controller.warmUp(signal), tenants.warmUp(signal)])),
    run: (signal) =>
      shutdown
        .during(signal, () => whileRefreshed(seal, signal, () => tenants.during(signal, () => controller.run(signal))))
        .finally(() => recorder.close()),
  };
}
