/** Validates ValidatingAdmissionPolicies and the match conditions of webhooks. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { fieldsOf, invalid, listOf, required, unsupported } from '../../apimachinery/validation/errors.ts';
import { conditionsIn, type Expression, expressionsOf, type PolicyExpressions } from './policy-expressions.ts';
import { policySpecRule } from './policy-spec-validation.ts';

const maxAnnotations = 20;
const maxAnnotationLength = 5 * 1024;
const maxConditions = 64;

const text = (value: unknown): string => String(value ?? '');
const isBlank = (value: unknown): boolean => text(value).trim() === '';

function* expressionFault(expression: Expression | undefined, field: string, value: unknown): Generator<FieldError> {
  if (expression === undefined || 'program' in expression) return;
  const { fault } = expression;
  if (fault.startsWith('program instantiation failed')) yield { type: 'Internal', field, detail: fault };
  else yield invalid(field, value, fault);
}

/** Validates matchConditions. */
function* conditionProblems(conditions: unknown, path: string, withParams: boolean): Generator<FieldError> {
  const list = listOf(conditions);
  const compiled = conditionsIn(conditions, withParams);
  const names = new Set<string>();
  if (list.length > maxConditions)
    yield { type: 'TooMany', field: path, value: list.length, detail: `must have at most ${maxConditions} items` };
  for (const [index, { name, expression }] of list.entries()) {
    const at = `${path}[${index}]`;
    if (isBlank(expression)) yield required(`${at}.expression`);
    else yield* expressionFault(compiled[index], `${at}.expression`, text(expression).trim());
    if (!name) {
      yield required(`${at}.name`);
      continue;
    }
    for (const detail of isQualifiedName(text(name))) yield invalid(`${at}.name`, name, detail);
    if (names.has(text(name))) yield { type: 'Duplicate', field: `${at}.name`, value: name };
    names.add(text(name));
  }
}

const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function* variableProblems(spec: Fields, { variables }: PolicyExpressions): Generator<FieldError> {
  for (const [index, { name, expression }] of listOf(spec.variables).entries()) {
    const at = `spec.variables[${index}]`;
    const isName = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(text(name)) && !reserved.has(text(name));
    if (isBlank(name)) yield required(`${at}.name`, 'name is not specified');
    else if (!isName) yield invalid(`${at}.name`, name, 'must be a valid CEL identifier');
    if (isBlank(expression)) yield required(`${at}.expression`, 'expression is not specified');
    else yield* expressionFault(variables[index], `${at}.expression`, expression);
  }
}

function* messageProblems(message: unknown, at: string): Generator<FieldError> {
  if (!message) return;
  if (isBlank(message)) yield invalid(at, message, 'must be non-empty if specified');
  else if (/[\r\n]/.test(text(message).trim())) yield invalid(at, message, 'must not contain line breaks');
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function* validationProblems(
  { validation, condition, message }: PolicyExpressions['validations'][number],
  at: string,
): Generator<FieldError> {
  const { expression, messageExpression, reason } = validation;
  if (isBlank(expression)) yield required(`${at}.expression`, 'expression is not specified');
  else yield* expressionFault(condition, `${at}.expression`, expression);
  if (messageExpression && isBlank(messageExpression))
    yield invalid(`${at}.messageExpression`, messageExpression, 'must be non-empty if specified');
  else yield* expressionFault(message, `${at}.messageExpression`, messageExpression);
  yield* messageProblems(validation.message, `${at}.message`);
  if (reason !== undefined) yield* unsupported(`${at}.reason`, reason, reasons);
}

function* annotationProblems(policy: Fields, annotations: PolicyExpressions['annotations']): Generator<FieldError> {
  const given = listOf(fieldsOf(policy.spec).auditAnnotations);
  const { name } = fieldsOf(policy.metadata);
  const keys = new Set<string>();
  if (given.length > maxAnnotations)
    yield invalid('spec.auditAnnotations', given, `must not have more than ${maxAnnotations} auditAnnotations`);
  for (const [index, { key, valueExpression }] of given.entries()) {
    const at = `spec.auditAnnotations[${index}]`;
    if (!name) yield invalid(`${at}.key`, key, 'requires metadata.name be non-empty');
    else
      for (const detail of isQualifiedName(`${name}/${text(key)}`))
        yield invalid(`${at}.key`, `${name}/${text(key)}`, detail);
    if (isBlank(valueExpression)) yield required(`${at}.valueExpression`, 'valueExpression is not specified');
    else if (text(valueExpression).trim().length > maxAnnotationLength)
      yield required(`${at}.valueExpression`, `must not exceed ${maxAnnotationLength} bytes in length`);
    else yield* expressionFault(annotations[index]?.value, `${at}.valueExpression`, valueExpression);
    if (keys.has(text(key))) yield { type: 'Duplicate', field: `${at}.key`, value: key };
    keys.add(text(key));
  }
}

const isSameConditions = (now: Fields, before: Fields): boolean =>
  equal(now.matchConditions, before.matchConditions) && equal(now.paramKind, before.paramKind);

/** Validates a ValidatingAdmissionPolicy; `old` is the replaced one, whose unchanged conditions are not checked again. */
export function* policyProblems(policy: Fields, old?: Fields): Generator<FieldError> {
  const spec = fieldsOf(policy.spec);
  const expressions = expressionsOf(spec);
  yield* policySpecRule(spec, 'spec');
  if (old === undefined || !isSameConditions(spec, fieldsOf(old.spec)))
    yield* conditionProblems(spec.matchConditions, 'spec.matchConditions', fieldsOf(spec).paramKind !== undefined);
  yield* variableProblems(spec, expressions);
  if (listOf(spec.validations).length === 0 && listOf(spec.auditAnnotations).length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    yield required('spec.validations', detail);
    yield required('spec.auditAnnotations', detail);
    return;
  }
  for (const [index, one] of expressions.validations.entries())
    yield* validationProblems(one, `spec.validations[${index}]`);
  yield* annotationProblems(policy, expressions.annotations);
}

/** Validates the matchConditions of webhooks, unless unchanged. */
export function* webhookProblems(configuration: Fields, old?: Fields): Generator<FieldError> {
  const hooks = listOf(configuration.webhooks);
  const conditions = (all: readonly Fields[]) => all.map(({ matchConditions }) => matchConditions ?? []);
  if (old !== undefined && equal(conditions(hooks), conditions(listOf(old.webhooks)))) return;
  for (const [index, { matchConditions }] of hooks.entries())
    yield* conditionProblems(matchConditions, `webhooks[${index}].matchConditions`, false);
}
