/** Rules of the kinds of `flowcontrol.apiserver.k8s.io`. */

import type { BuiltinKind } from '../builtin-kind.ts';
import { conditions, flowSchema, priorityLevel } from './flow-validation.ts';

/** Rules of the kinds of the group, by type. */
export const flowcontrolKinds: Readonly<Record<string, BuiltinKind>> = {
  'flowcontrol.FlowSchema': {
    values: { 'flowcontrol.FlowSchemaSpec': { matchingPrecedence: 1000 } },
    check: flowSchema,
    checkStatus: conditions,
  },
  'flowcontrol.PriorityLevelConfiguration': {
    values: {
      'flowcontrol.LimitedPriorityLevelConfiguration': { nominalConcurrencyShares: 30, lendablePercent: 0 },
      'flowcontrol.ExemptPriorityLevelConfiguration': { nominalConcurrencyShares: 0, lendablePercent: 0 },
      'flowcontrol.QueuingConfiguration': { queues: 64, handSize: 8, queueLengthLimit: 50 },
    },
    check: priorityLevel,
    checkStatus: conditions,
  },
};
