/** Compiles CEL expressions against the variables of an environment. */

import { Frame, type Variables } from './frame.ts';
import { libraryFunctions } from './functions/library-functions.ts';
import { standardFunctions } from './functions/standard-functions.ts';
import { compileExpression } from './program.ts';
import type { Scope } from './scope.ts';
import { formatErrors } from './syntax/expression-errors.ts';
import { literalFaults, unusableReason } from './syntax/literal-checks.ts';
import { parseExpression } from './syntax/parse.ts';
import { listOf, mapOf, type Type, typeOf, types } from './typing/cel-type.ts';
import { type Checked, checkAst } from './typing/check.ts';
import { functionsIn, libraryType } from './typing/declarations.ts';
import { startWork } from './values/uncosted-work.ts';
import { TypeValue, type Value } from './values/values.ts';

const functions = functionsIn([...standardFunctions, ...libraryFunctions]);

const { dyn } = types;

/** Types that expressions can name. */
const namedTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...(['bool', 'bytes', 'double', 'int', 'string', 'uint', 'dyn'] as const).map((name) => [name, types[name]] as const),
  ['null_type', types.null],
  ['list', listOf(dyn)],
  ['map', mapOf(dyn, dyn)],
  ['type', types.type],
  ['google.protobuf.Timestamp', types.timestamp],
  ['google.protobuf.Duration', types.duration],
  ['net.IP', libraryType('ip')],
  ['net.CIDR', libraryType('cidr')],
]);

const nameVariables = [...namedTypes].map(([name, type]) => [name, typeOf(type)] as const);

/** Cost limit of one evaluation. */
export const callLimit = 1_000_000;

/** Result of an evaluation. */
export interface Outcome {
  /** Value, which may be an error. */
  readonly value: Value;
  readonly cost: number;
}

/** Compiled expression. */
export interface Program {
  readonly type: Type;
  readonly checked: Checked;
  /** Names of the variables that it uses. */
  readonly uses: ReadonlySet<string>;
  /** Evaluates the expression and adds its cost to the frame. Throws a CostExceeded. */
  run(frame: Frame): Value;
}

/** Compiler of expressions over declared variables. */
export interface Environment {
  /** Compiles an expression; returns the program, or an error in cel-go's words with the source lines. */
  compile(source: string): Program | { readonly fault: string } | { readonly unusable: string };
}

/** Creates the frame of one evaluation. */
export const frameOf = (variables: Variables, limit = callLimit): Frame =>
  new Frame((name) => {
    const value = variables(name);
    return value === undefined && namedTypes.has(name) ? new TypeValue(name) : value;
  }, limit);

/** Creates an environment with variables of given types; `fieldsOf` gives the fields of structs. */
export function createEnvironment(
  variables: Iterable<readonly [string, Type]>,
  fieldsOf: Scope['fieldsOf'] = () => undefined,
): Environment {
  const scope: Scope = { functions, variables: new Map([...nameVariables, ...variables]), fieldsOf };
  return {
    compile(source) {
      const read = parseExpression(source);
      if ('faults' in read) return { fault: formatErrors(source, read.faults) };
      const typed = checkAst(read.expression, scope);
      if ('faults' in typed) return { fault: formatErrors(source, typed.faults) };
      startWork();
      const faults = [...literalFaults(typed)];
      if (faults.length > 0) return { fault: formatErrors(source, faults) };
      const reason = unusableReason(typed);
      if (reason !== undefined) return { unusable: `program instantiation failed: ${reason}` };
      const run = compileExpression(typed);
      const uses = new Set(
        [...typed.references.values()].filter(({ overloads }) => overloads.length === 0).map(({ name }) => name),
      );
      return { type: typed.types.get(typed.expression)!, checked: typed, uses, run };
    },
  };
}
