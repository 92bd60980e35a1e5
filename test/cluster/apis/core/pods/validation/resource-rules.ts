/** Validates the resources of containers and pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { parseQuantity } from '../../../../apimachinery/formats/quantity.ts';
import { isLabel } from '../../../../apimachinery/name-validation.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { named, optionalOrEmpty, type Rule } from '../../../../apimachinery/validation/combinators.ts';
import {
  containerResourceName,
  integerResources,
  isExtended,
  isNative,
  resourceName,
} from '../../../../apimachinery/validation/compute-resource-names.ts';
import { fieldsOf, forbidden, invalid, listOf, required } from '../../../../apimachinery/validation/errors.ts';
import { nanoOf, wholeOf } from '../../../../apimachinery/validation/quantity-rules.ts';

const billion = 10n ** 9n;

/** Reports whether a resource is huge pages. */
export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** Rule of resource names at the pod level. */
const ofPod: Rule = function* (value, path) {
  const problems = [...resourceName(value, path)];
  yield* problems;
  const name = String(value);
  if (problems.length > 0 || name === 'cpu' || name === 'memory' || isHugePages(name)) return;
  yield { type: 'NotSupported', field: path, value: name, detail: 'supported values: "cpu", "hugepages-", "memory"' };
};

const isWhole = (nano: bigint): boolean => nano % billion === 0n;

function isDivisible(name: string, amount: unknown): boolean {
  const page = parseQuantity(name.slice('hugepages-'.length))?.nano;
  return page !== undefined && page > 0n && isWhole(page) && wholeOf(amount) % (page / billion) === 0n;
}

function* amountErrors(name: string, amount: unknown, path: string): Generator<FieldError> {
  const nano = nanoOf(amount);
  if (nano < 0n) yield invalid(path, amount, 'must be greater than or equal to 0');
  if ((integerResources.has(name) || isExtended(name)) && !isWhole(nano))
    yield invalid(path, amount, 'must be an integer');
}

function* pageErrors(name: string, amount: unknown, path: string): Generator<FieldError> {
  if (isHugePages(name) && !isDivisible(name, amount)) {
    yield invalid(path, amount, `${amount} is not positive integer multiple of ${name}`);
  }
}

/** Reports whether a resource can be overcommitted. */
const isOvercommitted = (name: string): boolean => isNative(name) && !isHugePages(name);

function* requestErrors(name: string, { request, limit }: Fields, path: string): Generator<FieldError> {
  if (limit === undefined) {
    if (!isOvercommitted(name)) {
      yield required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    }
    return;
  }
  const [asked, most] = [nanoOf(request), nanoOf(limit)];
  if (asked !== most && !isOvercommitted(name)) {
    yield invalid(`${path}.requests`, request, `must be equal to ${name} limit of ${limit}`);
  } else if (asked > most) {
    yield invalid(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`);
  }
}

/** Validates that no earlier item requests the same of a claim, and takes it: `seen` are claims, alone or with a request. */
function* repeatErrors({ name, request = '' }: Fields, at: string, seen: Set<string>): Generator<FieldError> {
  const claim = String(name);
  const twice = (value: string): FieldError => ({ type: 'Duplicate', field: at, value });
  if (seen.has(claim)) {
    yield twice(claim);
    return;
  }
  yield* optionalOrEmpty(named(isLabel))(request, `${at}.request`);
  const key = request === '' ? claim : `${claim}/${request}`;
  const parts = request === '' ? [...seen].filter((other) => other.startsWith(`${claim}/`)) : [];
  if (seen.has(key)) yield twice(key);
  else yield* parts.map(() => twice(claim));
  seen.add(key);
}

function* claimErrors(claims: readonly Fields[], path: string, known: ReadonlySet<string>): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, item] of claims.entries()) {
    const at = `${path}[${index}]`;
    const { name = '' } = item;
    if (name === '') {
      yield required(at);
      continue;
    }
    const claim = String(name);
    yield* repeatErrors(item, at, seen);
    if (known.has(claim)) continue;
    const list = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${list}`;
    yield { type: 'NotFound', field: at, value: claim, detail };
  }
}

/** Returns the validation of limits, requests and claims; `name` is the rule of resource names. */
const requirements = (name: Rule) =>
  function* (resources: unknown, path: string, claims?: ReadonlySet<string>): Generator<FieldError> {
    const { limits, requests, claims: own } = fieldsOf(resources);
    const [most, asked] = [fieldsOf(limits), fieldsOf(requests)];
    const names = new Set([...Object.keys(most), ...Object.keys(asked)]);
    if (names.size === 0 && own === undefined) return;
    for (const [resource, amount] of Object.entries(most)) {
      const at = `${path}.limits[${resource}]`;
      yield* name(resource, at);
      yield* amountErrors(resource, amount, at);
      yield* pageErrors(resource, amount, at);
    }
    for (const [resource, amount] of Object.entries(asked)) {
      const at = `${path}.requests[${resource}]`;
      yield* name(resource, at);
      yield* amountErrors(resource, amount, at);
      yield* requestErrors(resource, { request: amount, limit: most[resource] }, path);
      yield* pageErrors(resource, amount, at);
    }
    if ([...names].some(isHugePages) && !names.has('cpu') && !names.has('memory')) {
      yield forbidden(path, 'HugePages require cpu or memory');
    }
    if (own !== undefined) yield* claimErrors(listOf(own), `${path}.claims`, claims ?? new Set());
  };

/** Validates the resources of a container; `claims` are the names of the pod's claims. */
export const containerResourceErrors = requirements(containerResourceName);

/** Validates the resources of a pod by themselves. */
export const podResourceErrors = requirements(ofPod);
