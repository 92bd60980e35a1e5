/** Validates the environment of containers. */

import { isSubdomain } from '../../../../apimachinery/name-validation.ts';
import {
  each,
  fields,
  named,
  optional,
  optionalOrEmpty,
  type Rule,
  requiredValue,
} from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, listOf } from '../../../../apimachinery/validation/errors.ts';
import { configKeyProblems } from '../../config-map-and-secret-validation.ts';
import { fieldReference, resourceReference } from './reference-rules.ts';

const variableName = named((name) =>
  /^[ -<>-~]+$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"],
);

const keySelector = fields({ name: named(isSubdomain), key: requiredValue('', named(configKeyProblems)) });

const sources: readonly (readonly [string, Rule])[] = Object.entries({
  fieldRef: fieldReference(
    ...['name', 'namespace', 'uid'].map((name) => `metadata.${name}`),
    ...['nodeName', 'serviceAccountName'].map((name) => `spec.${name}`),
    ...['hostIP', 'hostIPs', 'podIP', 'podIPs'].map((name) => `status.${name}`),
  ),
  resourceFieldRef: resourceReference(false),
  configMapKeyRef: keySelector,
  secretKeyRef: keySelector,
});

const variable: Rule = function* (one, path) {
  const { name, value, valueFrom } = fieldsOf(one);
  yield* requiredValue('', variableName)(name, `${path}.name`);
  if (valueFrom === undefined) return;
  const at = `${path}.valueFrom`;
  const from = fieldsOf(valueFrom);
  const used = sources.filter(([source]) => from[source] !== undefined);
  for (const [source, rule] of used) yield* rule(from[source], `${at}.${source}`);
  if (used.length === 0) {
    yield invalid(at, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`');
  } else if (value) yield invalid(at, '', 'may not be specified when `value` is not empty');
  else if (used.length > 1) yield invalid(at, '', 'may not have more than one field specified at a time');
};

/** Rule of a container's environment variables. */
export const environment: Rule = each(variable);

/** Validates a subdomain or its prefix, which may end in a hyphen. */
const isSubdomainOrStart = (name: string): readonly string[] =>
  isSubdomain(name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

const wholeSource = optional(fields({ name: requiredValue('', named(isSubdomainOrStart)) }));

/** Rule of ConfigMaps and Secrets whose keys become variables. */
export const environmentFrom: Rule = function* (value, path) {
  for (const [index, one] of listOf(value).entries()) {
    const at = `${path}[${index}]`;
    yield* optionalOrEmpty(variableName)(one.prefix, `${at}.prefix`);
    yield* wholeSource(one.configMapRef, `${at}.configMapRef`);
    yield* wholeSource(one.secretRef, `${at}.secretRef`);
    const count = [one.configMapRef, one.secretRef].filter((source) => source !== undefined).length;
    if (count === 0) yield invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (count > 1) yield invalid(path, '', 'may not have more than one field specified at a time');
  }
};
