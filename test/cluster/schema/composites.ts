/** Checks values against allOf, anyOf, oneOf and not. */

import type { FieldError } from '../apimachinery/field-error.ts';
import type { Structural } from './structural.ts';
import { fieldOf, type Result, type SchemaCheck, type ValuePosition } from './validation-position.ts';

const must = (position: ValuePosition, rest: string): FieldError => ({
  type: 'Invalid',
  field: fieldOf(position, ''),
  value: '',
  detail: `"${position.path}" must ${rest}`,
});

const isValid = ({ errors }: Result): boolean => errors.length === 0;

/** Returns the errors of the best matching alternative; the first of several. */
const bestOf = (results: readonly Result[]): readonly FieldError[] =>
  results.reduce((best, result) => (result.matches > best.matches ? result : best)).errors;

function* allOfErrors(results: readonly Result[], position: ValuePosition): Generator<FieldError> {
  const valid = results.filter(isValid).length;
  if (valid === results.length) return;
  yield* results.flatMap(({ errors }) => errors);
  yield must(position, `validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
}

function* anyOfErrors(results: readonly Result[], position: ValuePosition): Generator<FieldError> {
  if (results.some(isValid)) return;
  yield must(position, 'validate at least one schema (anyOf)');
  yield* bestOf(results);
}

function* oneOfErrors(results: readonly Result[], position: ValuePosition): Generator<FieldError> {
  const valid = results.filter(isValid).length;
  if (valid === 1) return;
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  yield must(position, `validate one and only one schema (oneOf). ${found}`);
  if (valid === 0) yield* bestOf(results);
}

/** Reports whether a schema has alternatives. */
export const isComposite = ({ allOf, anyOf, oneOf, not }: Structural): boolean =>
  allOf !== undefined || anyOf !== undefined || oneOf !== undefined || not !== undefined;

/** Yields the errors of allOf, anyOf, oneOf and not; `check` validates an alternative. */
export function* compositeErrors(
  { schema, value, position }: SchemaCheck,
  check: (alternative: SchemaCheck) => Result,
): Generator<FieldError> {
  const { allOf, anyOf, oneOf, not } = schema;
  const { old: _old, ...fresh } = position;
  const resultOf = (alternative: Structural): Result => check({ schema: alternative, value, position: fresh });
  if (anyOf !== undefined && schema['x-kubernetes-int-or-string'] !== true)
    yield* anyOfErrors(anyOf.map(resultOf), position);
  if (oneOf !== undefined) yield* oneOfErrors(oneOf.map(resultOf), position);
  if (allOf !== undefined) yield* allOfErrors(allOf.map(resultOf), position);
  if (not !== undefined && isValid(resultOf(not))) yield must(position, 'not validate the schema (not)');
}
