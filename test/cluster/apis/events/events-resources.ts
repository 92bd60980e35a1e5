/** Kinds of `events.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';
import { objectFields } from '../event-fields.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const eventsTable = `\
events.k8s.io/v1
  Event events -ev #r2yiGXH7wu8= namespaced unconditional upsert`;

/** Field labels of the group, by collection. */
export const eventsFieldLabels = {
  'events.k8s.io/events': [
    ...objectFields.map((field) => `regarding.${field}`),
    'reason',
    'reportingController',
    'type',
  ],
};

/** Strategies of the group, by collection. */
export const eventsStrategies: Readonly<Record<string, Strategy>> = {
  'events.k8s.io/events': { validationPasses: { times: 3 } },
};
