/** Evaluates CEL expressions of policies and match conditions within cost budgets. */

import type { Fields } from '../apimachinery/object.ts';
import type { Expression, PolicyExpressions } from '../apis/admissionregistration/policy-expressions.ts';
import { callLimit, frameOf } from '../cel/environment.ts';
import type { Frame, Variables } from '../cel/frame.ts';
import { type AuthorizeQuery, authorizerOf, requestResourceOf } from '../cel/functions/authorization-functions.ts';
import { freeValue } from '../cel/json-values.ts';
import { CostExceeded } from '../cel/values/uncosted-work.ts';
import { CelError, MapValue, type Value } from '../cel/values/values.ts';
import type { User } from '../requests/message.ts';
import type { Authorizer } from '../server/authorizer.ts';
import { serviceAccountUser } from './service-account-user.ts';

/** Failed evaluation, or an exhausted cost budget. */
export class ExpressionError extends Error {}

/** Remaining cost of a group of expressions. */
export interface Budget {
  left: number;
}

/** Cost budgets: of match conditions, and of a policy with its binding. */
export const budgets = { conditions: 2_500_000, policy: 10_000_000 } as const;

const budgetExceeded = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Evaluates an expression. Throws an {@link ExpressionError}. */
export function evaluate(expression: Expression, variables: Variables, budget: Budget): Value {
  if ('fault' in expression) throw new ExpressionError(`compilation error: ${expression.fault}`);
  const frame: Frame = frameOf(variables, callLimit);
  let value: Value;
  try {
    value = expression.program.run(frame);
  } catch (error) {
    if (!(error instanceof CostExceeded)) throw error;
    value = new CelError(error.message);
  }
  if (frame.cost > budget.left) throw new ExpressionError(budgetExceeded);
  budget.left -= frame.cost;
  if (!(value instanceof CelError)) return value;
  throw new ExpressionError(`expression '${expression.source}' resulted in error: ${value.message}`);
}

const authorizeQueryOf = (authorizer: Authorizer, user: User): AuthorizeQuery => ({
  decide({ verb, path, group = '', resource = '', ...more }) {
    return authorizer.decide(user, path === undefined ? { verb, group, resource, ...more } : { verb, path });
  },
  as: (namespace, name) => authorizeQueryOf(authorizer, serviceAccountUser(namespace, name)),
});

/** Authorizer, user and resource behind the `authorizer` variable. */
export interface Requester {
  readonly authorizer: Authorizer;
  readonly user: User;
  readonly resource: Parameters<typeof requestResourceOf>[1];
}

/** Builds variables from JSON values, plus `authorizer`. */
export function variablesOf(values: Fields, { authorizer, user, resource }: Requester): Variables {
  const asker = authorizeQueryOf(authorizer, user);
  const made = new Map<string, Value>();
  const make = (name: string): Value | undefined => {
    if (name === 'authorizer') return authorizerOf(asker);
    if (name === 'authorizer.requestResource') return requestResourceOf(asker, resource);
    return Object.hasOwn(values, name) ? freeValue(values[name]) : undefined;
  };
  return (name) => {
    const known = made.get(name) ?? make(name);
    if (known !== undefined) made.set(name, known);
    return known;
  };
}

/** Adds a policy's `variables`, each evaluated on first use. */
export function withVariables(
  outer: Variables,
  expressions: PolicyExpressions['variables'],
  budget: Budget,
): Variables {
  const made = new Map<string, Value>();
  const evaluateVariable = (name: string): Value | undefined => {
    const expression = expressions.find((one) => one.name === name);
    if (expression === undefined) return undefined;
    try {
      return evaluate(expression, all, budget);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const message = error.message.replace(/^expression '[\s\S]*?' resulted in error: /, '');
      return new CelError(`composited variable "${name}" fails to evaluate: ${message}`);
    }
  };
  const variables = new MapValue({
    size: expressions.length,
    keys: () => expressions.map(({ name }) => name),
    get(key) {
      const name = String(key);
      const value = made.get(name) ?? evaluateVariable(name);
      if (value !== undefined) made.set(name, value);
      return value;
    },
  });
  const all: Variables = (name) => (name === 'variables' ? variables : outer(name));
  return all;
}

/** Reports whether all `matchConditions` hold; a false one decides at once. Throws an {@link ExpressionError} if any failed and none is false. */
export function conditionsHold(conditions: readonly Expression[], variables: Variables): boolean {
  const budget: Budget = { left: budgets.conditions };
  const problems: string[] = [];
  for (const condition of conditions) {
    try {
      if (evaluate(condition, variables, budget) === false) return false;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length === 0) return true;
  const distinct = [...new Set(problems)];
  throw new ExpressionError(distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`);
}
