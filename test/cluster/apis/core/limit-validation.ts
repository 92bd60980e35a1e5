/** Validation of LimitRanges. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../apimachinery/name-validation.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { named, type Rule } from '../../apimachinery/validation/combinators.ts';
import { containerResourceName, isNative, resourceName } from '../../apimachinery/validation/compute-resource-names.ts';
import { type Check, fieldsOf, forbidden, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { nanoOf } from '../../apimachinery/validation/quantity-rules.ts';

const limitTypes = ['Container', 'PersistentVolumeClaim', 'Pod'];

const limitType: Rule = function* (value, path) {
  const type = String(value ?? '');
  const problems = [...named(isQualifiedName)(type, path)];
  yield* problems;
  if (problems.length === 0 && !type.includes('/') && !limitTypes.includes(type)) {
    yield invalid(path, type, 'must be a standard limit type or fully qualified');
  }
};

const amountLists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function* namesErrors(item: Fields, path: string): Generator<FieldError> {
  const isOfPods = item.type === 'Pod' || item.type === 'Container';
  const rule = isOfPods ? containerResourceName : resourceName;
  for (const list of amountLists) {
    if (list === 'maxLimitRequestRatio' && item.type === 'PersistentVolumeClaim') yield* storageErrors(item, path);
    const names = Object.keys(fieldsOf(item[list]));
    const isForbidden = item.type === 'Pod' && list.startsWith('default');
    if (!isForbidden) yield* names.flatMap((name) => [...rule(name, `${path}.${list}[${name}]`)]);
    else if (names.length > 0) yield forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'");
  }
}

function* storageErrors({ min, max }: Fields, path: string): Generator<FieldError> {
  if (fieldsOf(min).storage !== undefined || fieldsOf(max).storage !== undefined) return;
  yield required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided');
}

/** Ordered pairs of amounts: smaller, larger, the one whose path and whose value are reported, and their names in the message. */
const orders = [
  ['min', 'max', 'min', 'min', 'min', 'max'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest', 'min', 'default request'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest', 'default request', 'max'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest', 'default request', 'default limit'],
  ['min', 'default', 'default', 'min', 'min', 'default'],
  ['default', 'max', 'default', 'max', 'default', 'max'],
] as const;

function* ratioErrors({ min, max, maxLimitRequestRatio: ratio }: Fields, at: string): Generator<FieldError> {
  if (ratio === undefined) return;
  if (nanoOf(ratio) < nanoOf('1')) yield invalid(at, ratio, `ratio ${ratio} is less than 1`);
  if (min === undefined || max === undefined) return;
  const most = Number(nanoOf(max)) / Number(nanoOf(min));
  if (Number(nanoOf(ratio)) / 1e9 > most) {
    yield invalid(at, ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`);
  }
}

function* resourceErrors(name: string, amounts: Fields, path: string): Generator<FieldError> {
  for (const [low, high, where, which, lowName, highName] of orders) {
    const [less, more] = [amounts[low], amounts[high]];
    if (less === undefined || more === undefined || nanoOf(less) <= nanoOf(more)) continue;
    const detail = `${lowName} value ${less} is greater than ${highName} value ${more}`;
    yield invalid(`${path}.${where}[${name}]`, amounts[which], detail);
  }
  yield* ratioErrors(amounts, `${path}.maxLimitRequestRatio[${name}]`);
  const isWhole = !isNative(name) || name.startsWith('hugepages-');
  const { default: limit, defaultRequest: request } = amounts;
  if (isWhole && limit !== undefined && request !== undefined && nanoOf(limit) !== nanoOf(request)) {
    const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    yield invalid(`${path}.defaultRequest[${name}]`, request, detail);
  }
}

/** Validates LimitRanges. */
export const limitRange: Check = function* ({ spec }) {
  const types = new Set<unknown>();
  for (const [index, item] of listOf(fieldsOf(spec).limits).entries()) {
    const at = `spec.limits[${index}]`;
    const { type = '' } = item;
    yield* limitType(type, `${at}.type`);
    if (types.has(type)) yield { type: 'Duplicate', field: `${at}.type`, value: type };
    types.add(type);
    yield* namesErrors(item, at);
    const lists = amountLists.filter((list) => item.type !== 'Pod' || !list.startsWith('default'));
    const names = new Set(lists.flatMap((list) => Object.keys(fieldsOf(item[list]))));
    for (const name of names) {
      const amounts = Object.fromEntries(lists.map((list) => [list, fieldsOf(item[list])[name]]));
      yield* resourceErrors(name, amounts, at);
    }
  }
};
