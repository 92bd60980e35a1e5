/** Checks values against the keywords of one schema. */

import { type FieldError, type FieldErrorType, notSupported } from '../apimachinery/field-error.ts';
import { hasFormat } from '../apimachinery/formats/formats.ts';
import { goRegExp } from '../apimachinery/go/go-regexp.ts';
import { equal, type Fields, isFields } from '../apimachinery/object.ts';
import { memberPath, type Structural } from './structural.ts';
import { fieldOf, type ValuePosition } from './validation-position.ts';

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

const wrongType = (position: ValuePosition, expected: string, found: string): FieldError => ({
  type: 'TypeInvalid',
  field: fieldOf(position),
  value: found,
  detail: `${position.path} in body must be of type ${expected}: "${found}"`,
});

const inBody = (position: ValuePosition, value: unknown, rest: string): FieldError => ({
  type: 'Invalid',
  field: fieldOf(position),
  value,
  detail: `${position.path} in body ${rest}`,
});

const tooMany = (position: ValuePosition, count: number, most: number): FieldError => ({
  type: 'TooMany',
  field: fieldOf(position),
  value: count,
  detail: `must have at most ${most} item${most === 1 ? '' : 's'}`,
});

const isOfFormat = (format: string | undefined, value: string): boolean =>
  format === undefined || format === '' || hasFormat(format, value);

function stringErrors(schema: Structural, value: string, position: ValuePosition): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { maxLength, minLength, pattern, format } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  // The server reports only the first of these.
  if (maxLength !== undefined && length > maxLength) {
    errors.push({ type: 'TooLong', field: fieldOf(position), detail: `may not be more than ${maxLength} bytes` });
  } else if (minLength !== undefined && length < minLength) {
    errors.push(inBody(position, value, `should be at least ${minLength} chars long`));
  } else if (pattern !== undefined && goRegExp(pattern)?.test(value) === false) {
    errors.push(inBody(position, value, `should match '${pattern}'`));
  }
  if (!isOfFormat(format, value)) {
    errors.push({
      ...inBody(position, value, `must be of type ${format}: ${JSON.stringify(value)}`),
      type: 'TypeInvalid',
    });
  }
  return errors;
}

function multipleErrors(multipleOf: number, value: number, position: ValuePosition): readonly FieldError[] {
  if (typeNameOf(value) === 'integer' && multipleOf < 1) {
    // The server divides whole numbers as integers, whatever the schema's type.
    const detail = `factor MultipleOf declared for ${position.path} must be positive: 0`;
    return [{ type: 'Invalid', field: fieldOf(position), value: 0, detail }];
  }
  return Number.isInteger(value / multipleOf) ? [] : [inBody(position, value, `should be a multiple of ${multipleOf}`)];
}

function numberErrors(schema: Structural, value: number, position: ValuePosition): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { maximum, minimum, exclusiveMaximum, exclusiveMinimum, multipleOf } = schema;
  if (multipleOf !== undefined) errors.push(...multipleErrors(multipleOf, value, position));
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(inBody(position, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(inBody(position, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  }
  return errors;
}

function arrayErrors(schema: Structural, value: readonly unknown[], position: ValuePosition): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { maxItems, minItems } = schema;
  if (minItems !== undefined && value.length < minItems) {
    errors.push(inBody(position, value.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(position, value.length, maxItems));
  return errors;
}

function objectErrors(schema: Structural, value: Fields, position: ValuePosition): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { maxProperties, minProperties, required } = schema;
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties) {
    errors.push(inBody(position, count, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && count > maxProperties) errors.push(tooMany(position, count, maxProperties));
  for (const name of required ?? []) {
    if (!Object.hasOwn(value, name)) {
      errors.push({ type: 'Required', field: fieldOf(position, memberPath(position.path, name)) });
    }
  }
  return errors;
}

const none: readonly FieldError[] = [];

function valueErrors(schema: Structural, value: unknown, position: ValuePosition): readonly FieldError[] {
  if (typeof value === 'string') return stringErrors(schema, value, position);
  if (typeof value === 'number') return numberErrors(schema, value, position);
  if (Array.isArray(value)) return arrayErrors(schema, value, position);
  return isFields(value) ? objectErrors(schema, value, position) : none;
}

const enumText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Caches the results of a function of enums. */
function memoized<T>(make: (values: readonly unknown[]) => T): (values: readonly unknown[]) => T {
  const results = new WeakMap<readonly unknown[], T>();
  return (values) => {
    const known = results.get(values);
    if (known !== undefined) return known;
    const result = make(values);
    results.set(values, result);
    return result;
  };
}

/** Returns the scalars of an enum. */
const scalarsIn = memoized((values) => new Set(values.filter(isScalar)));

const isOneOf = (values: readonly unknown[], value: unknown): boolean =>
  isScalar(value) ? scalarsIn(values).has(value) : values.some((allowed) => equal(allowed, value));

/** Returns the errors of one value against one schema, without nested values. */
export function keywordErrors(schema: Structural, value: unknown, position: ValuePosition): readonly FieldError[] {
  const types = typesOf(schema);
  const found = typeNameOf(value);
  const errors = valueErrors(schema, value, position);
  const isAllowed = schema.enum === undefined || isOneOf(schema.enum, value);
  if (isAllowed && fits(types, found)) return errors;
  return [
    ...(fits(types, found) ? none : [wrongType(position, types.join(','), found)]),
    ...errors,
    ...(isAllowed ? none : [notSupported(fieldOf(position), value, schema.enum!.map(enumText))]),
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
