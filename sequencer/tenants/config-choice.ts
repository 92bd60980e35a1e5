/** Decides which config a workspace uses for each condition. */

import {
  type ClusterIntegrationConfig,
  describeValue,
  type IntegrationConfig,
  ignoreRejection,
  recordedClaim,
} from '../../sdk/host/index.ts';
import { claimOf, errorOf, hasFinalizer, isDeleting, type Workspace } from '../../sdk/index.ts';
import { type AnyConfig, claimPrefix, configText } from './config-integration-name.ts';
import type { TenantIntegration, TenantIntegrations } from './tenant-integration.ts';

/** Configs that a workspace could use: the configs of its namespace and all cluster-wide ones. */
export interface CandidateConfigs {
  readonly own: readonly IntegrationConfig[];
  readonly clusterWide: readonly ClusterIntegrationConfig[];
  /** Returns the config of a claim. */
  readonly byName: (integration: string) => AnyConfig | undefined;
}

/** Config under which a workspace has or may have external objects; without `config` if it was deleted. */
export interface BoundConfig {
  /** Name under which the workspace is claimed. */
  readonly integration: string;
  readonly type: string;
  readonly condition: string;
  readonly config?: AnyConfig;
}

/** Config that a workspace uses for a type, or the problem that prevents it. */
export interface ConfigChoice {
  readonly type: string;
  readonly config?: AnyConfig;
  readonly problem?: string;
}

/** Choices of a workspace, and the configs that it is bound to. */
export interface ConfigChoices {
  readonly choices: readonly ConfigChoice[];
  readonly bound: readonly BoundConfig[];
}

/** Configs, types and integrations that the choices depend on. */
export interface ChoiceInput extends CandidateConfigs {
  readonly types: TenantIntegrations;
  /** Reports whether an integration of the config file answers for that condition of the workspace. */
  readonly isServed: (condition: string) => boolean;
}

/** Input of the choices, with the configs that the workspace is bound to. */
type BoundInput = ChoiceInput & Pick<ConfigChoices, 'bound'>;

type ConfigReference = NonNullable<NonNullable<Workspace['spec']['integrationConfigs']>[string]>;

const prefix = claimOf('');
const names = (configs: readonly AnyConfig[]): string => {
  const rest = configs.length > 2 ? ` and ${configs.length - 2} more` : '';
  return `${configs.slice(0, 2).map(configText).join(' and ')}${rest}`;
};

const allows = ({ spec }: ClusterIntegrationConfig, namespace = ''): boolean =>
  spec.allowedNamespaces.some((one) => one === '*' || one === namespace);

/** Reports whether a workspace may use a config that exists. */
export const mayUse = (config: AnyConfig, { metadata: { namespace } }: Workspace): boolean =>
  'allowedNamespaces' in config.spec
    ? allows(config as ClusterIntegrationConfig, namespace)
    : config.metadata.namespace === namespace;

const typeOfClaim = (integration: string, types: TenantIntegrations): string | undefined =>
  Object.keys(types).find((type) => integration.startsWith(claimPrefix(type)));

/** Returns the configs for which a workspace has a claim, or whose external objects its conditions record. */
export function boundConfigs(workspace: Workspace, { types, byName }: ChoiceInput): readonly BoundConfig[] {
  const conditions = new Set(Object.values(types).map(({ condition }) => condition));
  const recorded = [...conditions].flatMap((condition) => recordedClaim(workspace, condition) ?? []);
  const claims = new Set([...recorded, ...(workspace.metadata.finalizers ?? [])]);
  return [...claims].flatMap((claim): readonly BoundConfig[] => {
    const integration = claim.startsWith(prefix) ? claim.slice(prefix.length) : '';
    const config = byName(integration);
    const type = config?.spec.type ?? typeOfClaim(integration, types);
    const { condition } = (type !== undefined && types[type]) || {};
    if (type === undefined || condition === undefined) return [];
    return [{ integration, type, condition, ...(config && { config }) }];
  });
}

/** Finds the config of a reference. */
function referencedConfig(
  workspace: Workspace,
  type: string,
  { own, clusterWide, ...reference }: Omit<CandidateConfigs, 'byName'> & ConfigReference,
) {
  const { kind = 'IntegrationConfig', name, matchLabels = {} } = reference;
  const { namespace = '' } = workspace.metadata;
  const isCluster = kind === 'ClusterIntegrationConfig';
  const usable = (isCluster ? clusterWide : own).filter((config) => mayUse(config, workspace));
  const unless = isCluster ? `, or does not allow namespace ${namespace}` : '';
  if (name !== undefined) {
    const config = usable.find(({ metadata }) => metadata.name === name);
    const text = isCluster ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
    if (config === undefined) return { problem: `${text} does not exist${unless}` };
    return config.spec.type === type ? { config } : { problem: `${text} is of type ${config.spec.type}, not ${type}` };
  }
  const labels = Object.entries(matchLabels);
  const matching = usable
    .filter(({ spec }) => spec.type === type)
    .filter(({ metadata }) => labels.every(([label, value]) => metadata.labels?.[label] === value));
  if (matching.length === 1) return { config: matching[0]! };
  const wanted = labels.map(([label, value]) => `${label}=${value}`).join(',');
  if (matching.length > 1) return { problem: `${names(matching)} all have the labels ${wanted}: pick one by name` };
  return { problem: `no ${kind} of type ${type} has the labels ${wanted}${unless}` };
}

/** Reports whether the record of a condition was made under this name. */
export const isRecorded = (
  workspace: Workspace,
  { integration, condition }: Pick<BoundConfig, 'integration' | 'condition'>,
): boolean => recordedClaim(workspace, condition) === claimOf(integration);

/** Reports whether a binding keeps its config: work was started, or the config has its finalizer and is not being deleted. */
export const keepsConfig = (workspace: Workspace, bound: BoundConfig): boolean =>
  isRecorded(workspace, bound) ||
  (bound.config !== undefined && !isDeleting(bound.config) && hasFinalizer(workspace, claimOf(bound.integration)));

/** Chooses the default config of a condition: the bound one, then the default of the namespace, then a cluster-wide default. */
function defaultChoice(workspace: Workspace, types: readonly string[], input: BoundInput) {
  const { own, clusterWide, bound, isServed } = input;
  const [type = ''] = types;
  const { condition } = input.types[type]!;
  const kept = bound
    .filter((one) => types.includes(one.type) && one.config !== undefined && keepsConfig(workspace, one))
    .toSorted((a, b) => Number(isRecorded(workspace, b)) - Number(isRecorded(workspace, a)))[0];
  if (kept?.config !== undefined) {
    const { config } = kept;
    const problem = mayUse(config, workspace)
      ? {}
      : { problem: `${configText(config)} no longer allows namespace ${workspace.metadata.namespace}` };
    return [{ type: kept.type, config, ...problem }];
  }
  for (const configs of [own, clusterWide.filter((config) => mayUse(config, workspace))]) {
    const defaults = (configs as readonly AnyConfig[]).filter(
      (config) => config.spec.default === true && types.includes(config.spec.type) && !isDeleting(config),
    );
    if (defaults.length === 1) return [{ type: defaults[0]!.spec.type, config: defaults[0]! }];
    if (defaults.length > 1)
      return [{ type, problem: `${names(defaults)} are both the default: pick one in spec.integrationConfigs` }];
  }
  if (bound.some((one) => one.condition === condition) || isServed(condition)) return [];
  const advice = `name one in spec.integrationConfigs.${type}, or set spec.default of one`;
  return [{ type, problem: `no IntegrationConfig of type ${types.join(' or ')} is the default here: ${advice}` }];
}

/** Returns the choice for an explicit reference of a workspace. */
function explicitChoice(workspace: Workspace, type: string, input: BoundInput): ConfigChoice {
  const found = referencedConfig(workspace, type, { ...input, ...workspace.spec.integrationConfigs?.[type] });
  if (found.config === undefined || !isDeleting(found.config)) return { type, ...found };
  const one = input.bound.find(({ config }) => config === found.config);
  if (one !== undefined && isRecorded(workspace, one)) return { type, ...found };
  return { type, problem: `${configText(found.config)} is being deleted: pick another one` };
}

const notBoolean = (type: string, answer: unknown): string =>
  `handles of integration type ${type} must return true or false; found ${describeValue(answer)}`;

/** Returns the types that a workspace requests, and the problems of types whose `handles` fails. */
function requestedTypes(workspace: Workspace, types: TenantIntegrations) {
  const requested: string[] = [];
  const broken: ConfigChoice[] = [];
  for (const [type, tenant] of Object.entries<TenantIntegration>(types)) {
    try {
      const answer: unknown = tenant.handles(workspace);
      ignoreRejection(answer);
      if (typeof answer !== 'boolean') broken.push({ type, problem: notBoolean(type, answer) });
      else if (answer) requested.push(type);
    } catch (error) {
      broken.push({ type, problem: `handles of integration type ${type} fails: ${errorOf(error).message}` });
    }
  }
  return { asked: requested, broken };
}

/**
 * Decides which config a workspace uses for each condition: the one that its spec picks, else the one that it is bound to, else the default of its
 * namespace, else a cluster-wide default. Only configs of its own namespace and cluster-wide ones that allow the namespace are chosen. Pure.
 */
export function configChoices(workspace: Workspace, input: ChoiceInput): ConfigChoices {
  const { types } = input;
  const bound = boundConfigs(workspace, input);
  const { asked, broken } = requestedTypes(workspace, types);
  const byCondition = Map.groupBy(asked, (type) => types[type]!.condition);
  const choices = [...byCondition.values()].flatMap((all): readonly ConfigChoice[] => {
    const picked = all.filter((type) => Object.hasOwn(workspace.spec.integrationConfigs ?? {}, type));
    const boundInput = { ...input, bound };
    if (picked.length > 0) return picked.map((type) => explicitChoice(workspace, type, boundInput));
    return defaultChoice(workspace, all, boundInput);
  });
  return { choices: [...choices, ...broken], bound };
}

/** Reports each member of `spec.integrationConfigs` that is not an opened type. */
export const unknownTypes = ({ spec }: Workspace, types: TenantIntegrations): readonly string[] =>
  Object.keys(spec.integrationConfigs ?? {})
    .filter((type) => !Object.hasOwn(types, type))
    .map((type) => `spec.integrationConfigs.${type.slice(0, 64)}: the operator opens no such integration type`);
