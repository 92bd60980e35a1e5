/** Checks values against the keywords of one schema. */

import { type FieldError, type FieldErrorType, notSupported } from '../apimachinery/field-error.ts';
import { hasFormat } from '../apimachinery/formats/formats.ts';
import { goRegExp } from '../apimachinery/go/go-regexp.ts';
import { equal, type Fields, isFields } from '../apimachinery/object.ts';
import { memberPath, type Structural } from './structural.ts';
import { fieldOf, type Place } from './validation-position.ts';

const biggestInteger = 2 ** 63;

/** Returns the JSON type of a value as in errors; whole numbers are integers. */
export function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'number') return typeof value;
  return Number.isInteger(value) && Math.abs(value) <= biggestInteger ? 'integer' : 'number';
}

const typesOf = (schema: Structural): readonly string[] => {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
};

const fits = (types: readonly string[], found: string): boolean =>
  types.length === 0 || types.includes(found) || (found === 'integer' && types.includes('number'));

const wrongType = (place: Place, expected: string, found: string): FieldError => ({
  type: 'TypeInvalid',
  field: fieldOf(place),
  value: found,
  detail: `${place.path} in body must be of type ${expected}: "${found}"`,
});

const inBody = (place: Place, value: unknown, rest: string): FieldError => ({
  type: 'Invalid',
  field: fieldOf(place),
  value,
  detail: `${place.path} in body ${rest}`,
});

const tooMany = (place: Place, count: number, most: number): FieldError => ({
  type: 'TooMany',
  field: fieldOf(place),
  value: count,
  detail: `must have at most ${most} item${most === 1 ? '' : 's'}`,
});

const isOfFormat = (format: string | undefined, value: string): boolean =>
  format === undefined || format === '' || hasFormat(format, value);

function stringErrors(schema: Structural, value: string, place: Place): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { maxLength, minLength, pattern, format } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  // The server reports only the first of these.
  if (maxLength !== undefined && length > maxLength) {
    errors.push({ type: 'TooLong', field: fieldOf(place), detail: `may not be more than ${maxLength} bytes` });
  } else if (minLength !== undefined && length < minLength) {
    errors.push(inBody(place, value, `should be at least ${minLength} chars long`));
  } else if (pattern !== undefined && goRegExp(pattern)?.test(value) === false) {
    errors.push(inBody(place, value, `should match '${pattern}'`));
  }
  if (!isOfFormat(format, value)) {
    errors.push({
      ...inBody(place, value, `must be of type ${format}: ${JSON.stringify(value)}`),
      type: 'TypeInvalid',
    });
  }
  return errors;
}

function multipleErrors(multipleOf: number, value: number, place: Place): readonly FieldError[] {
  if (typeNameOf(value) === 'integer' && multipleOf < 1) {
    // The server divides whole numbers as integers, whatever the schema's type.
    const detail = `factor MultipleOf declared for ${place.path} must be positive: 0`;
    return [{ type: 'Invalid', field: fieldOf(place), value: 0, detail }];
  }
  return Number.isInteger(value / multipleOf) ? [] : [inBody(place, value, `should be a multiple of ${multipleOf}`)];
}

function numberErrors(schema: Structural, value: number, place: Place): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { maximum, minimum, exclusiveMaximum, exclusiveMinimum, multipleOf } = schema;
  if (multipleOf !== undefined) errors.push(...multipleErrors(multipleOf, value, place));
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(inBody(place, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(inBody(place, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  }
  return errors;
}

function arrayErrors(schema: Structural, value: readonly unknown[], place: Place): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { maxItems, minItems } = schema;
  if (minItems !== undefined && value.length < minItems) {
    errors.push(inBody(place, value.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(place, value.length, maxItems));
  return errors;
}

function objectErrors(schema: Structural, value: Fields, place: Place): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { maxProperties, minProperties, required } = schema;
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties) {
    errors.push(inBody(place, count, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && count > maxProperties) errors.push(tooMany(place, count, maxProperties));
  for (const name of required ?? []) {
    if (!Object.hasOwn(value, name)) {
      errors.push({ type: 'Required', field: fieldOf(place, memberPath(place.path, name)) });
    }
  }
  return errors;
}

const none: readonly FieldError[] = [];

function valueErrors(schema: Structural, value: unknown, place: Place): readonly FieldError[] {
  if (typeof value === 'string') return stringErrors(schema, value, place);
  if (typeof value === 'number') return numberErrors(schema, value, place);
  if (Array.isArray(value)) return arrayErrors(schema, value, place);
  return isFields(value) ? objectErrors(schema, value, place) : none;
}

const enumText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Scalars of enums, by enum. */
const enumScalars = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

/** Returns the scalars of an enum, cached. */
function scalarsIn(values: readonly unknown[]): ReadonlySet<unknown> {
  const known = enumScalars.get(values);
  if (known !== undefined) return known;
  const scalars = new Set(values.filter(isScalar));
  enumScalars.set(values, scalars);
  return scalars;
}

const isOneOf = (values: readonly unknown[], value: unknown): boolean =>
  isScalar(value) ? scalarsIn(values).has(value) : values.some((allowed) => equal(allowed, value));

/** Returns the errors of one value against one schema, without nested values. */
export function keywordErrors(schema: Structural, value: unknown, place: Place): readonly FieldError[] {
  const types = typesOf(schema);
  const found = typeNameOf(value);
  const errors = valueErrors(schema, value, place);
  const isAllowed = schema.enum === undefined || isOneOf(schema.enum, value);
  if (isAllowed && fits(types, found)) return errors;
  return [
    ...(fits(types, found) ? none : [wrongType(place, types.join(','), found)]),
    ...errors,
    ...(isAllowed ? none : [notSupported(fieldOf(place), value, schema.enum!.map(enumText))]),
  ];
}

/** Types of errors that prevent a schema's CEL rules from running. */
export const blocksRules: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'Required',
  'NotSupported',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);
