/** One-time read of configs and their Secrets, with the integrations that result from them, for plans. */

import { ClusterIntegrationConfig, IntegrationConfig, integrationTypeLabel } from '../../sdk/host/index.ts';
import {
  type Client,
  type Clock,
  ForbiddenError,
  type Integration,
  type Kind,
  type KubeObject,
  NotFoundError,
  Secret,
  SecretRegistry,
  type Selection,
  type Workspace,
} from '../../sdk/index.ts';
import { type AvailableConfigs, choiceInputOf } from './choice-input.ts';
import { configIntegrationName } from './config-integration-name.ts';
import { Connections } from './connections.ts';
import type { TenantIntegrations } from './tenant-integration.ts';
import { workspaceIntegrations } from './workspace-integrations.ts';

/** Options of {@link readTenantConfigs}. */
export interface ReadTenantsOptions {
  /** Used for reads only. */
  readonly client: Client;
  readonly types: TenantIntegrations;
  /** Integrations of the config file. */
  readonly integrations: readonly Integration[];
  /** Namespaces of the workspaces. */
  readonly namespaces: Iterable<string>;
  /** Namespace of the Secrets of cluster-wide configs. */
  readonly operatorNamespace: string;
  /** Configs and Secrets that count in place of those on the server. @default none */
  readonly replacements?: readonly KubeObject[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Receives a sentence about each resource that may not be read. */
  readonly note: (text: string) => void;
}

/** Integrations of workspaces, by configs as they were when they were read. Disposing closes their connections. */
export interface TenantsRead extends Disposable {
  /** Returns the integrations of the config file, and of the configs that a workspace uses or is bound to. */
  integrationsOf(workspace: Workspace): readonly Integration[];
}

const idOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace ?? ''}/${name}`;

/** Lists a kind, with the objects that replace stored ones. A forbidden list is reported; a kind that is not served has no objects. */
async function listWithReplacements<T extends KubeObject>(
  { client, signal, note, replacements = [] }: ReadTenantsOptions,
  kind: Kind<T>,
  selection: Selection,
): Promise<readonly T[]> {
  const replacing = replacements.filter((one): one is T => one.kind === kind.kind);
  const replacedIds = new Set(replacing.map(idOf));
  const [here, place] = [selection.namespace, selection.namespace === undefined ? '' : ` of ${selection.namespace}`];
  const near = replacing.filter(({ metadata }) => here === undefined || metadata.namespace === here);
  try {
    const { items } = await client.list(kind, { ...selection, signal });
    return [...items.filter((one) => !replacedIds.has(idOf(one))), ...near];
  } catch (error) {
    if (!(error instanceof ForbiddenError || error instanceof NotFoundError)) throw error;
    note(`${kind.plural}${place} are not known here: ${error.message}`);
    return near;
  }
}

/** Reads the configs of these namespaces, the cluster-wide ones, and their labelled Secrets. Nothing is read without types for tenants. */
export async function readTenantConfigs(options: ReadTenantsOptions): Promise<TenantsRead> {
  const { types, integrations, operatorNamespace, clock } = options;
  if (Object.keys(types).length === 0) return { integrationsOf: () => integrations, [Symbol.dispose]: () => undefined };
  const own: IntegrationConfig[] = [];
  const secrets = new Map<string, Secret>();
  const readSecrets = async (namespace: string): Promise<void> => {
    const found = await listWithReplacements(options, Secret, { namespace, labels: integrationTypeLabel });
    for (const secret of found) secrets.set(idOf(secret), secret);
  };
  const namespaces = new Set(options.namespaces);
  for (const namespace of namespaces) {
    own.push(...(await listWithReplacements(options, IntegrationConfig, { namespace })));
    await readSecrets(namespace);
  }
  const clusterWide = await listWithReplacements(options, ClusterIntegrationConfig, {});
  if (clusterWide.length > 0 && !namespaces.has(operatorNamespace)) await readSecrets(operatorNamespace);
  const configs: AvailableConfigs = {
    ownOf: (namespace) => own.filter(({ metadata }) => metadata.namespace === namespace),
    clusterWide: () => clusterWide,
    named: (integration) => [...own, ...clusterWide].filter((one) => configIntegrationName(one) === integration),
  };
  const connections = new Connections({
    types,
    secretOf: ({ metadata: { namespace = operatorNamespace } }, name) => secrets.get(`${namespace}/${name}`),
    secrets: new SecretRegistry(),
    clock,
  });
  const host = { connections, hold: async () => undefined };
  return {
    integrationsOf: (workspace) => [
      ...integrations,
      ...workspaceIntegrations(
        workspace,
        choiceInputOf(workspace, configs, { types, integrations, className: workspace.spec.className }),
        host,
      ),
    ],
    [Symbol.dispose]: () => connections.close(),
  };
}
