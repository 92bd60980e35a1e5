/** Validates failure and success policies of Jobs. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../apimachinery/name-validation.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { named, notNegative, oneOf, type Rule } from '../../apimachinery/validation/combinators.ts';
import { memberAsSent } from '../../apimachinery/validation/empty-members.ts';
import { fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { type Indexes, indexesOf } from './job-indexes.ts';

const maxRules = 20;
const maxPatterns = 20;
const maxValues = 255;
const maxIndexText = 64 * 1024;

const tooMany = (limit: number): Rule =>
  function* (value, path) {
    const { length } = Array.isArray(value) ? value : [];
    if (length > limit) {
      yield { type: 'TooMany', field: path, value: length, detail: `must have at most ${limit} items` };
    }
  };

/** Returns the rule of an enum, with Go's message for an empty value. */
const chosen = (...known: readonly string[]): Rule =>
  function* (value, path) {
    if (value) yield* oneOf(...known)(value, path);
    else yield required(path, `valid values: [${known.map((name) => JSON.stringify(name)).join(' ')}]`);
  };

const exitCode = (operator: unknown): Rule =>
  function* (value, path) {
    if (operator === 'In' && value === 0) yield invalid(path, value, 'must not be 0 for the In operator');
  };

function* exitCodes(codes: Fields, path: string): Generator<FieldError> {
  const { operator } = codes;
  const given = memberAsSent(codes, 'values');
  const values = Array.isArray(given) ? (given as readonly number[]) : [];
  if (values.length === 0) yield invalid(path, given ?? null, 'at least one value is required');
  else yield* tooMany(maxValues)(values, path);
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    const at = `${path}[${index}]`;
    yield* exitCode(operator)(value, at);
    if (seen.has(value)) yield { type: 'Duplicate', field: at, value };
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && values[index - 1]! > value)) {
    yield invalid(path, values, 'must be ordered');
  }
}

const onExitCodes = (containers: ReadonlySet<unknown>): Rule =>
  function* (value, path) {
    const codes = fieldsOf(value);
    yield* chosen('In', 'NotIn')(codes.operator, `${path}.operator`);
    if (codes.containerName !== undefined && !containers.has(codes.containerName)) {
      const detail = 'must be one of the container or initContainer names in the pod template';
      yield invalid(`${path}.containerName`, codes.containerName, detail);
    }
    yield* exitCodes(codes, `${path}.values`);
  };

const onPodConditions: Rule = function* (value, path) {
  yield* tooMany(maxPatterns)(value, path);
  for (const [index, { type, status }] of listOf(value).entries()) {
    const at = `${path}[${index}]`;
    yield* named(isQualifiedName)(type, `${at}.type`);
    yield* chosen('False', 'True', 'Unknown')(status, `${at}.status`);
  }
};

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function* action(value: unknown, path: string, spec: Fields): Generator<FieldError> {
  if (value !== 'FailIndex') yield* chosen(...actions)(value, path);
  else if (spec.backoffLimitPerIndex === undefined) {
    yield invalid(path, value, 'requires the backoffLimitPerIndex to be set');
  }
}

const containersOf = (spec: Fields): ReadonlySet<unknown> => {
  const { containers, initContainers } = fieldsOf(fieldsOf(spec.template).spec);
  return new Set([...listOf(containers), ...listOf(initContainers)].map(({ name }) => name));
};

const conflicting = (field: string, detail: string): FieldError => ({ type: 'Invalid', field, detail });

/** Rule of `podFailurePolicy`; the value is the Job's spec, the path that of the policy. */
export const failurePolicy: Rule = function* (value, path) {
  const spec = fieldsOf(value);
  const { rules } = fieldsOf(spec.podFailurePolicy);
  const containers = containersOf(spec);
  yield* tooMany(maxRules)(rules, `${path}.rules`);
  for (const [index, rule] of listOf(rules).entries()) {
    const at = `${path}.rules[${index}]`;
    const [byCodes, byConditions] = [rule.onExitCodes !== undefined, listOf(rule.onPodConditions).length > 0];
    yield* action(rule.action, `${at}.action`, spec);
    if (byCodes) yield* onExitCodes(containers)(rule.onExitCodes, `${at}.onExitCodes`);
    if (byConditions) yield* onPodConditions(rule.onPodConditions, `${at}.onPodConditions`);
    if (byCodes && byConditions) {
      yield conflicting(at, 'specifying both OnExitCodes and OnPodConditions is not supported');
    }
    if (!byCodes && !byConditions) {
      yield conflicting(at, 'specifying one of OnExitCodes and OnPodConditions is required');
    }
  }
};

function* succeeded(rule: Fields, path: string, completions: number): Generator<FieldError> {
  const { succeededIndexes: text, succeededCount: count } = rule;
  let indexes: Indexes | undefined;
  if (typeof text === 'string') {
    const at = `${path}.succeededIndexes`;
    if (text.length > maxIndexText) {
      yield { type: 'TooLong', field: at, detail: `may not be more than ${maxIndexText} bytes` };
    }
    indexes = indexesOf(text, completions);
    if (indexes.problem !== undefined) {
      yield invalid(at, text, `error parsing succeededIndexes: ${indexes.problem}`);
    }
  }
  if (typeof count !== 'number') return;
  const at = `${path}.succeededCount`;
  yield* notNegative(count, at);
  const limits: readonly (readonly [number | undefined, string])[] = [
    [completions, 'the number of specified completions'],
    [indexes?.count, 'the number of indexes in the specified succeededIndexes field'],
  ];
  for (const [limit, what] of limits) {
    if (limit !== undefined && count > limit)
      yield invalid(at, count, `must be less than or equal to ${limit} (${what})`);
  }
}

/** Rule of `successPolicy`; the value is the Job's spec, the path that of the policy. */
export const successPolicy: Rule = function* (value, path) {
  const spec = fieldsOf(value);
  const rules = listOf(fieldsOf(spec.successPolicy).rules);
  const at = `${path}.rules`;
  if (rules.length === 0)
    yield required(at, 'at least one rules must be specified when the successPolicy is specified');
  yield* tooMany(maxRules)(rules, at);
  for (const [index, rule] of rules.entries()) {
    if (rule.succeededCount === undefined && rule.succeededIndexes === undefined) {
      yield required(`${at}[${index}]`, 'at least one of succeededCount or succeededIndexes must be specified');
    }
    yield* succeeded(rule, `${at}[${index}]`, Number(spec.completions ?? 0));
  }
};
