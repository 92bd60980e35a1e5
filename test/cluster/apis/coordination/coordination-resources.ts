/** Kinds of `coordination.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const coordinationTable = `\
coordination.k8s.io/v1
  Lease leases #gqkMMb/YqFM= namespaced upsert`;

/** Strategies of the group, by collection. */
export const coordinationStrategies: Readonly<Record<string, Strategy>> = {
  'coordination.k8s.io/leases': { validationPasses: { times: 3, bareFinalizers: true } },
};
