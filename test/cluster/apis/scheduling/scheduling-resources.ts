/** Kinds of `scheduling.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const schedulingTable = `\
scheduling.k8s.io/v1
  PriorityClass priorityclasses -pc #1QwjyaZjj3Y= generation unconditional`;

/** Strategies of the group, by collection. */
export const schedulingStrategies: Readonly<Record<string, Strategy>> = {
  'scheduling.k8s.io/priorityclasses': { keepsGeneration: true, validationPasses: { times: 3 } },
};
