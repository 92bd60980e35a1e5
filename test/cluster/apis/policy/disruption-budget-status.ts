/** Validation of the status of PodDisruptionBudgets. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../apimachinery/name-validation.ts';
import { fields, named, oneOf, type Rule } from '../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { amounts, numberOf, statusOf } from '../status-validation.ts';

const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonDetail = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonPattern}')`;
const maxLength = { reason: 1024, message: 32_768 };

function* tooLong(value: unknown, path: string, limit: number): Generator<FieldError> {
  if (String(value ?? '').length > limit) {
    yield { type: 'TooLong', field: path, detail: `may not be more than ${limit} bytes` };
  }
}

const reason: Rule = function* (value, path) {
  if (!value) yield required(path);
  else if (!new RegExp(`^${reasonPattern}$`).test(String(value))) yield invalid(path, value, reasonDetail);
  yield* tooLong(value, path, maxLength.reason);
};

const condition = fields({
  type: named(isQualifiedName),
  status: (value, path) => oneOf('False', 'True', 'Unknown')(value ?? '', path),
  observedGeneration: function* (value, path) {
    if (numberOf(value) < 0) yield invalid(path, value, 'must be greater than or equal to zero');
  },
  lastTransitionTime: (value, path) => (value ? [] : [required(path)]),
  reason,
  message: (value, path) => tooLong(value, path, maxLength.message),
});

/** Rule of metav1 conditions. */
const conditions: Rule = function* (value, path) {
  const seen = new Set<unknown>();
  for (const [index, one] of listOf(fieldsOf(value).conditions).entries()) {
    const at = `${path}.conditions[${index}]`;
    if (seen.has(one.type)) yield { type: 'Duplicate', field: `${at}.type`, value: one.type };
    seen.add(one.type);
    yield* condition(one, at);
  }
};

/** Validates the status of PodDisruptionBudgets. */
export const disruptionBudgetStatus = statusOf(
  conditions,
  amounts('disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'),
);
