import type { FieldError } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { fieldsOf, invalid, listOf, required, unsupported } from './checks.ts';
import { isQualifiedName, type NameCheck } from './names.ts';

/** What is wrong with a value that is at a path. Rules are made of rules, so that tables of them read like the types they speak of. */
export type Rule = (value: unknown, path: string) => Iterable<FieldError>;

const isNone = (value: unknown): boolean => value === undefined || value === null || value === '';

const under = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Rules for members, in this order; a member that is absent has the value undefined. */
export const fields = (table: Readonly<Record<string, Rule>>): Rule => {
  const rules = Object.entries(table);
  return function* (value, path) {
    const object = fieldsOf(value);
    for (const [name, rule] of rules) yield* rule(object[name], under(path, name));
  };
};

/** Rules for those members that are there, in this order; what is absent costs nothing. */
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

/** Several rules for one value, one after the other. */
export const all = (...rules: readonly Rule[]): Rule =>
  function* (value, path) {
    for (const rule of rules) yield* rule(value, path);
  };

/** A rule for what is there. */
export const given = (rule: Rule): Rule =>
  function* (value, path) {
    if (value !== undefined && value !== null) yield* rule(value, path);
  };

/** A rule for what is not empty. */
export const filled = (rule: Rule): Rule =>
  function* (value, path) {
    if (!isNone(value)) yield* rule(value, path);
  };

/** A rule for each item of a list. */
export const each = (rule: Rule): Rule =>
  function* (value, path) {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* rule(item, `${path}[${index}]`);
  };

/** A value that must be there; when it is, by a rule. */
export const needed = (detail = '', rule: Rule = () => []): Rule =>
  function* (value, path) {
    if (isNone(value)) yield required(path, detail);
    else yield* rule(value, path);
  };

/** A list with something in it; then each item by a rule. */
export const some = (detail = '', rule: Rule = () => []): Rule =>
  function* (value, path) {
    if (!Array.isArray(value) || value.length === 0) yield required(path, detail);
    else yield* each(rule)(value, path);
  };

/** One of these. */
export const oneOf = (...supported: readonly string[]): Rule =>
  function* (value, path) {
    yield* unsupported(path, value, supported);
  };

/** A number in a range, by what is said of one outside. */
export const inRange = (least: number, most: number, detail: string): Rule =>
  function* (value, path) {
    if (typeof value === 'number' && (value < least || value > most)) yield invalid(path, value, detail);
  };

/** A number that is not negative. */
export const notNegative = inRange(0, Number.POSITIVE_INFINITY, 'must be greater than or equal to 0');

/** A text that a name check has nothing against. */
export const named = (check: NameCheck): Rule =>
  function* (value, path) {
    for (const detail of check(String(value ?? ''))) yield invalid(path, value ?? '', detail);
  };

const percentPattern = /^[0-9]+%$/;

/** A number that is not negative, or a percentage. */
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

/** What is wrong with the value of a label. */
export const labelValueProblems = (text: string): readonly string[] => [
  ...(text.length > 63 ? ['must be no more than 63 characters'] : []),
  ...(labelValue.test(text)
    ? []
    : [
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ]),
];

/** The value of a label. */
export const labelText: Rule = (value, path) => named(labelValueProblems)(value, path);

/** Labels: what is wrong with keys and values is told of them all. */
export const labels: Rule = function* (value, path) {
  for (const [key, text] of Object.entries(fieldsOf(value))) {
    for (const detail of isQualifiedName(key)) yield invalid(path, key, detail);
    yield* labelText(text, path);
  }
};

const withValues = "must be specified when `operator` is 'In' or 'NotIn'";
const withoutValues = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";

/** How many values the operator of a selector's requirement takes; operators that are not known take any. */
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

/** A label selector. */
export const labelSelector: Rule = function* (value, path) {
  const { matchLabels, matchExpressions } = fieldsOf(value);
  yield* labels(matchLabels, `${path}.matchLabels`);
  for (const [index, one] of listOf(matchExpressions).entries()) {
    yield* requirement(one, `${path}.matchExpressions[${index}]`);
  }
};
