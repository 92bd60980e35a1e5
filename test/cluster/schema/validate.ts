/** Validates values against structural schemas. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { equal, type Fields, isFields } from '../apimachinery/object.ts';
import { compositeErrors, isComposite } from './composites.ts';
import { correlating } from './correlate.ts';
import { keywordErrors } from './keywords.ts';
import { additionalOf, memberPath, type Structural } from './structural.ts';
import type { Place, Result, SchemaCheck } from './validation-position.ts';

const fine: Result = { errors: [], matches: 1 };

function membersOf(schema: Structural, value: Fields, place: Place): readonly Result[] {
  const old = isFields(place.old) && schema['x-kubernetes-map-type'] !== 'atomic' ? place.old : undefined;
  const check = (name: string, below: Structural): Result =>
    validateAt(below, value[name], {
      path: memberPath(place.path, name),
      prefix: place.prefix,
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

function itemsOf(schema: Structural, value: readonly unknown[], place: Place): readonly Result[] {
  const { items } = schema;
  if (items === undefined) return [];
  const former = correlating(schema, place.old);
  return value.map((item, index) => {
    const old = former(item);
    return validateAt(items, item, { path: `${place.path}[${index}]`, prefix: place.prefix, old });
  });
}

const checkAlternative = ({ schema, value, place }: SchemaCheck): Result => validateAt(schema, value, place);

/** Returns the errors of a value without nested ones; usually none, so nothing is allocated. */
function ownErrors(checked: SchemaCheck): readonly FieldError[] {
  const { schema, value, place } = checked;
  const errors = keywordErrors(schema, value, place);
  return isComposite(schema) ? [...errors, ...compositeErrors(checked, checkAlternative)] : errors;
}

const nothingBelow: readonly Result[] = [];

function resultsBelow(schema: Structural, value: unknown, place: Place): readonly Result[] {
  if (typeof value !== 'object' || value === null) return nothingBelow;
  return Array.isArray(value) ? itemsOf(schema, value, place) : membersOf(schema, value as Fields, place);
}

/** Validates null against an enum. */
function nullResult(schema: Structural, place: Place): Result {
  if (schema.enum === undefined) return fine;
  const errors = keywordErrors({ enum: schema.enum }, null, place);
  return errors.length === 0 ? fine : { errors, matches: 0 };
}

/** Reports whether an error comes after those of nested values: too few or too many items, and missing members. */
const isToldLast = ({ type, detail = '' }: FieldError, value: unknown): boolean =>
  Array.isArray(value) ? type === 'TooMany' || detail.includes('should have at least') : type === 'Required';

/** Returns the errors of a value and of nested ones, as the server orders them. */
function inOrder(own: readonly FieldError[], below: readonly Result[], value: unknown): readonly FieldError[] {
  const late = own.filter((error) => isToldLast(error, value));
  const early = late.length === 0 ? own : own.filter((error) => !isToldLast(error, value));
  return [...early, ...below.flatMap(({ errors }) => errors), ...late];
}

/** Validates a value and all nested ones. */
export function validateAt(schema: Structural, value: unknown, place: Place): Result {
  if (place.old !== undefined && equal(value, place.old)) return fine;
  if (value === null && schema.nullable === true) return nullResult(schema, place);
  const own = ownErrors({ schema, value, place });
  const below = resultsBelow(schema, value, place);
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
