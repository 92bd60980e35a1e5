/** Releases the configs of tenants that no workspace uses. */

import { ClusterIntegrationConfig, configFinalizer, IntegrationConfig } from '../../sdk/host/index.ts';
import {
  type Client,
  hasFinalizer,
  ignoreNotFound,
  type Kind,
  objectKeyOf,
  patchTested,
  removeFinalizer,
  StaleError,
  type Workspace,
} from '../../sdk/index.ts';
import { type AnyConfig, configIntegrationName, isUsing } from './config-integration-name.ts';

/** Configs of a class, and the remaining workspaces. */
export interface ReleaseOptions {
  readonly client: Client;
  /** Restricts it to the configs of this namespace. @default all, cluster-wide ones too */
  readonly namespace?: string | undefined;
  /** @default configs that name no class */
  readonly className?: string | undefined;
  /** Workspaces of all classes. */
  readonly workspaces: readonly Workspace[];
  readonly signal: AbortSignal;
}

async function listConfigs(
  { client, namespace, className, signal }: ReleaseOptions,
  kind: Kind<AnyConfig>,
): Promise<readonly AnyConfig[]> {
  const list = client.list(kind, { signal, ...(namespace !== undefined && { namespace }) });
  return ((await ignoreNotFound(list))?.items ?? []).filter(({ spec }) => spec.className === className);
}

/** Removes the finalizer of a config; after a concurrent change of its finalizers it is read again. */
async function release({ client, signal }: ReleaseOptions, kind: Kind<AnyConfig>, config: AnyConfig): Promise<void> {
  const key = objectKeyOf(config);
  let live: AnyConfig | undefined = config;
  while (live !== undefined && live.metadata.uid === config.metadata.uid && hasFinalizer(live, configFinalizer))
    try {
      const patch = { kind, key, operations: removeFinalizer(live, configFinalizer) };
      await ignoreNotFound(patchTested(client, patch, { signal }));
      return;
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      live = await ignoreNotFound(client.get(kind, key, { signal }));
    }
}

/**
 * Removes the finalizer of configs that no workspace uses: without an operator it would block their deletion, and that of their definition. A config
 * that a workspace starts to use meanwhile gets the finalizer again at the next walk.
 */
export async function releaseConfigs(options: ReleaseOptions): Promise<void> {
  const { namespace, workspaces } = options;
  const kinds = [IntegrationConfig, ...(namespace === undefined ? [ClusterIntegrationConfig] : [])];
  for (const kind of kinds as unknown as readonly Kind<AnyConfig>[])
    for (const config of await listConfigs(options, kind)) {
      const isUsed = workspaces.some((workspace) => isUsing(workspace, configIntegrationName(config)));
      if (!isUsed) await release(options, kind, config);
    }
}
