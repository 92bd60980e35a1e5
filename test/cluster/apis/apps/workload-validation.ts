/** Rules that the kinds of workloads share. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { all, type Rule } from '../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid } from '../../apimachinery/validation/errors.ts';
import {
  isSelector,
  selectorErrors,
  unselectedLabelErrors,
} from '../../apimachinery/validation/selector-validation.ts';
import { type DefaultRule, withMissing } from '../../resources/defaulting.ts';
import { lasting, templateErrors } from '../core/pods/template-validation.ts';

/** Returns the rule of the templates of a kind. */
export const template = (kind: string): Rule => all(templateErrors, lasting(kind));

const percentOf = (value: unknown): number | undefined => {
  const [, percent] = /^([0-9]+)%$/.exec(String(value)) ?? [];
  return percent === undefined ? undefined : Number(percent);
};

/** Returns an amount or percentage as a number; 0 when it is invalid. */
export const amountIn = (value: unknown): number =>
  (typeof value === 'number' ? value : (percentOf(value) ?? Number(value))) || 0;

/** Rule of percentages of at most 100%. */
export const atMostAll: Rule = function* (value, path) {
  if ((percentOf(value) ?? 0) > 100) yield invalid(path, value, 'must not be greater than 100%');
};

/** Validates the selector and template of a workload with replicas. */
export function* replicated(spec: Fields): Generator<FieldError> {
  yield* selectorErrors(spec, 'deployment', 'invalid label selector');
  if (!isSelector(spec.selector)) return;
  yield* unselectedLabelErrors(spec);
  yield* template('ReplicaSet')(spec.template, 'spec.template');
}

/** Returns the rule that defaults the rolling update of a strategy, which is the default strategy. */
export const rollingUpdate =
  (name: string, defaults: Fields): DefaultRule =>
  (spec) => {
    const strategy = fieldsOf(spec[name]);
    const { type = 'RollingUpdate' } = strategy;
    if (type !== 'RollingUpdate') return spec;
    const filled = { ...strategy, type, rollingUpdate: withMissing(fieldsOf(strategy.rollingUpdate), defaults) };
    return { ...spec, [name]: filled };
  };
