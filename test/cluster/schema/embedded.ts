/** Handles metadata and resources embedded in custom resources. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { metadataErrors } from '../apimachinery/metadata-validation.ts';
import { isPathSegment } from '../apimachinery/name-validation.ts';
import { type Draft, type Fields, isFields } from '../apimachinery/object.ts';
import { decodeAs } from '../resources/decode.ts';
import type { TypeTable } from '../resources/type-table.ts';
import type { Pruned } from './prune.ts';
import { memberOf, memberPath, nestedSchemas, type Structural } from './structural.ts';

/** Reports whether a schema has embedded resources below its root. */
export function hasEmbedded(schema: Structural): boolean {
  for (const nested of nestedSchemas(schema)) {
    if (nested !== schema && nested['x-kubernetes-embedded-resource'] === true) return true;
  }
  return false;
}

/** Returns an object with its metadata as stored, without unknown fields. Throws a DecodeError for values of a wrong type. */
export function coerceMetadata(
  types: TypeTable,
  object: Fields,
): { readonly object: Fields; readonly unknown: readonly string[] } {
  if (!Object.hasOwn(object, 'metadata')) return { object, unknown: [] };
  const { object: metadata, unknown } = decodeAs(types, 'meta.ObjectMeta', object.metadata);
  return { object: { ...object, metadata }, unknown: unknown.map((path) => `metadata.${path}`) };
}

interface CoercionContext {
  readonly types: TypeTable;
  readonly unknown: string[];
  readonly path: string;
}

function coerceValue(coercion: CoercionContext, schema: Structural | undefined, value: unknown): unknown {
  const { path } = coercion;
  if (schema === undefined) return value;
  if (Array.isArray(value))
    return value.map((item, index) => coerceValue({ ...coercion, path: `${path}[${index}]` }, schema.items, item));
  if (!isFields(value)) return value;
  let object = value;
  if (path !== '' && schema['x-kubernetes-embedded-resource'] === true) {
    const made = coerceMetadata(coercion.types, value);
    coercion.unknown.push(...made.unknown.map((name) => memberPath(path, name)));
    object = made.object;
  }
  const entries = Object.entries(object).map(([name, member]) => [
    name,
    coerceValue({ ...coercion, path: memberPath(path, name) }, memberOf(schema, name), member),
  ]);
  return Object.fromEntries(entries);
}

/** Returns a value with the metadata of its embedded resources as stored, and the unknown fields. */
export function coerceEmbedded(types: TypeTable, schema: Structural, value: unknown): Pruned {
  const unknown: string[] = [];
  return { value: coerceValue({ types, unknown, path: '' }, schema, value), unknown };
}

const kindPattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

const missing = (field: string, value: unknown): FieldError =>
  value === '' ? { type: 'Invalid', field, value, detail: 'must not be empty' } : { type: 'Required', field };

/** Validates the apiVersion and kind of an embedded resource. */
function* typeMetaErrors({ apiVersion, kind }: Fields, path: string): Generator<FieldError> {
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    yield missing(`${path}.apiVersion`, apiVersion);
  } else if (apiVersion.split('/').length > 2) {
    const detail = `unexpected GroupVersion string: ${apiVersion}`;
    yield { type: 'Invalid', field: `${path}.apiVersion`, value: apiVersion, detail };
  }
  if (typeof kind !== 'string' || kind === '') yield missing(`${path}.kind`, kind);
  else if (!kindPattern.test(kind.toLowerCase())) {
    const detail = `may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`;
    yield { type: 'Invalid', field: `${path}.kind`, value: kind, detail };
  }
}

/** Validates the metadata of an embedded resource. */
function* objectMetaErrors({ metadata }: Fields, path: string): Generator<FieldError> {
  if (!isFields(metadata)) return;
  const { name } = metadata;
  for (const detail of typeof name === 'string' ? isPathSegment(name) : [])
    yield { type: 'Invalid', field: `${path}.metadata.name`, value: name, detail };
  for (const error of metadataErrors({ apiVersion: '', kind: '', metadata } as Draft, { bareFinalizers: true })) {
    yield { ...error, field: `${path}.${error.field}` };
  }
}

function* resourceErrors(value: Fields, path: string): Generator<FieldError> {
  yield* typeMetaErrors(value, path);
  yield* objectMetaErrors(value, path);
}

/** Validates the apiVersion, kind and metadata of embedded resources. */
export function* embeddedErrors(schema: Structural | undefined, value: unknown, path = ''): Generator<FieldError> {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* embeddedErrors(schema.items, item, `${path}[${index}]`);
  } else if (isFields(value)) {
    if (path !== '' && schema['x-kubernetes-embedded-resource'] === true) yield* resourceErrors(value, path);
    for (const [name, member] of Object.entries(value)) {
      yield* embeddedErrors(memberOf(schema, name), member, memberPath(path, name));
    }
  }
}
