import { policyScenarios } from './expressions/policies.ts';
import { ruleScenarios } from './expressions/rules.ts';
import type { Family } from './runner/scenario.ts';

/**
 * CEL in rules of definitions and in policies. The time at which a definition is served differs between servers, so versions and uids are
 * not told apart.
 */
export const expressions: Family = {
  fixed: () => [...ruleScenarios, ...policyScenarios],
  ignored: ['uid', 'resourceVersion'],
  rbac: true,
};
