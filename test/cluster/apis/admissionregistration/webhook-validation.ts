/** Validates webhook configurations and policy bindings. */

import { type FieldError, notSupported } from '../../apimachinery/field-error.ts';
import { isLabel1035, isSubdomain } from '../../apimachinery/name-validation.ts';
import type { Fields } from '../../apimachinery/object.ts';
import {
  all,
  each,
  fields,
  inRange,
  labelSelector,
  named,
  oneOf,
  optional,
  type Rule,
  requiredValue,
  some,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { clientConfig } from '../../apimachinery/validation/webhook-client-config.ts';

const hasWildcard = (value: unknown): boolean => Array.isArray(value) && value.length > 1 && value.includes('*');

/** Rule of a list in which `*` must be the only item. */
const aloneWith = (what: string, rule: Rule): Rule =>
  all(some(), function* (value, path) {
    if (hasWildcard(value)) yield invalid(path, value, `if '*' is present, must not specify other ${what}`);
    yield* each(rule)(value, path);
  });

const operations: Rule = all(some(), function* (value, path) {
  if (hasWildcard(value)) yield invalid(path, value, "if '*' is present, must not specify other operations");
  yield* each((one, at) => oneOf('*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE')(one, at))(value, path);
});

/** Validates each of the resources, and that no earlier one of the same resource or subresource covers it. */
function* resourceErrors(list: readonly string[], path: string): Generator<FieldError> {
  const [wholes, parts] = [new Set<string>(), new Set<string>()];
  for (const [index, text] of list.entries()) {
    const at = `${path}[${index}]`;
    if (text === '') yield required(at);
    const [resource = '', sub] = text.split(/\/(.*)/s);
    if (sub === undefined) continue;
    if (wholes.has(resource)) yield invalid(at, text, `if '${resource}/*' is present, must not specify ${text}`);
    if (parts.has(sub)) yield invalid(at, text, `if '*/${sub}' is present, must not specify ${text}`);
    if (sub === '*') wholes.add(resource);
    if (resource === '*') parts.add(sub);
  }
}

/** Rule of resources: a wildcard must not be combined with items that it covers. */
const resources: Rule = function* (value, path) {
  const list = Array.isArray(value) ? (value as string[]) : [];
  if (list.length === 0) yield required(path);
  yield* resourceErrors(list, path);
  if (list.length > 1 && list.includes('*/*')) {
    yield invalid(path, list, "if '*/*' is present, must not specify other resources");
  }
  const last = list.findLast((text) => text !== '' && !text.includes('/'));
  if (list.includes('*') && last !== undefined && last !== '*') {
    yield invalid(path, list, "if '*' is present, must not specify other resources without subresources");
  }
};

/** Rule of `RuleWithOperations` in webhooks and policies. */
export const ruleWithOperations = fields({
  operations,
  apiGroups: aloneWith('API groups', () => []),
  apiVersions: aloneWith('API versions', requiredValue()),
  resources,
  scope: oneOf('*', 'Cluster', 'Namespaced'),
});

const reviewVersions: Rule = function* (value, path) {
  const list = Array.isArray(value) ? (value as string[]) : [];
  if (list.length === 0) {
    yield required(path, 'must specify one of v1, v1beta1');
    return;
  }
  const seen = new Set<string>();
  for (const [index, version] of list.entries()) {
    if (seen.has(version)) yield invalid(`${path}[${index}]`, version, 'duplicate version');
    else yield* named(isLabel1035)(version, `${path}[${index}]`);
    seen.add(version);
  }
  if (!seen.has('v1') && !seen.has('v1beta1')) yield invalid(path, list, 'must include at least one of v1, v1beta1');
};

const fullName: Rule = function* (value, path) {
  const name = String(value ?? '');
  if (name === '') {
    yield required(path);
    return;
  }
  const problems = [...named(isSubdomain)(name, path)];
  yield* problems;
  if (problems.length === 0 && name.split('.').length < 3) {
    yield invalid(path, name, 'should be a domain with at least three segments separated by dots');
  }
};

const sideEffects: Rule = (value, path) =>
  (value ?? undefined) === undefined
    ? [required(path, 'must specify one of None, NoneOnDryRun')]
    : oneOf('None', 'NoneOnDryRun')(value, path);

const webhookRule = fields({
  name: fullName,
  rules: each(ruleWithOperations),
  failurePolicy: oneOf('Fail', 'Ignore'),
  matchPolicy: oneOf('Equivalent', 'Exact'),
  sideEffects,
  timeoutSeconds: inRange(1, 30, 'the timeout value must be between 1 and 30 seconds'),
  namespaceSelector: optional(labelSelector),
  objectSelector: optional(labelSelector),
  clientConfig,
  reinvocationPolicy: oneOf('IfNeeded', 'Never'),
  admissionReviewVersions: reviewVersions,
});

/** Validates a webhook configuration. */
export const webhooks: Check = function* (object) {
  const names = new Set<unknown>();
  for (const [index, webhook] of listOf(object.webhooks).entries()) {
    yield* webhookRule(webhook, `webhooks[${index}]`);
    if (names.has(webhook.name)) yield { type: 'Duplicate', field: `webhooks[${index}].name`, value: webhook.name };
    if (webhook.name) names.add(webhook.name);
  }
};

const parameters: Rule = function* (value, path) {
  const { name, selector, parameterNotFoundAction: action } = fieldsOf(value);
  if (!name && selector === undefined) yield required(path, 'one of name or selector must be specified');
  if (name && selector !== undefined) {
    yield { type: 'Forbidden', field: `${path}.name`, detail: 'name and selector are mutually exclusive' };
  }
  yield* optional(labelSelector)(selector, `${path}.selector`);
  yield* requiredValue('', oneOf('Deny', 'Allow'))(action, `${path}.parameterNotFoundAction`);
};

function* bindingErrors({ policyName, validationActions, ...spec }: Fields): Generator<FieldError> {
  yield* requiredValue('', named(isSubdomain))(policyName, 'spec.policyName');
  yield* optional(parameters)(spec.paramRef, 'spec.paramRef');
  yield* optional(fields({ namespaceSelector: optional(labelSelector), objectSelector: optional(labelSelector) }))(
    spec.matchResources,
    'spec.matchResources',
  );
  const actions = Array.isArray(validationActions) ? (validationActions as string[]) : [];
  if (actions.length === 0) yield required('spec.validationActions', 'at least one validation action is required');
  const seen = new Set<string>();
  for (const [index, action] of actions.entries()) {
    const at = `spec.validationActions[${index}]`;
    if (!['Audit', 'Deny', 'Warn'].includes(action)) yield notSupported(at, action, ['Audit', 'Deny', 'Warn']);
    if (seen.has(action)) yield { type: 'Duplicate', field: at, value: action };
    seen.add(action);
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    yield invalid('spec.validationActions', actions, detail);
  }
}

/** Validates a ValidatingAdmissionPolicyBinding. */
export const policyBinding: Check = ({ spec }) => bindingErrors(fieldsOf(spec));
