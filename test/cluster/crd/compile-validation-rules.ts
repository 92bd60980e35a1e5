/** Compiles the CEL rules of a schema. */

import { estimateCost } from '../cel/cost/estimate-cost.ts';
import { createEnvironment, type Environment, type Program } from '../cel/environment.ts';
import { optionalOf } from '../cel/typing/cel-type.ts';
import { createNamedTypes, type SizedType } from '../cel/typing/decl-types.ts';
import type { ValidationRule } from '../schema/structural.ts';

/** Compiled expression with its worst-case cost, or its error. */
export type CompiledExpression = { readonly program: Program; readonly cost: number } | { readonly fault: string };

/** Compiled rule with its message. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly condition: CompiledExpression;
  /** True when the rule uses the former value. */
  readonly usesOld: boolean;
  /** Message expression; undefined for rules whose condition does not compile. */
  readonly message?: CompiledExpression;
}

function environmentsOf(self: SizedType): readonly [plain: Environment, optional: Environment] {
  const names = createNamedTypes();
  const type = names.nameOf(self, 'selfType1');
  const made = (old: typeof type) =>
    createEnvironment(
      [
        ['self', type],
        ['oldSelf', old],
      ],
      names.fieldsOf,
    );
  return [made(type), made(optionalOf(type))];
}

/** Compiles an expression in its environment; `prefix` begins its error. */
function compiledIn(environment: Environment, { source, self, prefix, result }: CompileOptions): CompiledExpression {
  const made = environment.compile(source);
  if ('fault' in made) return { fault: `${prefix}compilation failed: ${made.fault}` };
  if ('unusable' in made)
    return { fault: `${prefix}${made.unusable.replace('program ', prefix === '' ? 'program ' : '')}` };
  if (made.type.kind !== result) return { fault: mistyped[result] };
  return { program: made, cost: estimateCost(made.checked, self).max };
}

interface CompileOptions {
  readonly source: string;
  readonly self: SizedType;
  readonly prefix: string;
  readonly result: 'bool' | 'string';
}

const mistyped = {
  bool: 'cel expression must evaluate to a bool',
  string: 'messageExpression must evaluate to a string',
};

/** Compiles the rules of a schema whose values have a type. Empty rules are left out. */
export function compiledRules(rules: readonly ValidationRule[], self: SizedType): readonly CompiledRule[] {
  const [plain, optional] = environmentsOf(self);
  return rules.flatMap((rule): CompiledRule[] => {
    if (rule.rule.trim() === '') return [];
    const environment = rule.optionalOldSelf === true ? optional : plain;
    const condition = compiledIn(environment, { source: rule.rule, self, prefix: '', result: 'bool' });
    if ('fault' in condition) return [{ rule, condition, usesOld: false }];
    const usesOld = condition.program.uses.has('oldSelf');
    if (!rule.messageExpression) return [{ rule, condition, usesOld }];
    const wanted: CompileOptions = {
      source: rule.messageExpression,
      self,
      prefix: 'messageExpression ',
      result: 'string',
    };
    return [{ rule, condition, usesOld, message: compiledIn(environment, wanted) }];
  });
}
