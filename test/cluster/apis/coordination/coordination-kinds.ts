/** Rules of the kinds of `coordination.k8s.io`. */

import { type Check, fieldsOf, invalid } from '../../apimachinery/validation/errors.ts';
import { withoutFields } from '../../resources/defaulting.ts';
import type { BuiltinKind } from '../builtin-kind.ts';

const check: Check = function* ({ spec }) {
  const { leaseDurationSeconds, leaseTransitions } = fieldsOf(spec);
  if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0) {
    yield invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0');
  }
  if (typeof leaseTransitions === 'number' && leaseTransitions < 0) {
    yield invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0');
  }
};

/** Rules of the kinds of `coordination.k8s.io`, by type. */
export const coordinationKinds: Readonly<Record<string, BuiltinKind>> = {
  'coordination.Lease': {
    defaults: { 'coordination.LeaseSpec': withoutFields('strategy', 'preferredHolder') },
    check,
  },
};
