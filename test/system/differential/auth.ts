import { accessScenarios } from './auth/access.ts';
import { escalationScenarios } from './auth/escalation.ts';
import { impersonationScenarios } from './auth/impersonation.ts';
import { tokenScenarios } from './auth/tokens.ts';
import type { Family } from './runner/scenario.ts';

/** Authentication and authorization. */
export const auth: Family = {
  rbac: true,
  controllers: true,
  ignored: ['managedFields', 'resourceVersion'],
  unordered: ['resourceRules', 'nonResourceRules'],
  fixed: () => [...accessScenarios, ...escalationScenarios, ...impersonationScenarios, ...tokenScenarios],
};
