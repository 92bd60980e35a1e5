/** Validates values against structural schemas. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { equal, type Fields, isFields } from '../apimachinery/object.ts';
import { compositeErrors, isComposite } from './composites.ts';
import { correlating } from './correlate.ts';
import { keywordErrors } from './keywords.ts';
import { additionalOf, memberPath, type Structural } from './structural.ts';
import type { Result, SchemaCheck, ValuePosition } from './validation-position.ts';

const fine: Result = { errors: [], matches: 1 };

function membersOf(schema: Structural, value: Fields, position: ValuePosition): readonly Result[] {
  const old = isFields(position.old) && schema['x-kubernetes-map-type'] !== 'atomic' ? position.old : undefined;
  const check = (name: string, below: Structural): Result =>
    validateAt(below, value[name], {
      path: memberPath(position.path, name),
      prefix: position.prefix,
      old: old !== undefined && Object.hasOwn(old, name) ? old[name] : undefined,
    });
  const additional = additionalOf(schema);
  const results: Result[] = [];
  for (const name of Object.keys(value)) {
    const property = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const below = property ? schema.properties![name] : additional;
    if (below !== undefined) results.push(check(name, below));
  }
  return results;
}

function itemsOf(schema: Structural, value: readonly unknown[], position: ValuePosition): readonly Result[] {
  const { items } = schema;
  if (items === undefined) return [];
  const former = correlating(schema, position.old);
  return value.map((item, index) => {
    const old = former(item);
    return validateAt(items, item, { path: `${position.path}[${index}]`, prefix: position.prefix, old });
  });
}

const checkAlternative = ({ schema, value, position }: SchemaCheck): Result => validateAt(schema, value, position);

/** Returns the errors of a value without nested ones; usually none, so nothing is allocated. */
function ownErrors(checked: SchemaCheck): readonly FieldError[] {
  const { schema, value, position } = checked;
  const errors = keywordErrors(schema, value, position);
  return isComposite(schema) ? [...errors, ...compositeErrors(checked, checkAlternative)] : errors;
}

const nothingBelow: readonly Result[] = [];

function resultsBelow(schema: Structural, value: unknown, position: ValuePosition): readonly Result[] {
  if (typeof value !== 'object' || value === null) return nothingBelow;
  return Array.isArray(value) ? itemsOf(schema, value, position) : membersOf(schema, value as Fields, position);
}

/** Validates null against an enum. */
function nullResult(schema: Structural, position: ValuePosition): Result {
  if (schema.enum === undefined) return fine;
  const errors = keywordErrors({ enum: schema.enum }, null, position);
  return errors.length === 0 ? fine : { errors, matches: 0 };
}

/** Reports whether an error comes after those of nested values: too few or too many items, and missing members. */
const comesLast = ({ type, detail = '' }: FieldError, value: unknown): boolean =>
  Array.isArray(value) ? type === 'TooMany' || detail.includes('should have at least') : type === 'Required';

/** Returns the errors of a value and of nested ones, as the server orders them. */
function inOrder(own: readonly FieldError[], below: readonly Result[], value: unknown): readonly FieldError[] {
  const late = own.filter((error) => comesLast(error, value));
  const early = late.length === 0 ? own : own.filter((error) => !comesLast(error, value));
  return [...early, ...below.flatMap(({ errors }) => errors), ...late];
}

/** Validates a value and all nested ones. */
export function validateAt(schema: Structural, value: unknown, position: ValuePosition): Result {
  if (position.old !== undefined && equal(value, position.old)) return fine;
  if (value === null && schema.nullable === true) return nullResult(schema, position);
  const own = ownErrors({ schema, value, position });
  const below = resultsBelow(schema, value, position);
  let matches = own.length === 0 ? 1 : 0;
  let isFine = own.length === 0;
  for (const result of below) {
    matches += result.matches;
    isFine &&= result.errors.length === 0;
  }
  if (isFine) return matches === 1 ? fine : { errors: [], matches };
  return { errors: inOrder(own, below, value), matches };
}

/** Options of a validation. */
export interface ValidateOptions {
  /** Former value; errors of unchanged parts are ignored. */
  readonly old?: unknown;
  /** Name of the validated part of the object, such as `status`. */
  readonly prefix?: string;
}

/**
 * Validates a value against a schema's keywords, with the server's messages; CEL rules, list types and embedded
 * resources are checked elsewhere.
 */
export const validate = (schema: Structural, value: unknown, options: ValidateOptions = {}): readonly FieldError[] =>
  validateAt(schema, value, { path: '', prefix: options.prefix ?? '', ...('old' in options && { old: options.old }) })
    .errors;
