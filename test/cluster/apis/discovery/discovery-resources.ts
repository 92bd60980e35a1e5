/** Kinds of `discovery.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const discoveryTable = `\
discovery.k8s.io/v1
  EndpointSlice endpointslices #qgS0xkrxYAI= namespaced generation unconditional`;

/** Strategies of the group, by collection. */
export const discoveryStrategies: Readonly<Record<string, Strategy>> = {
  'discovery.k8s.io/endpointslices': { labelsIncrementGeneration: true, validationPasses: { times: 3 } },
};
