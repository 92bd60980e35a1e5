/** Combinators and basic rules of validation. */

import type { FieldError } from '../field-error.ts';
import { isQualifiedName, type NameCheck } from '../name-validation.ts';
import type { Fields } from '../object.ts';
import { fieldsOf, invalid, listOf, required, unsupported } from './errors.ts';

/** Validates a value at a path. Rules are composed of rules, so that tables of them mirror the validated types. */
export type Rule = (value: unknown, path: string) => Iterable<FieldError>;

const isNone = (value: unknown): boolean => value === undefined || value === null || value === '';

const under = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Returns the rule of an object's members, in this order; absent members are validated as undefined. */
export const fields = (table: Readonly<Record<string, Rule>>): Rule => {
  const rules = Object.entries(table);
  return function* (value, path) {
    const object = fieldsOf(value);
    for (const [name, rule] of rules) yield* rule(object[name], under(path, name));
  };
};

/** Returns the rule of an object's present members, in this order. */
export const members = (table: Readonly<Record<string, Rule>>): Rule => {
  const rules = Object.entries(table);
  return function* (value, path) {
    const object = fieldsOf(value);
    for (const [name, rule] of rules) {
      const member = object[name];
      if (member !== undefined && member !== null) yield* rule(member, under(path, name));
    }
  };
};

/** Returns the rule that applies several rules in turn. */
export const all = (...rules: readonly Rule[]): Rule =>
  function* (value, path) {
    for (const rule of rules) yield* rule(value, path);
  };

/** Returns the rule of an optional value. */
export const optional = (rule: Rule): Rule =>
  function* (value, path) {
    if (value !== undefined && value !== null) yield* rule(value, path);
  };

/** Returns the rule of a value that may be empty. */
export const optionalOrEmpty = (rule: Rule): Rule =>
  function* (value, path) {
    if (!isNone(value)) yield* rule(value, path);
  };

/** Returns the rule of each item of a list. */
export const each = (rule: Rule): Rule =>
  function* (value, path) {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* rule(item, `${path}[${index}]`);
  };

/** Returns the rule of a required value. */
export const requiredValue = (detail = '', rule: Rule = () => []): Rule =>
  function* (value, path) {
    if (isNone(value)) yield required(path, detail);
    else yield* rule(value, path);
  };

/** Returns the rule of a required, non-empty list and its items. */
export const some = (detail = '', rule: Rule = () => []): Rule =>
  function* (value, path) {
    if (!Array.isArray(value) || value.length === 0) yield required(path, detail);
    else yield* each(rule)(value, path);
  };

/** Returns the rule of an enum. */
export const oneOf = (...supported: readonly string[]): Rule =>
  function* (value, path) {
    yield* unsupported(path, value, supported);
  };

/** Returns the rule of numbers in a range; `detail` is the message. */
export const inRange = (least: number, most: number, detail: string): Rule =>
  function* (value, path) {
    if (typeof value === 'number' && (value < least || value > most)) yield invalid(path, value, detail);
  };

/** Rule of numbers that are not negative. */
export const notNegative = inRange(0, Number.POSITIVE_INFINITY, 'must be greater than or equal to 0');

/** Returns the rule of texts that pass a name check. */
export const named = (check: NameCheck): Rule =>
  function* (value, path) {
    for (const detail of check(String(value ?? ''))) yield invalid(path, value ?? '', detail);
  };

const percentPattern = /^[0-9]+%$/;

/** Rule of non-negative numbers or percentages. */
export const amountOrPercent: Rule = function* (value, path) {
  if (typeof value === 'number') yield* notNegative(value, path);
  else if (typeof value === 'string' && !percentPattern.test(value)) {
    yield invalid(
      path,
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    );
  }
};

const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Validates the value of a label; returns the server's messages. */
export const labelValueProblems = (text: string): readonly string[] => [
  ...(text.length > 63 ? ['must be no more than 63 characters'] : []),
  ...(labelValue.test(text)
    ? []
    : [
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ]),
];

/** Rule of label values. */
export const labelText: Rule = (value, path) => named(labelValueProblems)(value, path);

/** Rule of labels; errors of keys and values are reported for the map. */
export const labels: Rule = function* (value, path) {
  for (const [key, text] of Object.entries(fieldsOf(value))) {
    for (const detail of isQualifiedName(key)) yield invalid(path, key, detail);
    yield* labelText(text, path);
  }
};

const withValues = "must be specified when `operator` is 'In' or 'NotIn'";
const withoutValues = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";

/** Validates the number of values of a selector requirement by its operator; unknown operators take any. */
export function* requirementValues({ operator, values }: Fields, path: string): Generator<FieldError> {
  const count = Array.isArray(values) ? values.length : 0;
  if (operator === 'In' || operator === 'NotIn') {
    if (count === 0) yield required(`${path}.values`, withValues);
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (count > 0) yield { type: 'Forbidden', field: `${path}.values`, detail: withoutValues };
  }
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

function* requirement(one: Fields, path: string): Generator<FieldError> {
  const { key, operator, values } = one;
  yield* requirementValues(one, path);
  if (!operators.includes(String(operator))) {
    yield invalid(`${path}.operator`, operator, 'not a valid selector operator');
  }
  yield* named(isQualifiedName)(key, `${path}.key`);
  yield* each(labelText)(values, `${path}.values`);
}

/** Rule of label selectors. */
export const labelSelector: Rule = function* (value, path) {
  const { matchLabels, matchExpressions } = fieldsOf(value);
  yield* labels(matchLabels, `${path}.matchLabels`);
  for (const [index, one] of listOf(matchExpressions).entries()) {
    yield* requirement(one, `${path}.matchExpressions[${index}]`);
  }
};
