import type { Environment } from '@marcbachmann/cel-js';
import type { Fields } from '../objects/object.ts';
import { celValue, createEnvironment, messageOf } from '../schema/cel.ts';
import { inDialect } from '../schema/dialect.ts';

/** Evaluates an expression over what it may speak of. Throws an Error with the reason when it cannot. */
export type Evaluate = (expression: string, context: Fields) => unknown;

/** JSON values as expressions see them. */
export const celContext = (values: Fields): Fields =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, celValue(undefined, value ?? null)]));

/** An evaluator that compiles each expression once. */
export function createEvaluator(): Evaluate {
  const environment: Environment = createEnvironment();
  const compiled = new Map<string, (context: Fields) => unknown>();
  return (expression, context) => {
    try {
      const run =
        compiled.get(expression) ?? (environment.parse(inDialect(expression)) as (context: Fields) => unknown);
      compiled.set(expression, run);
      return run(context);
    } catch (error) {
      throw new Error(messageOf(error), { cause: error });
    }
  };
}

/** Whether all `matchConditions` hold: false as soon as one does not. Throws an Error with what went wrong with the others, in the server's words. */
export function conditionsHold(conditions: unknown, evaluate: Evaluate, context: Fields): boolean {
  const problems: string[] = [];
  for (const { expression } of Array.isArray(conditions) ? (conditions as Fields[]) : []) {
    try {
      if (evaluate(String(expression), context) !== true) return false;
    } catch (error) {
      problems.push(`expression '${expression}' resulted in error: ${(error as Error).message}`);
    }
  }
  if (problems.length === 0) return true;
  throw new Error(problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`);
}
