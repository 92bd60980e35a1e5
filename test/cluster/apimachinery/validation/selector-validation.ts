/** Validates the label selectors of workloads. */

import type { FieldError } from '../field-error.ts';
import type { Fields } from '../object.ts';
import { labelSelector } from './combinators.ts';
import { asGiven } from './empty-members.ts';
import { fieldsOf, invalid, listOf, required } from './errors.ts';

const valuesOf = ({ values }: Fields): readonly unknown[] => (Array.isArray(values) ? values : []);

const operators: Readonly<Record<string, (value: unknown, values: readonly unknown[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

/** Reports whether a label selector matches labels. */
export function selects(selector: Fields, labels: Fields): boolean {
  const named = Object.entries(fieldsOf(selector.matchLabels)).every(([key, value]) => labels[key] === value);
  return (
    named &&
    listOf(selector.matchExpressions).every(
      (expression) =>
        operators[String(expression.operator)]?.(labels[String(expression.key)], valuesOf(expression)) ?? false,
    )
  );
}

/** Reports whether a label selector is valid. */
export const isSelector = (selector: unknown): boolean => [...labelSelector(selector, '')].length === 0;

/** Reports whether a selector is absent; an absent selector matches nothing. */
export const isNone = (selector: unknown): boolean => selector === undefined || selector === null;

const isEmptySelector = (selector: Fields): boolean =>
  Object.keys(fieldsOf(selector.matchLabels)).length === 0 && listOf(selector.matchExpressions).length === 0;

/** Reports a selector that matches everything, where that is not allowed. */
export function* emptySelector(selector: unknown, kind: string): Generator<FieldError> {
  if (isNone(selector) || !isEmptySelector(fieldsOf(selector))) return;
  yield invalid('spec.selector', selector, `empty selector is invalid for ${kind}`);
}

/** Validates a required, non-empty selector; `unreadable` is the message for an invalid one. */
export function* selectorErrors({ selector }: Fields, kind: string, unreadable: string): Generator<FieldError> {
  if (isNone(selector)) {
    yield required('spec.selector');
    return;
  }
  yield* labelSelector(selector, 'spec.selector');
  yield* emptySelector(selector, kind);
  if (!isSelector(selector)) yield invalid('spec.selector', selector, unreadable);
}

/** Returns the labels of a workload's pod template. */
export const templateLabels = (spec: Fields): Fields => fieldsOf(fieldsOf(fieldsOf(spec.template).metadata).labels);

/** Returns the error for template labels that the selector does not match. */
export function unselectedLabels(spec: Fields): FieldError {
  const labels = asGiven(fieldsOf(fieldsOf(spec.template).metadata), 'labels');
  return invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
}

/** Reports template labels that the selector does not match. */
export function* unselectedLabelErrors(spec: Fields): Generator<FieldError> {
  const labels = templateLabels(spec);
  const { selector } = spec;
  if (isSelector(selector) && (isNone(selector) || !selects(fieldsOf(selector), labels))) {
    yield unselectedLabels(spec);
  }
}
