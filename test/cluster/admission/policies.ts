/** Enforces ValidatingAdmissionPolicies. */

import { type ApiObject, type Fields, isFields } from '../apimachinery/object.ts';
import { forbidden, type Reason, StatusError } from '../apimachinery/status.ts';
import type { PolicyExpressions } from '../apis/admissionregistration/policy-expressions.ts';
import type { Variables } from '../cel/frame.ts';
import type { Change } from '../server/admission.ts';
import {
  type Budget,
  budgets,
  conditionsHold,
  ExpressionError,
  evaluate,
  variablesOf,
  withVariables,
} from './expressions.ts';
import { isSelected, matchedResource } from './matching.ts';
import { requestOf } from './review.ts';
import type { AdmissionRequest } from './webhooks.ts';

/** ValidatingAdmissionPolicy with one of its bindings. */
export interface BoundPolicy {
  readonly policy: ApiObject;
  readonly binding: ApiObject;
  /** Returns the parameter objects, evaluated one by one; a single null without parameters. Throws a ConfigurationError. */
  readonly params: () => readonly (Fields | null)[];
  readonly namespace: ApiObject | undefined;
  /** Error of the policy itself, independent of bindings. */
  readonly fault: ConfigurationError | undefined;
}

/** Invalid configuration of a policy or of one of its bindings. */
export class ConfigurationError extends Error {
  readonly of: 'policy' | 'binding';

  constructor(of: 'policy' | 'binding', message: string) {
    super(message);
    this.of = of;
  }
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

function isMatched(constraints: Fields, { target, others }: AdmissionRequest, change: Change): boolean {
  const versions = constraints.matchPolicy === 'Exact' ? [] : others;
  const { resourceRules, excludeResourceRules } = constraints;
  const isNamed = listOf(resourceRules).length === 0 || matchedResource(resourceRules, target, versions) !== undefined;
  const isExcluded = matchedResource(excludeResourceRules, target, versions) !== undefined;
  return isNamed && !isExcluded && isSelected(constraints, target, change);
}

/** Violation of a policy. */
interface Fault {
  readonly message: string;
  readonly reason: string;
}

const maxMessageLength = 5 * 1024;

type Validation = PolicyExpressions['validations'][number];

function messageFor({ validation, message }: Validation, variables: Variables, budget: Budget): string {
  const plain = String(validation.message || '').trim() || `failed expression: ${String(validation.expression).trim()}`;
  if (message === undefined) return plain;
  try {
    const value = evaluate(message, variables, budget);
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' || text.includes('\n') || Buffer.byteLength(text) > maxMessageLength ? plain : text;
  } catch (error) {
    if (error instanceof ExpressionError) return plain;
    throw error;
  }
}

/** Runs an evaluation; a failure becomes a violation, or undefined with failurePolicy Ignore. */
function orIgnored<T>(spec: Fields, run: () => T, fault: (message: string) => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return spec.failurePolicy === 'Ignore' ? undefined : fault(error.message);
  }
}

const invalid = (message: string): Fault => ({ message, reason: 'Invalid' });

function* validationFaults(
  spec: Fields,
  { validations }: PolicyExpressions,
  { variables, budget }: EvaluationContext,
): Generator<Fault> {
  for (const one of validations) {
    const holds = (): Fault | undefined => {
      if (evaluate(one.condition, variables, budget) === true) return undefined;
      return { message: messageFor(one, variables, budget), reason: String(one.validation.reason || 'Invalid') };
    };
    const fault = orIgnored<Fault | undefined>(spec, holds, invalid);
    if (fault !== undefined) yield fault;
  }
}

/** Variables and remaining cost budget. */
interface EvaluationContext {
  readonly variables: Variables;
  readonly budget: Budget;
}

function* annotationFaults(spec: Fields, { annotations }: PolicyExpressions, variables: Variables): Generator<Fault> {
  const budget: Budget = { left: budgets.policy };
  for (const { value } of annotations) {
    const run = (): Fault | undefined => void evaluate(value, variables, budget);
    const fault = orIgnored<Fault | undefined>(spec, run, invalid);
    if (fault !== undefined) yield fault;
  }
}

interface EvaluatedObject {
  readonly change: Change;
  readonly params: Fields | null;
}

/** Returns the `namespaceObject` that expressions see. */
function shownNamespace(namespace: ApiObject | undefined): Fields | null {
  if (namespace === undefined) return null;
  const { managedFields: _managed, ownerReferences: _owners, ...metadata } = namespace.metadata;
  return { metadata, spec: namespace.spec ?? {}, status: namespace.status ?? {} };
}

/** Evaluates a policy and returns all violations, before the binding's actions are considered. */
function faultsBy(
  { policy, namespace }: BoundPolicy,
  admission: AdmissionRequest,
  given: EvaluatedObject,
): readonly Fault[] {
  const { target, options, requester } = admission;
  const { change, params } = given;
  const spec = fieldsOf(policy.spec);
  const expressions = admission.expressionsOf(policy);
  const { object, oldObject, uid: _uid, ...request } = requestOf(target, target.resource, { change, options });
  const values = { object, oldObject, request, params };
  const conditioned = variablesOf({ ...values, namespaceObject: null }, requester);
  const holds = orIgnored<boolean | Fault>(spec, () => conditionsHold(expressions.conditions, conditioned), invalid);
  if (typeof holds === 'object') return [holds];
  if (holds !== true) return [];
  const budget: Budget = { left: budgets.policy };
  const outer = variablesOf({ ...values, namespaceObject: shownNamespace(namespace) }, requester);
  const variables = withVariables(outer, expressions.variables, budget);
  return [
    ...validationFaults(spec, expressions, { variables, budget }),
    ...annotationFaults(spec, expressions, variables),
  ];
}

const codes: Partial<Record<Reason, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function denial({ target }: AdmissionRequest, message: string, reason: string): StatusError {
  const { resource, operation, name } = target;
  // Deletions of a collection have no name.
  const shown = name || (operation === 'DELETE' ? 'Unknown' : '');
  const { status } = forbidden(resource.info, shown, { why: message, causes: [{ message }] });
  return new StatusError({ ...status, reason, code: codes[reason as Reason] ?? 422 });
}

/** Yields the denial for an invalid policy or binding, unless failurePolicy is Ignore. */
function* configurationDenials(
  { policy, binding }: BoundPolicy,
  admission: AdmissionRequest,
  fault: ConfigurationError,
): Generator<StatusError> {
  if (fieldsOf(policy.spec).failurePolicy === 'Ignore') return;
  const which = fault.of === 'policy' ? '' : ` with binding '${binding.metadata.name}'`;
  const why = `failed to configure ${fault.of}: ${fault.message}`;
  yield denial(
    admission,
    `ValidatingAdmissionPolicy '${policy.metadata.name}'${which} denied request: ${why}`,
    'Invalid',
  );
}

/** Returns the parameters of a binding, or its error. */
function paramsOf({ params }: BoundPolicy): ReturnType<BoundPolicy['params']> | ConfigurationError {
  try {
    return params();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}

/** Evaluates one bound policy: adds warnings, and yields denials. */
function* denials(bound: BoundPolicy, admission: AdmissionRequest, change: Change): Generator<StatusError> {
  const { policy, binding, fault } = bound;
  const spec = fieldsOf(binding.spec);
  if (!isMatched(fieldsOf(fieldsOf(policy.spec).matchConstraints), admission, change)) return;
  if (fault !== undefined) {
    yield* configurationDenials(bound, admission, fault);
    return;
  }
  if (!isMatched(fieldsOf(spec.matchResources), admission, change)) return;
  const params = paramsOf(bound);
  if (params instanceof ConfigurationError) {
    yield* configurationDenials(bound, admission, params);
    return;
  }
  const actions = Array.isArray(spec.validationActions) ? spec.validationActions : [];
  const which = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  for (const one of params) {
    for (const { message, reason } of faultsBy(bound, admission, { change, params: one })) {
      if (actions.includes('Warn')) admission.warnings.push(`Validation failed for ${which}: ${message}`);
      if (actions.includes('Deny')) yield denial(admission, `${which} denied request: ${message}`, reason);
    }
  }
}

/** Evaluates all policies, then throws the first denial. */
export function enforce(all: readonly BoundPolicy[], admission: AdmissionRequest, change: Change): void {
  const [first] = all.flatMap((bound) => [...denials(bound, admission, change)]);
  if (first !== undefined) throw first;
}
