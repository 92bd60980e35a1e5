/** Validation rules that the kinds of resource.k8s.io share. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isLabel, isQualifiedName, isSubdomain } from '../../apimachinery/name-validation.ts';
import { type Fields, isFields, ownMember } from '../../apimachinery/object.ts';
import {
  all,
  each,
  fields,
  labelText,
  named,
  oneOf,
  optional,
  optionalOrEmpty,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';

const bytes = (value: unknown): number => Buffer.byteLength(String(value ?? ''));

/** Returns the rule of a text or JSON of at most `most` bytes. */
export const atMost =
  (most: number): Rule =>
  (value, path) =>
    bytes(value) > most ? [{ type: 'TooLong', field: path, detail: `may not be more than ${most} bytes` }] : [];

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Returns the rule of a list with a maximum number of items that each follow a rule. */
export const sized = (most: number, rule: Rule): Rule =>
  function* (value, path) {
    yield* each(rule)(value, path);
    const count = sizeOf(value);
    if (count > most) yield { type: 'TooMany', field: path, value: count, detail: `must have at most ${most} items` };
  };

/** Does as {@link sized}, and requires items to differ, by a member where `key` is given. */
export const distinct = (most: number, rule: Rule, key?: string): Rule =>
  function* (value, path) {
    yield* sized(most, rule)(value, path);
    const seen = new Set<unknown>();
    for (const [index, item] of (Array.isArray(value) ? (value as unknown[]) : []).entries()) {
      const own = key === undefined ? item : (fieldsOf(item)[key] ?? '');
      const at = key === undefined ? `${path}[${index}]` : `${path}[${index}].${key}`;
      if (seen.has(own)) yield { type: 'Duplicate', field: at, value: own };
      seen.add(own);
    }
  };

const maxDriverLength = 63;

/** Rule of driver names. */
export const driverName: Rule = function* (value, path) {
  if (!value) yield required(path);
  yield* all(
    atMost(maxDriverLength),
    named((text) => isSubdomain(text.toLowerCase())),
  )(value, path);
};

const maxPoolLength = 253;

/** Rule of pool names: subdomains separated by slashes. */
export const poolName: Rule = requiredValue('', function* (value, path) {
  yield* atMost(maxPoolLength)(value, path);
  for (const part of String(value).split('/')) yield* named(isSubdomain)(part, path);
});

/** Rule of names of devices and requests. */
export const labelName: Rule = named(isLabel);

/** Rule of names of DeviceClasses. */
export const className: Rule = requiredValue('', named(isSubdomain));

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
const identifierText =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";
const maxIdentifierLength = 32;

const cIdentifier: Rule = all(
  atMost(maxIdentifierLength),
  named((text) => (identifier.test(text) ? [] : [identifierText])),
);

/** Rule of names of attributes and capacities, with an optional domain. */
export const qualifiedName: Rule = function* (value, path) {
  const text = String(value ?? '');
  if (text === '') {
    yield required(path, 'name required');
    return;
  }
  const [domain = '', name, ...more] = text.split('/');
  if (name === undefined) yield* cIdentifier(domain, path);
  if (name === undefined || more.length > 0) return;
  if (domain === '') yield required(path, 'the domain must not be empty');
  else yield* driverName(domain, path);
  if (name === '') yield required(path, 'the name must not be empty');
  else yield* cIdentifier(name, path);
};

/** Rule of names with a required domain. */
export const fullName: Rule = function* (value, path) {
  yield* qualifiedName(value, path);
  const text = String(value ?? '');
  if (text !== '' && !text.includes('/')) yield invalid(path, text, 'must include a domain');
};

const maxParametersLength = 10 * 1024;

/** Returns the rule of a driver's JSON: an object, of limited size unless it is already stored. */
export const rawObject = (isStored: boolean): Rule =>
  function* (value, path) {
    if (value === undefined || value === null) yield required(path);
    else if (!isStored && bytes(JSON.stringify(value)) > maxParametersLength) {
      yield* atMost(maxParametersLength)(JSON.stringify(value), path);
    } else if (!isFields(value)) yield invalid(path, '<value omitted>', 'must be a valid JSON object');
  };

/** Returns the rule of opaque driver configuration. */
export const deviceConfiguration = (isStored: boolean): Rule =>
  fields({ opaque: requiredValue('', fields({ driver: driverName, parameters: rawObject(isStored) })) });

const effects = ['NoExecute', 'NoSchedule'];

const operators: Readonly<Record<string, Rule>> = {
  Exists: (value, path) => (value ? [invalid(path, value, 'must be empty for operator `Exists`')] : []),
  Equal: labelText,
};

/** Rule of tolerations of device taints. */
export const toleration: Rule = function* (value, path) {
  const { key, operator, value: text, effect } = fieldsOf(value);
  yield* optionalOrEmpty(named(isQualifiedName))(key, `${path}.key`);
  const rule = ownMember(operators, operator ?? '');
  if (rule !== undefined) yield* rule(text ?? '', `${path}.value`);
  else yield* requiredValue('', oneOf('Equal', 'Exists'))(operator, `${path}.operator`);
  yield* optionalOrEmpty(oneOf(...effects))(effect, `${path}.effect`);
};

const maxTexts = 64;
const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

const attributes: Readonly<Record<string, Rule>> = {
  string: optional(atMost(maxTexts)),
  version: optional(
    all(
      named((text) => (semver.test(text) ? [] : ['must be a string compatible with semver.org spec 2.0.0'])),
      atMost(maxTexts),
    ),
  ),
};
const kinds = ['bool', 'int', 'string', 'version'];

/** Returns the rule of a device attribute, which has one value of one type; `shown` formats one with several. */
export const attribute = (shown: (value: Fields) => unknown): Rule =>
  function* (value, path) {
    yield* fields(attributes)(value, path);
    const count = kinds.filter((name) => fieldsOf(value)[name] !== undefined).length;
    if (count === 0) yield required(path, 'exactly one value must be specified');
    if (count > 1) yield invalid(path, shown(fieldsOf(value)), 'exactly one value must be specified');
  };

const maxKeyLength = 128;

/** Shortens long keys in the middle, as Go does. */
function shortened(key: string): string {
  if (key.length <= maxKeyLength) return key;
  const left = maxKeyLength - 3;
  return `${key.slice(0, Math.floor((left + 1) / 2))}...${key.slice(key.length - Math.floor(left / 2))}`;
}

/** Returns the rule of a map from qualified names to values that each follow a rule. */
export const byName = (rule: Rule): Rule =>
  function* (value, path): Generator<FieldError> {
    for (const [key, item] of Object.entries(fieldsOf(value))) {
      const at = `${path}[${shortened(key)}]`;
      yield* qualifiedName(key, at);
      yield* rule(item, at);
    }
  };

/** Returns the names of a claim's requests and of their alternatives. */
export function requestNames(claim: Fields): ReadonlySet<string> {
  const names = listOf(claim.requests).flatMap(({ name = '', firstAvailable }) => [
    String(name),
    ...listOf(firstAvailable).map((one) => `${name}/${one.name ?? ''}`),
  ]);
  return new Set(names);
}

const unknownRequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** Returns the rule of references to known requests. */
export const requestName = (known: ReadonlySet<string>): Rule =>
  function* (value, path) {
    const text = String(value ?? '');
    const parts = text.split('/');
    if (parts.length > 2) yield invalid(path, text, unknownRequest);
    if (parts.length > 2) return;
    for (const part of parts) yield* labelName(part, path);
    if (!known.has(text)) yield invalid(path, text, unknownRequest);
  };
