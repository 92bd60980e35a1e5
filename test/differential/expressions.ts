import { policyScenarios } from './expressions/policies.ts';
import { ruleScenarios } from './expressions/rules.ts';
import type { Family } from './scenario.ts';

/** CEL wherever the API server has it: rules of definitions, policies; when a definition is served differs from server to server, so versions and uids are not told apart. */
export const expressions: Family = {
  fixed: () => [...ruleScenarios, ...policyScenarios],
  ignored: ['uid', 'resourceVersion'],
  rbac: true,
};
