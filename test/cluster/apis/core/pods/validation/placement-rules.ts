/** Validation rules of the fields that place a pod. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../../../apimachinery/name-validation.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import {
  inRange,
  labelSelector,
  labelText,
  members,
  named,
  oneOf,
  optionalOrEmpty,
  type Rule,
} from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, listOf, required, unsupported } from '../../../../apimachinery/validation/errors.ts';
import { ownLabelErrors } from './affinity-rules.ts';

const positive: Rule = (value, path) =>
  inRange(1, Number.POSITIVE_INFINITY, 'must be greater than zero')(value ?? 0, path);

const inclusion = oneOf('Honor', 'Ignore');
const policies = members({ nodeAffinityPolicy: inclusion, nodeTaintsPolicy: inclusion });

function* leastDomainErrors({ minDomains, whenUnsatisfiable = '' }: Fields, path: string): Generator<FieldError> {
  if (minDomains === undefined) return;
  yield* positive(minDomains, path);
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    yield invalid(path, minDomains, detail);
  }
}

/** Rule of topology spread constraints. */
export const spread: Rule = function* (value, path) {
  const list = listOf(value);
  for (const [index, one] of list.entries()) {
    const at = `${path}[${index}]`;
    const { topologyKey = '', whenUnsatisfiable = '' } = one;
    yield* positive(one.maxSkew, `${at}.maxSkew`);
    if (topologyKey === '') yield required(`${at}.topologyKey`, 'can not be empty');
    yield* unsupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']);
    const isAgain = list
      .slice(index + 1)
      .some((two) => (two.topologyKey ?? '') === topologyKey && (two.whenUnsatisfiable ?? '') === whenUnsatisfiable);
    if (isAgain) {
      const field = `${at}.{topologyKey, whenUnsatisfiable}`;
      yield { type: 'Duplicate', field, value: `{${topologyKey}, ${whenUnsatisfiable}}` };
    }
    yield* leastDomainErrors(one, `${at}.minDomains`);
    yield* policies(one, at);
    yield* ownLabelErrors({ ...one, mismatchLabelKeys: undefined }, at);
    if (one.labelSelector !== undefined) yield* labelSelector(one.labelSelector, `${at}.labelSelector`);
  }
};

const effects = oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute');
const anything = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';

function* toleratedValueErrors({ operator, value = '' }: Fields, path: string): Generator<FieldError> {
  if (!operator || operator === 'Equal') {
    const problems = [...labelText(value, path)].map(({ detail }) => detail);
    if (problems.length > 0) yield invalid(path, value, problems.join(';'));
  } else if (operator !== 'Exists') yield* unsupported(path, operator, ['Equal', 'Exists']);
  else if (value !== '') yield invalid(path, value, "value must be empty when `operator` is 'Exists'");
}

/** Rule of tolerations. */
export const tolerations: Rule = function* (value, path) {
  for (const [index, one] of listOf(value).entries()) {
    const at = `${path}[${index}]`;
    const { key, operator = '', effect = '', tolerationSeconds } = one;
    yield* optionalOrEmpty(named(isQualifiedName))(key, `${at}.key`);
    if (!key && operator !== 'Exists') yield invalid(`${at}.operator`, operator, anything);
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      yield invalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    yield* toleratedValueErrors(one, `${at}.operator`);
    if (effect !== '') yield* effects(effect, `${at}.effect`);
  }
};

/** Rule of scheduling gates. */
export const schedulingGates: Rule = function* (value, path) {
  const seen = new Set<unknown>();
  for (const [index, gate] of listOf(value).entries()) {
    const { name = '' } = fieldsOf(gate);
    yield* named(isQualifiedName)(name, `${path}[${index}]`);
    if (seen.has(name)) yield { type: 'Duplicate', field: `${path}[${index}]`, value: name };
    seen.add(name);
  }
};
