/** Validates the label selectors of workloads. */

import type { FieldError } from '../field-error.ts';
import type { Fields } from '../object.ts';
import { selectsLabels } from '../selectors/match-label-selector.ts';
import { labelSelector } from './combinators.ts';
import { memberAsSent } from './empty-members.ts';
import { fieldsOf, invalid, listOf, required } from './errors.ts';

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
export const templateLabels = (spec: Fields): Readonly<Record<string, string>> =>
  fieldsOf(fieldsOf(fieldsOf(spec.template).metadata).labels) as Readonly<Record<string, string>>;

/** Returns the error for template labels that the selector does not match. */
export function unselectedLabels(spec: Fields): FieldError {
  const labels = memberAsSent(fieldsOf(fieldsOf(spec.template).metadata), 'labels');
  return invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
}

/** Reports template labels that the selector does not match. */
export function* unselectedLabelErrors(spec: Fields): Generator<FieldError> {
  const labels = templateLabels(spec);
  const { selector } = spec;
  if (isSelector(selector) && (isNone(selector) || !selectsLabels(selector, labels))) {
    yield unselectedLabels(spec);
  }
}
