/** Names and kinds of configs, in texts and in claims. */

import { ClusterIntegrationConfig, IntegrationConfig } from '../../sdk/host/index.ts';
import { canonicalJson, claimOf, hasFinalizer, type Kind, type Workspace } from '../../sdk/index.ts';

/** Config of either kind. */
export type AnyConfig = IntegrationConfig | ClusterIntegrationConfig;

const partOf = (text: string): string => text.slice(0, 24);

/** Returns the common prefix of the claims of all configs of a type. Names of integrations have no dot. */
export const claimPrefix = (type: string): string => `${partOf(type)}.`;

/**
 * Returns the name under which workspaces are claimed for a config: a function of kind, namespace, name, type and options, so that it
 * is the same for a config restored from a backup, and another for other options.
 */
export function configIntegrationName({ kind, metadata, spec }: AnyConfig): string {
  const { namespace = '', name } = metadata;
  const { type, options = {} } = spec;
  const digest = process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(canonicalJson([kind, namespace, name, type, options]))
    .digest('hex');
  return `${claimPrefix(type)}${partOf(name)}.${digest.slice(0, 12)}`;
}

/** Returns the name of a config in texts, such as `IntegrationConfig team-a/dns`. */
export const configText = ({ kind, metadata }: AnyConfig): string =>
  `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`;

/** Returns the kind of a config: the namespaced or the cluster-wide one. */
export const configKindOf = ({ metadata: { namespace } }: AnyConfig): Kind<AnyConfig> =>
  (namespace === undefined ? ClusterIntegrationConfig : IntegrationConfig) as unknown as Kind<AnyConfig>;

/** Reports whether a workspace may have something under a config of this name: it is claimed for it, or its journal names it. */
export const isUsing = (workspace: Workspace, integration: string): boolean =>
  hasFinalizer(workspace, claimOf(integration)) ||
  Object.values(workspace.status?.guards ?? {}).some(
    ({ claim, phase, late }) =>
      claim === claimOf(integration) && phase !== 'none' && (phase !== 'gone' || late !== undefined),
  );
