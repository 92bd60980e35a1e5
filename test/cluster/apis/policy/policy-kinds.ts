/** Rules of the kinds of `policy`. */

import { isPathSegment } from '../../apimachinery/name-validation.ts';
import {
  all,
  amountOrPercent,
  fields,
  labelSelector,
  oneOf,
  optional,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid } from '../../apimachinery/validation/errors.ts';
import { asGo } from '../../resources/go-form.ts';
import { atMostAll } from '../apps/workload-validation.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { disruptionBudgetStatus } from './disruption-budget-status.ts';

const budget = fields({
  minAvailable: all(amountOrPercent, atMostAll),
  maxUnavailable: all(amountOrPercent, atMostAll),
  selector: optional(labelSelector),
  unhealthyPodEvictionPolicy: oneOf('AlwaysAllow', 'IfHealthyBudget'),
});

const check: Check = function* ({ spec }) {
  const { minAvailable, maxUnavailable } = fieldsOf(spec);
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    yield invalid(
      'spec',
      asGo('policy.PodDisruptionBudgetSpec', spec),
      'minAvailable and maxUnavailable cannot be both set',
    );
  }
  yield* budget(spec, 'spec');
};

/** Rules of the kinds of `policy`, by type. */
export const policyKinds: Readonly<Record<string, BuiltinKind>> = {
  'policy.PodDisruptionBudget': { checkName: isPathSegment, check, checkStatus: disruptionBudgetStatus },
};
