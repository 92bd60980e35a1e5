import type { Environment } from '@marcbachmann/cel-js';
import type { FieldError } from '../field-error.ts';
import { equal, type Fields } from '../objects/object.ts';
import { celName, createEnvironment } from './cel.ts';
import { type DefinitionVersion, definitionSpecOf } from './definition.ts';
import { inDialect } from './dialect.ts';
import { additionalOf, type Structural, structuralOf, type ValidationRule } from './structural.ts';

type Declared = string | { readonly [name: string]: Declared };

const scalarTypes: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  integer: 'int',
  number: 'double',
};

/** How the evaluator's type check knows a schema; what it has no word for is `dyn`. */
function declared(schema: Structural): Declared {
  if (schema.nullable === true || schema['x-kubernetes-int-or-string'] === true) return 'dyn';
  if (schema.type === 'array') {
    const item = schema.items === undefined ? 'dyn' : declared(schema.items);
    return typeof item === 'string' ? `list<${item}>` : 'list<dyn>';
  }
  if (schema.type !== 'object')
    return schema.format === 'date-time' ? 'dyn' : (scalarTypes[schema.type ?? ''] ?? 'dyn');
  if (schema.properties === undefined || schema['x-kubernetes-embedded-resource'] === true) {
    return additionalOf(schema) === undefined ? 'dyn' : 'map<string, dyn>';
  }
  const members = Object.entries(schema.properties).map(([name, property]) => [celName(name), declared(property)]);
  return Object.fromEntries(members);
}

const declare = (schema: Structural) => (environment: Environment) => {
  const type = declared(schema);
  if (typeof type === 'string') environment.registerVariable('self', type);
  else environment.registerVariable({ name: 'self', schema: type as Record<string, string> });
  environment.registerVariable('oldSelf', 'dyn');
};

interface CelError {
  readonly code?: string;
  readonly message: string;
  readonly range?: { readonly start: number };
}

const atEnd =
  "Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** A compilation error as cel-go prints it: position, text, the source and a caret. */
function compilationFailed(source: string, index: number, text: string): string {
  const before = source.slice(0, index).split('\n');
  const column = before.at(-1)!.length;
  const line = source.split('\n')[before.length - 1];
  return `compilation failed: ERROR: <input>:${before.length}:${column + 1}: ${text}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** Why a rule is not even an expression, as the parser tells it. */
const syntaxCodes: ReadonlySet<string | undefined> = new Set([
  'unexpected_token',
  'unexpected_character',
  'expected_token',
  'unterminated_string',
]);

/** Functions that upstream declares without a receiver. */
const functions: ReadonlySet<string> = new Set(
  'bool bytes cidr double duration dyn has int ip isCIDR isIP isQuantity isSemver isURL matches quantity semver size string timestamp type uint url'.split(
    ' ',
  ),
);

/** Two scalars that no operator takes together, where upstream's types are the evaluator's for sure. */
function overloadFault(source: string, start: number, text: string): string | undefined {
  const [, left = '', operator = '', right = ''] = /^no such overload: (\w+) (\S+) (\w+)$/.exec(text) ?? [];
  const types = [left, right];
  const isSure = left !== right && types.includes('string') && types.some((type) => type === 'int' || type === 'bool');
  const index = source.indexOf(` ${operator} `, start) + 1;
  if (!isSure || index === 0) return undefined;
  return compilationFailed(
    source,
    index,
    `found no matching overload for '_${operator}_' applied to '(${left}, ${right})'`,
  );
}

/** Why a rule cannot be used; undefined when it can, as far as the type check knows. */
function problemOf(source: string, schema: Structural): string | undefined {
  const checked = createEnvironment(declare(schema)).check(inDialect(source));
  if (checked.valid) {
    const type = String(checked.type);
    return type === 'bool' || type === 'dyn' ? undefined : 'cel expression must evaluate to a bool';
  }
  const { code, message, range } = checked.error as unknown as CelError;
  const start = range?.start ?? 0;
  const [first = ''] = message.split('\n', 1);
  if (code === 'no_such_key') {
    const name = first.replace('No such key: ', '');
    const dot = source.indexOf(`.${name}`, Math.max(0, start - 1));
    return compilationFailed(source, dot === -1 ? start : dot, `undefined field '${name}'`);
  }
  if (syntaxCodes.has(code)) {
    return start >= source.length
      ? compilationFailed(source, source.length, atEnd)
      : compilationFailed(source, start, `Syntax error: ${first}`);
  }
  const undeclared = (name: string, index: number) =>
    compilationFailed(source, index, `undeclared reference to '${name}' (in container '')`);
  if (code === 'unknown_variable') return undeclared(first.replace('Unknown variable: ', ''), start);
  const [, called] = /^found no matching overload for '(\w+)\(/.exec(first) ?? [];
  if (called !== undefined && !functions.has(called))
    return undeclared(called, source.indexOf(`${called}(`) + called.length);
  return code === 'no_such_overload' ? overloadFault(source, start, first) : undefined;
}

/** Why a message's expression cannot be used. */
function messageProblemOf(source: string, schema: Structural): string | undefined {
  const problem = problemOf(source, schema);
  if (problem?.startsWith('compilation failed')) return `messageExpression ${problem}`;
  const checked = createEnvironment(declare(schema)).check(inDialect(source));
  const type = checked.valid ? String(checked.type) : 'dyn';
  return type === 'string' || type === 'dyn' ? undefined : 'messageExpression must evaluate to a string';
}

/** A rule as Go prints the struct it is read into. */
const goRule = (rule: ValidationRule): Fields => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
});

function* schemaProblems(schema: Structural, path: string): Generator<FieldError> {
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const detail = problemOf(rule.rule, schema);
    const field = `${path}.x-kubernetes-validations[${index}].rule`;
    if (detail !== undefined) yield { type: 'Invalid', field, value: goRule(rule), detail };
    const { messageExpression } = rule;
    const fault = messageExpression?.trim() ? messageProblemOf(messageExpression, schema) : undefined;
    const at = `${path}.x-kubernetes-validations[${index}].messageExpression`;
    if (fault !== undefined) yield { type: 'Invalid', field: at, value: goRule(rule), detail: fault };
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* schemaProblems(property, `${path}.properties[${name}]`);
  }
  const additional = additionalOf(schema);
  if (additional !== undefined) yield* schemaProblems(additional, `${path}.additionalProperties`);
  if (schema.items !== undefined) yield* schemaProblems(schema.items, `${path}.items`);
}

const schemaIn = ({ schema }: DefinitionVersion): Structural => structuralOf(schema?.openAPIV3Schema ?? {});

/** The rules of a definition that do not compile: unknown fields, syntax errors, results that are not booleans. */
export function* ruleProblems(crd: Fields): Generator<FieldError> {
  const versions = definitionSpecOf(crd).versions ?? [];
  const [first] = versions;
  if (first === undefined) return;
  if (versions.every((version) => equal(schemaIn(version), schemaIn(first)))) {
    yield* schemaProblems(schemaIn(first), 'spec.validation.openAPIV3Schema');
    return;
  }
  for (const [index, version] of versions.entries()) {
    yield* schemaProblems(schemaIn(version), `spec.versions[${index}].schema.openAPIV3Schema`);
  }
}
