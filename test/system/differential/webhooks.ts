import type { Family } from './runner/scenario.ts';
import { answerScenarios } from './webhooks/answers.ts';
import { connectionScenarios } from './webhooks/connections.ts';
import { requestScenarios } from './webhooks/requests.ts';

/** Mutating and validating webhooks: their requests, and the effects of their answers. */
export const webhooks: Family = {
  hooks: true,
  ignored: ['resourceVersion'],
  unordered: ['atOnce'],
  fixed: () => [...requestScenarios, ...connectionScenarios, ...answerScenarios],
};
