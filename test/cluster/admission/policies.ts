import { type ApiObject, type Fields, isFields } from '../objects/object.ts';
import { forbidden, type Reason, StatusError } from '../status.ts';
import { celContext, conditionsHold, type Evaluate } from './expressions.ts';
import { type Change, isSelected, matchedResource } from './matching.ts';
import { requestOf } from './review.ts';
import type { Hearing } from './webhooks.ts';

/** A ValidatingAdmissionPolicy where a binding puts it. */
export interface BoundPolicy {
  readonly policy: ApiObject;
  readonly binding: ApiObject;
  /** The objects that `params` stands for, one after the other; null without parameters. */
  readonly params: readonly (Fields | null)[];
  readonly namespace: ApiObject | undefined;
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

function isMatched(constraints: Fields, { target, others }: Hearing, change: Change): boolean {
  const versions = constraints.matchPolicy === 'Exact' ? [] : others;
  const { resourceRules, excludeResourceRules } = constraints;
  const isNamed = listOf(resourceRules).length === 0 || matchedResource(resourceRules, target, versions) !== undefined;
  const isExcluded = matchedResource(excludeResourceRules, target, versions) !== undefined;
  return isNamed && !isExcluded && isSelected(constraints, target, change);
}

/** Variables are worked out when an expression first speaks of them. */
function withVariables(variables: unknown, evaluate: Evaluate, context: Fields): Fields {
  const values: Fields = {};
  const all = { ...context, variables: values };
  for (const { name, expression } of listOf(variables)) {
    Object.defineProperty(values, String(name), {
      enumerable: true,
      configurable: true,
      get() {
        const value = evaluate(String(expression), all);
        Object.defineProperty(values, String(name), { value, enumerable: true });
        return value;
      },
    });
  }
  return all;
}

interface Fault {
  readonly message: string;
  readonly reason: string;
}

function messageFor({ message, messageExpression, expression }: Fields, evaluate: Evaluate, context: Fields): string {
  const plain = String(message || `failed expression: ${String(expression).trim()}`);
  if (!messageExpression) return plain;
  try {
    const text = evaluate(String(messageExpression), context);
    return typeof text === 'string' && text.trim() !== '' ? text.trim() : plain;
  } catch {
    return plain;
  }
}

function faultOf(validation: Fields, evaluate: Evaluate, context: Fields): Fault | undefined {
  const expression = String(validation.expression);
  try {
    if (evaluate(expression, context) === true) return undefined;
  } catch (error) {
    return { message: `expression '${expression}' resulted in error: ${(error as Error).message}`, reason: 'Invalid' };
  }
  return { message: messageFor(validation, evaluate, context), reason: String(validation.reason || 'Invalid') };
}

/** The first thing that a policy has against a write. */
function faultBy({ policy, namespace }: BoundPolicy, hearing: Hearing, given: Given): Fault | undefined {
  const { evaluate, target, asked } = hearing;
  const { change, params } = given;
  const spec = fieldsOf(policy.spec);
  const { object, oldObject, ...request } = requestOf(target, target.resource, { change, asked });
  const values = { object, oldObject, request, params, namespaceObject: namespace ?? null };
  const context = withVariables(spec.variables, evaluate, celContext(values));
  try {
    if (!conditionsHold(spec.matchConditions, evaluate, context)) return undefined;
  } catch (error) {
    return spec.failurePolicy === 'Ignore' ? undefined : { message: (error as Error).message, reason: 'Invalid' };
  }
  for (const validation of listOf(spec.validations)) {
    const fault = faultOf(validation, evaluate, context);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

interface Given {
  readonly change: Change;
  readonly params: Fields | null;
}

const codes: Partial<Record<Reason, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function denial({ target: { resource, name } }: Hearing, message: string, reason: string): StatusError {
  const { status } = forbidden(resource.info, name, { why: message, causes: [{ message }] });
  return new StatusError({ ...status, reason, code: codes[reason as Reason] ?? 422 });
}

/** Holds a write against a policy. Throws the denial; warns where the binding says so. */
export function enforce(bound: BoundPolicy, hearing: Hearing, change: Change): void {
  const { policy, binding, params } = bound;
  const spec = fieldsOf(binding.spec);
  const constraints = fieldsOf(fieldsOf(policy.spec).matchConstraints);
  if (!isMatched(constraints, hearing, change) || !isMatched(fieldsOf(spec.matchResources), hearing, change)) return;
  const actions = Array.isArray(spec.validationActions) ? spec.validationActions : [];
  const which = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  for (const one of params) {
    const fault = faultBy(bound, hearing, { change, params: one });
    if (fault === undefined) continue;
    if (actions.includes('Warn')) hearing.warnings.push(`Validation failed for ${which}: ${fault.message}`);
    if (actions.includes('Deny')) throw denial(hearing, `${which} denied request: ${fault.message}`, fault.reason);
  }
}
