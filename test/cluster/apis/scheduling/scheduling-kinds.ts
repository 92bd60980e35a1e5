/** Rules of the kinds of `scheduling.k8s.io`. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { oneOf, optional, requiredValue } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, immutable } from '../../apimachinery/validation/errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';

/** Largest priority that users may set. */
const highest = 1_000_000_000;
const systemPrefix = 'system-';
const systemClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** Reports the problem of a class with a reserved name; undefined when it equals the system's own. */
function notOfSystem(name: string, { value, globalDefault }: Fields): string | undefined {
  const known = systemClasses[name];
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

const preemption = requiredValue('', oneOf('PreemptLowerPriority', 'Never'));

function* newPriorityErrors(object: Fields): Generator<FieldError> {
  const name = String(fieldsOf(object.metadata).name ?? '');
  if (name.startsWith(systemPrefix)) {
    const why = notOfSystem(name, object);
    const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${why}`;
    if (why !== undefined) yield forbidden('metadata.name', detail);
  } else if (Number(object.value ?? 0) > highest) {
    yield forbidden('value', `maximum allowed value of a user defined priority is ${highest}`);
  }
  yield* optional(preemption)(object.preemptionPolicy, 'preemptionPolicy');
}

const check: Check = function* (object, old) {
  if (old === undefined) {
    yield* newPriorityErrors(object);
    return;
  }
  if (object.value !== old.value) yield forbidden('value', 'may not be changed in an update.');
  yield* immutable('preemptionPolicy', object.preemptionPolicy, old.preemptionPolicy);
};

/** Rules of the kinds of `scheduling.k8s.io`, by type. */
export const schedulingKinds: Readonly<Record<string, BuiltinKind>> = {
  'scheduling.PriorityClass': {
    values: { 'scheduling.PriorityClass': { preemptionPolicy: 'PreemptLowerPriority' } },
    check,
  },
};
