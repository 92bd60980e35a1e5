/** Input of the config choices of a workspace. */

import { type ClusterIntegrationConfig, handlesOf, type IntegrationConfig } from '../../sdk/host/index.ts';
import type { Integration, Workspace } from '../../sdk/index.ts';
import type { ChoiceInput } from './config-choice.ts';
import type { AnyConfig } from './config-integration-name.ts';
import type { TenantIntegrations } from './tenant-integration.ts';

/** Available configs, of any class. */
export interface AvailableConfigs {
  ownOf(namespace: string): readonly IntegrationConfig[];
  clusterWide(): readonly ClusterIntegrationConfig[];
  /** Returns the configs with this claim. */
  named(integration: string): readonly AnyConfig[];
}

/** Options of {@link choiceInputOf}. */
export interface ChoiceInputOptions {
  readonly types: TenantIntegrations;
  /** Integrations of the config file. */
  readonly integrations: readonly Integration[];
  /** Class of the configs that count. */
  readonly className: string | undefined;
}

/** Reports whether an integration of the config file answers for a condition of a workspace; one whose `handles` fails reports that itself. */
const isServedBy = (integrations: readonly Integration[], workspace: Workspace, condition: string): boolean =>
  integrations.some((one) => {
    try {
      return one.condition === condition && handlesOf(one, workspace);
    } catch {
      return true;
    }
  });

/** Returns the current input of the choices of a workspace. */
export function choiceInputOf(
  workspace: Workspace,
  configs: AvailableConfigs,
  { types, integrations, className }: ChoiceInputOptions,
): ChoiceInput {
  const { namespace = '' } = workspace.metadata;
  const isOurs = (config: AnyConfig): boolean => config.spec.className === className;
  const isInReach = ({ metadata }: AnyConfig): boolean =>
    metadata.namespace === undefined || metadata.namespace === namespace;
  return {
    types,
    own: configs.ownOf(namespace).filter((config) => isOurs(config)),
    clusterWide: configs.clusterWide().filter((config) => isOurs(config)),
    byName: (integration) => configs.named(integration).find((config) => isInReach(config) && isOurs(config)),
    isServed: (condition) => isServedBy(integrations, workspace, condition),
  };
}
