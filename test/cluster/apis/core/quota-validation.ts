/** Validates ResourceQuotas. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { equal, type Fields, ownMember } from '../../apimachinery/object.ts';
import type { Rule } from '../../apimachinery/validation/combinators.ts';
import {
  integerResources,
  isExtended,
  isQuotaResource,
  resourceName,
  wordsOf,
} from '../../apimachinery/validation/compute-resource-names.ts';
import { type Check, fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { amountNotNegative, wholeAmount } from '../../apimachinery/validation/quantity-rules.ts';
import { asGo } from '../../resources/go-form.ts';

const quotaName: Rule = function* (value, path) {
  yield* resourceName(value, path);
  const name = String(value);
  if (!name.includes('/') && !isQuotaResource(name)) yield invalid(path, name, 'must be a standard resource for quota');
};

function* amountErrors(amounts: unknown, path: string): Generator<FieldError> {
  for (const [name, amount] of Object.entries(fieldsOf(amounts))) {
    const at = `${path}[${name}]`;
    yield* quotaName(name, at);
    yield* amountNotNegative(amount, at);
    if (integerResources.has(name) || isExtended(name)) yield* wholeAmount(amount, at);
  }
}

const compute = wordsOf('pods cpu memory limits.cpu limits.memory requests.cpu requests.memory');
const storage = wordsOf('persistentvolumeclaims requests.storage');

/** Resources that each scope applies to. */
const scopes: Readonly<Record<string, ReadonlySet<string>>> = {
  Terminating: compute,
  NotTerminating: compute,
  BestEffort: new Set(['pods']),
  NotBestEffort: compute,
  PriorityClass: compute,
  VolumeAttributesClass: storage,
  CrossNamespacePodAffinity: compute,
};

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** Counts the resources that a scope does not apply to. */
const unsupportedCount = (scope: unknown, hard: Fields): number =>
  Object.keys(hard).filter((name) => isQuotaResource(name) && ownMember(scopes, scope)?.has(name) === false).length;

function* times(count: number, error: FieldError): Generator<FieldError> {
  for (let index = 0; index < count; index += 1) yield error;
}

const unsupported = 'unsupported scope applied to resource';

function* scopeErrors(list: readonly unknown[], hard: Fields): Generator<FieldError> {
  const at = 'spec.scopes';
  for (const scope of list) {
    if (ownMember(scopes, scope) === undefined) yield invalid(at, list, 'unsupported scope');
    yield* times(unsupportedCount(scope, hard), invalid(at, list, unsupported));
  }
  for (const pair of opposites) {
    if (pair.every((scope) => list.includes(scope))) yield invalid(at, list, 'conflicting scopes');
  }
}

const existsOnly: ReadonlySet<string> = new Set(
  Object.keys(scopes).filter((scope) => scope !== 'PriorityClass' && scope !== 'VolumeAttributesClass'),
);
const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function* operatorErrors({ operator, values }: Fields, at: string): Generator<FieldError> {
  const count = listOf(values).length;
  if (operator === 'In' || operator === 'NotIn') {
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (count === 0) yield required(`${at}.values`, detail);
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (count > 0) yield invalid(`${at}.values`, values, detail);
  } else yield invalid(`${at}.operator`, operator ?? '', 'not a valid selector operator');
}

function* selectorErrors(spec: Fields, hard: Fields): Generator<FieldError> {
  const at = 'spec.scopeSelector.matchExpressions';
  const expressions = listOf(fieldsOf(spec.scopeSelector).matchExpressions);
  for (const one of expressions) {
    const scope = String(one.scopeName ?? '');
    if (ownMember(scopes, scope) === undefined) yield invalid(`${at}.scopeName`, scope, 'unsupported scope');
    yield* times(
      unsupportedCount(scope, hard),
      invalid(at, asGo('core.ScopeSelector', spec.scopeSelector), unsupported),
    );
    if (existsOnly.has(scope) && one.operator !== 'Exists')
      yield invalid(`${at}.operator`, one.operator ?? '', mustExist);
    yield* operatorErrors(one, at);
  }
  for (const pair of opposites) {
    const isBoth = pair.every((scope) => expressions.some(({ scopeName }) => scopeName === scope));
    if (isBoth) yield invalid(at, spec.scopes ?? null, 'conflicting scopes');
  }
}

const setOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? [...new Set(value)].sort() : []);

/** Validates ResourceQuotas. */
export const resourceQuota: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  const hard = fieldsOf(spec.hard);
  yield* amountErrors(hard, 'spec.hard');
  if (Array.isArray(spec.scopes)) yield* scopeErrors(spec.scopes, hard);
  yield* selectorErrors(spec, hard);
  if (old !== undefined && !equal(setOf(spec.scopes), setOf(fieldsOf(old.spec).scopes))) {
    yield invalid('spec.scopes', spec.scopes ?? null, 'field is immutable');
  }
};

/** Validates the status of ResourceQuotas. */
export const quotaStatus: Check = function* ({ status }) {
  const { hard, used } = fieldsOf(status);
  yield* amountErrors(hard, 'status.hard');
  yield* amountErrors(used, 'status.used');
};
