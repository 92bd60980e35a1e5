/** Kinds of `policy` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const policyTable = `\
policy/v1
  PodDisruptionBudget poddisruptionbudgets -pdb #EVWiDmWqyJw= namespaced generation statusMetadata /status`;

/** Strategies of the group, by collection. */
export const policyStrategies: Readonly<Record<string, Strategy>> = {
  'policy/poddisruptionbudgets': { validationPasses: { times: 2, inStatus: 2 } },
};
