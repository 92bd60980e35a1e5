import type { FieldError } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { matchConditions, ruleWithOperations } from './admission-checks.ts';
import { type Check, fieldsOf, invalid, listOf, required } from './checks.ts';
import { all, each, fields, given, labelSelector, needed, oneOf, type Rule, some } from './rules.ts';

/** Whether a text is there, but has nothing in it. */
const isBlank = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.trim() === '';

const message: Rule = function* (value, path) {
  if (isBlank(value)) yield invalid(path, value, 'must be non-empty if specified');
  else if (/[\r\n]/.test(String(value ?? '').trim())) yield invalid(path, value, 'must not contain line breaks');
};

const validation = fields({
  expression: (value, path) =>
    String(value ?? '').trim() === '' ? [required(path, 'expression is not specified')] : [],
  message,
  reason: oneOf('Forbidden', 'Invalid', 'RequestEntityTooLarge'),
});

const groupVersion: Rule = function* (value, path) {
  const text = String(value);
  if (text.split('/').length > 2) yield invalid(path, text, `unexpected GroupVersion string: ${text}`);
};

const variableName: Rule = function* (value, path) {
  if (!/^[A-Za-z_]\w*$/.test(String(value))) yield invalid(path, value, 'must be a valid CEL identifier');
};

const matchConstraints = fields({
  resourceRules: all(some(), each(ruleWithOperations)),
  excludeResourceRules: each(ruleWithOperations),
  namespaceSelector: given(labelSelector),
  objectSelector: given(labelSelector),
  matchPolicy: oneOf('Equivalent', 'Exact'),
});

const parts = fields({
  failurePolicy: oneOf('Fail', 'Ignore'),
  paramKind: given(fields({ apiVersion: needed('', groupVersion), kind: needed() })),
  matchConditions,
  variables: each(fields({ name: needed('', variableName) })),
  validations: each(validation),
});

const nothingToCheck = 'validations or auditAnnotations must contain at least one item';

function* policyErrors(spec: Fields): Generator<FieldError> {
  yield* parts(spec, 'spec');
  if (spec.matchConstraints === undefined) yield required('spec.matchConstraints');
  else yield* matchConstraints(spec.matchConstraints, 'spec.matchConstraints');
  if (listOf(spec.validations).length > 0 || listOf(spec.auditAnnotations).length > 0) return;
  yield required('spec.validations', nothingToCheck);
  yield required('spec.auditAnnotations', nothingToCheck);
}

const policy: Check = ({ spec }) => policyErrors(fieldsOf(spec));

/** Rules of policies of admission, by type; their expressions are compiled when they are used. */
export const policyChecks: Readonly<Record<string, Check>> = {
  'admissionregistration.ValidatingAdmissionPolicy': policy,
};
