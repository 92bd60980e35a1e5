/** Compiles the CEL expressions of policies and webhooks. */

import { type Fields, isFields } from '../../apimachinery/object.ts';
import { admissionEnvironment, variableType } from '../../cel/admission-environment.ts';
import type { Environment, Program } from '../../cel/environment.ts';
import { type Type, type TypeKind, types, typeText } from '../../cel/typing/cel-type.ts';

/** Compiled expression, or its error. */
export type Expression = { readonly source: string } & ({ readonly program: Program } | { readonly fault: string });

const named: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

const shown = (type: Type): string => named[type.kind] ?? typeText(type);
const kindName = (kind: string): string => named[kind] ?? kind;

/** Compiles an expression; its result must be of one of `kinds`, or of any if there are none. */
export function compiledIn(environment: Environment, source: string, kinds: readonly TypeKind[]): Expression {
  const made = environment.compile(source);
  if ('fault' in made) return { source, fault: `compilation failed: ${made.fault}` };
  if ('unusable' in made) return { source, fault: made.unusable };
  if (kinds.length === 0 || kinds.includes(made.type.kind)) return { source, program: made };
  const [first = ''] = kinds;
  const wanted = kinds.length === 1 ? kindName(first) : `one of [${kinds.map(kindName).join(' ')}]`;
  return { source, fault: `must evaluate to ${wanted} but got ${shown(made.type)}` };
}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const text = (value: unknown): string => String(value ?? '');

/** Compiled expressions of a policy. */
export interface PolicyExpressions {
  readonly conditions: readonly Expression[];
  readonly variables: readonly (Expression & { readonly name: string })[];
  readonly validations: readonly {
    readonly validation: Fields;
    readonly condition: Expression;
    readonly message?: Expression;
  }[];
  readonly annotations: readonly { readonly key: string; readonly value: Expression }[];
}

/** Compiles the matchConditions of a webhook or policy. */
export function conditionsIn(conditions: unknown, withParams: boolean): readonly Expression[] {
  if (listOf(conditions).length === 0) return [];
  const environment = admissionEnvironment({ authorizer: true, params: withParams ? types.dyn : undefined });
  return listOf(conditions).map(({ expression }) => compiledIn(environment, text(expression).trim(), ['bool']));
}

const isGiven = (value: unknown): boolean => text(value).trim() !== '';

/** Compiles a policy's variables; each sees those before it. */
export function variablesIn(
  variables: unknown,
  environmentOf: (known: ReadonlyMap<string, Type>) => Environment,
): { readonly expressions: PolicyExpressions['variables']; readonly known: ReadonlyMap<string, Type> } {
  const known = new Map<string, Type>();
  const expressions = listOf(variables).map(({ name, expression }) => {
    const made = compiledIn(environmentOf(known), text(expression), []);
    known.set(text(name), 'program' in made ? variableType(made.program.type) : types.dyn);
    return { ...made, name: text(name) };
  });
  return { expressions, known };
}

/** Compiles all expressions of a policy's spec. */
export function expressionsOf(spec: Fields): PolicyExpressions {
  const params = isFields(spec.paramKind) ? types.dyn : undefined;
  const hasVariables = listOf(spec.variables).length > 0;
  const environmentOf = (authorizer: boolean) => (known: ReadonlyMap<string, Type>) =>
    admissionEnvironment({ authorizer, params, variables: hasVariables ? known : undefined });
  const { expressions: variables, known } = variablesIn(spec.variables, environmentOf(true));
  const [asking, plain] = [environmentOf(true)(known), environmentOf(false)(known)];
  return {
    conditions: conditionsIn(spec.matchConditions, params !== undefined),
    variables,
    validations: listOf(spec.validations).map((validation) => ({
      validation,
      condition: compiledIn(asking, text(validation.expression), ['bool']),
      ...(isGiven(validation.messageExpression) && {
        message: compiledIn(plain, text(validation.messageExpression), ['string']),
      }),
    })),
    annotations: listOf(spec.auditAnnotations).map(({ key, valueExpression }) => ({
      key: text(key),
      value: compiledIn(asking, text(valueExpression).trim(), ['string', 'null']),
    })),
  };
}
