/** Kinds of `node.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const nodeTable = `\
node.k8s.io/v1
  RuntimeClass runtimeclasses #WQTu1GL3T2Q= upsert`;

/** Strategies of the group, by collection. */
export const nodeStrategies: Readonly<Record<string, Strategy>> = {
  'node.k8s.io/runtimeclasses': { validationPasses: { bareFinalizers: true } },
};
