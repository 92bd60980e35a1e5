/** Integrations that a workspace gets from configs. */

import { findCondition, type Workspace } from '../../sdk/index.ts';
import { type ChoiceInput, configChoices, keepsConfig } from './config-choice.ts';
import {
  type ConfiguredHost,
  type ConfiguredIntegration,
  configuredIntegration,
  emptyIntegration,
  lostIntegration,
} from './configured-integration.ts';

/**
 * Returns the integrations of configs for one workspace: of the chosen configs, of the configs that it is still bound to, and one that reports the
 * problem for each condition without a config. While an explicit choice is invalid, the bound configs are kept.
 */
export function workspaceIntegrations(
  workspace: Workspace,
  input: ChoiceInput,
  host: ConfiguredHost,
): readonly ConfiguredIntegration[] {
  const { types } = input;
  const { choices, bound } = configChoices(workspace, input);
  const conditionOf = ({ type }: { readonly type: string }): string => types[type]!.condition;
  const chosen = choices.flatMap(({ config, problem }) => (config ? [{ config, problem, isChosen: true }] : []));
  const failed = choices.filter(({ config }) => config === undefined);
  const kept = bound.flatMap((one) => {
    const { config, condition } = one;
    if (config === undefined || chosen.some((other) => other.config === config)) return [];
    const error = failed.find((choice) => conditionOf(choice) === condition);
    const problem = keepsConfig(workspace, one) ? error?.problem : undefined;
    return [{ config, problem, isChosen: problem !== undefined }];
  });
  const isReported = (condition: string): boolean =>
    kept.some(({ config, isChosen }) => isChosen && conditionOf(config.spec) === condition);
  const refused = failed.filter((choice) => !isReported(conditionOf(choice)));
  const found = [
    ...[...chosen, ...kept].map((use) => configuredIntegration(host, { ...use, tenant: types[use.config.spec.type]! })),
    ...bound.filter(({ config }) => config === undefined).map(lostIntegration),
    ...refused.map(({ type, problem }) => emptyIntegration(type, types[type]!, problem)),
  ];
  const idle = Object.entries(types).filter(
    ([, { condition }]) =>
      !found.some((one) => one.condition === condition) && findCondition(workspace.status?.conditions, condition),
  );
  return [...found, ...idle.map(([type, tenant]) => emptyIntegration(type, tenant))];
}
