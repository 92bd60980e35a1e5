/** Validates node selectors. */

import type { FieldError } from '../field-error.ts';
import { isQualifiedName, isSubdomain } from '../name-validation.ts';
import type { Fields } from '../object.ts';
import { each, labelText, named, type Rule } from './combinators.ts';
import { fieldsOf, forbidden, invalid, listOf, required } from './errors.ts';

const countOf = (values: unknown): number => (Array.isArray(values) ? values.length : 0);

/** Required number of values of each operator. */
const operators: Readonly<Record<string, (path: string, count: number) => readonly FieldError[]>> = {
  In: (path, count) => (count === 0 ? [required(path, "must be specified when `operator` is 'In' or 'NotIn'")] : []),
  Exists: (path, count) =>
    count === 0 ? [] : [forbidden(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")],
  Gt: (path, count) =>
    count === 1 ? [] : [required(path, "must be specified single value when `operator` is 'Lt' or 'Gt'")],
};
const sameAs: Readonly<Record<string, string>> = { NotIn: 'In', DoesNotExist: 'Exists', Lt: 'Gt' };

const notAnOperator = 'not a valid selector operator';

const expression: Rule = function* (value, path) {
  const { key, operator, values } = fieldsOf(value);
  const name = String(operator ?? '');
  const check = operators[sameAs[name] ?? name];
  if (check === undefined) yield invalid(`${path}.operator`, name, notAnOperator);
  else yield* check(`${path}.values`, countOf(values));
  yield* named(isQualifiedName)(key, `${path}.key`);
};

/** Rule of expressions over node labels. */
export const nodeExpression: Rule = function* (value, path) {
  yield* expression(value, path);
  yield* each(labelText)(fieldsOf(value).values, `${path}.values`);
};

function* fieldErrors({ key, operator, values }: Fields, path: string): Generator<FieldError> {
  if (operator !== 'In' && operator !== 'NotIn') yield invalid(`${path}.operator`, operator ?? '', notAnOperator);
  else if (countOf(values) !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    yield required(`${path}.values`, detail);
  }
  if (key !== 'metadata.name') yield invalid(`${path}.key`, key ?? '', 'not a valid field selector key');
  else yield* each(named(isSubdomain))(values, `${path}.values`);
}

const term = (rule: Rule): Rule =>
  function* (value, path) {
    const { matchExpressions, matchFields } = fieldsOf(value);
    yield* each(rule)(matchExpressions, `${path}.matchExpressions`);
    for (const [index, one] of listOf(matchFields).entries()) yield* fieldErrors(one, `${path}.matchFields[${index}]`);
  };

/** Rule of node selector terms, with labels and fields. */
export const nodeTerm: Rule = term(nodeExpression);

/** Rule of preferred terms, whose values need not be valid labels. */
export const preferredNodeTerm: Rule = term(expression);

/** Rule of node selectors, of whose terms one must match. */
export const nodeSelector: Rule = function* (value, path) {
  const { nodeSelectorTerms: terms } = fieldsOf(value);
  const at = `${path}.nodeSelectorTerms`;
  if (listOf(terms).length === 0) yield required(at, 'must have at least one node selector term');
  else yield* each(nodeTerm)(terms, at);
};
