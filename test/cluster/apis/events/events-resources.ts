/** Kinds of `events.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const eventsTable = `\
events.k8s.io/v1
  Event events -ev #r2yiGXH7wu8= namespaced unconditional upsert ?reason ?regarding.apiVersion ?regarding.fieldPath
    ?regarding.kind ?regarding.name ?regarding.namespace ?regarding.resourceVersion ?regarding.uid ?reportingController
    ?type`;

/** Strategies of the group, by collection. */
export const eventsStrategies: Readonly<Record<string, Strategy>> = {
  'events.k8s.io/events': { validationPasses: { times: 3 } },
};
