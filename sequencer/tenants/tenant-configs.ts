/** Configured integrations of tenants: follows configs and their Secrets, and returns the integrations that each workspace has by them. */

import { ClusterIntegrationConfig, IntegrationConfig } from '../../sdk/host/index.ts';
import {
  aborted,
  claimOf,
  hasFinalizer,
  type InformerController,
  type Integration,
  isDeleting,
  messageOf,
  type ObjectKey,
  objectKeyOf,
  type Reconciler,
  Secret,
  type SecretRegistry,
  type Workspace,
} from '../../sdk/index.ts';
import { type AvailableConfigs, choiceInputOf } from './choice-input.ts';
import { type ConfigControllerOptions, createConfigController } from './config-controller.ts';
import { addConfigFinalizer } from './config-finalizer.ts';
import { type AnyConfig, configIntegrationName, configKindOf } from './config-integration-name.ts';
import { Connections } from './connections.ts';
import { keepingSecrets } from './kept-secrets.ts';
import type { TenantIntegrations } from './tenant-integration.ts';
import { workspaceIntegrations } from './workspace-integrations.ts';

/** Options of {@link createTenantConfigs}. */
export interface TenantsOptions
  extends Pick<ConfigControllerOptions<IntegrationConfig>, 'client' | 'clock' | 'className' | 'engine'> {
  readonly types: TenantIntegrations;
  /** Integrations of the config file. */
  readonly integrations: readonly Integration[];
  /** Restricts it to this namespace, without cluster-wide configs. @default all */
  readonly namespace: string | undefined;
  /** Namespace of the Secrets of cluster-wide configs. */
  readonly operatorNamespace: string;
  /** Secrets of the process, redacted in the reports of all configs. */
  readonly secrets: SecretRegistry;
  /** Names of integrations whose claims are released. */
  readonly orphan: ReadonlySet<string>;
  /** Returns the controller that walks the workspaces; called once this runs. */
  readonly walking: () => Pick<InformerController<Workspace>, 'store' | 'enqueue'>;
}

/** Configured integrations of tenants. */
export interface TenantConfigs {
  /** Returns the integrations of the config file, and of the configs that a workspace uses or is bound to. */
  integrationsOf(workspace: Workspace): readonly Integration[];
  /** Checks after each walk whether a config that is being deleted can be released. */
  followed(walks: Reconciler<Workspace>): Reconciler<Workspace>;
  /** Follows configs and reports them; works once all are known, or the signal has aborted, and closes the connections after that. Call it once. */
  during(signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /** Follows configs without writing, until the signal aborts or `during` is called. Call it once. */
  warmUp(signal: AbortSignal): Promise<void>;
}

/** Returns the tenants of a sequencer without types for tenants: nothing is watched. */
const withoutTenants = ({ integrations }: TenantsOptions): TenantConfigs => ({
  integrationsOf: () => integrations,
  followed: (walks) => walks,
  during: (_, work) => work(),
  warmUp: async () => undefined,
});

const inNamespace = (namespace: string | undefined) => (namespace === undefined ? {} : { namespace });

/** Controllers of the two kinds, with the connections of their configs. */
interface WatchedConfigs {
  readonly own: InformerController<IntegrationConfig>;
  /** Absent within one namespace. */
  readonly clusterWide: InformerController<ClusterIntegrationConfig> | undefined;
  readonly connections: Connections;
}

function follow(options: TenantsOptions): WatchedConfigs {
  const { types, clock, secrets, engine, namespace, operatorNamespace, walking } = options;
  const secretOf = keepingSecrets(({ metadata: { namespace: of } }, name) =>
    of === undefined
      ? clusterWide?.storeOf(Secret).get({ namespace: operatorNamespace, name })
      : own.storeOf(Secret).get({ namespace: of, name }),
  );
  const onCloseError = (error: unknown) => engine.logger?.warn({ err: messageOf(error) }, 'a connection did not close');
  const connections = new Connections({ types, secretOf, secrets, clock, onCloseError });
  const shared = {
    ...options,
    secretOf,
    problemOf: (config: AnyConfig) => connections.problemOf(config),
    onChange: ({ namespace: of }: ObjectKey) => {
      const walks = walking();
      for (const workspace of walks.store.list(of)) walks.enqueue(objectKeyOf(workspace));
    },
  };
  const own: InformerController<IntegrationConfig> = createConfigController<IntegrationConfig>({
    ...shared,
    kind: IntegrationConfig,
    selection: inNamespace(namespace),
    secrets: inNamespace(namespace),
  });
  const clusterWide: InformerController<ClusterIntegrationConfig> | undefined =
    namespace === undefined
      ? createConfigController<ClusterIntegrationConfig>({
          ...shared,
          kind: ClusterIntegrationConfig,
          secrets: { namespace: operatorNamespace },
        })
      : undefined;
  return { own, clusterWide, connections };
}

/** Returns the configs that are followed. */
const availableConfigs = ({ own, clusterWide }: WatchedConfigs): AvailableConfigs => ({
  ownOf: (namespace) => own.store.list(namespace),
  clusterWide: () => clusterWide?.store.list() ?? [],
  named: (integration) => [
    ...own.store.by('integration', integration),
    ...(clusterWide?.store.by('integration', integration) ?? []),
  ],
});

/** Returns functions that enqueue the configs being deleted for which a workspace has a claim; for a deleted workspace, all of its namespace. */
function enqueueLeftConfigs({ own, clusterWide }: WatchedConfigs, key: ObjectKey, workspace: Workspace | undefined) {
  const isLeft = (config: AnyConfig): boolean =>
    isDeleting(config) && (!workspace || hasFinalizer(workspace, claimOf(configIntegrationName(config))));
  const [near, wide] = [own.store.list(key.namespace ?? ''), clusterWide?.store.list() ?? []];
  return [
    ...near.filter((config) => isLeft(config)).map((config) => () => own.enqueue(objectKeyOf(config))),
    ...wide.filter((config) => isLeft(config)).map((config) => () => clusterWide?.enqueue(objectKeyOf(config))),
  ];
}

/** Creates the controllers of tenant configs; nothing is watched without types for tenants. */
export function createTenantConfigs(options: TenantsOptions): TenantConfigs {
  const { types, integrations, client, orphan } = options;
  if (Object.keys(types).length === 0) return withoutTenants(options);
  const followed = follow(options);
  const { own, clusterWide, connections } = followed;
  const all = [own, ...(clusterWide ? [clusterWide] : [])];
  const hold = (config: AnyConfig) => addConfigFinalizer(client, configKindOf(config), config);
  const configs = availableConfigs(followed);
  return {
    integrationsOf: (workspace) => [
      ...integrations,
      ...workspaceIntegrations(workspace, choiceInputOf(workspace, configs, options), { connections, hold }).filter(
        ({ name, behind }) => !(behind.isLost && orphan.has(name)),
      ),
    ],
    followed: (walks) => async (request) => {
      const left = enqueueLeftConfigs(followed, request.key, request.object);
      try {
        return await walks(request);
      } finally {
        for (const lookAgain of left) lookAgain();
      }
    },
    async during(signal, work) {
      const over = new AbortController();
      const running = Promise.all(all.map((controller) => controller.run(over.signal)));
      try {
        await Promise.race([Promise.all(all.map(({ synced }) => synced)), aborted(signal), running]);
        await work();
      } finally {
        over.abort();
        await running.finally(() => connections.close());
      }
    },
    warmUp: async (signal) => void (await Promise.all(all.map((controller) => controller.warmUp(signal)))),
  };
}
