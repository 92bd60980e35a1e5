/** Validation of CustomResourceDefinitions. */

import { type FieldError, notSupported } from '../apimachinery/field-error.ts';
import { isLabel1035, isSubdomain } from '../apimachinery/name-validation.ts';
import { equal, type Fields } from '../apimachinery/object.ts';
import { memberAsSent } from '../apimachinery/validation/empty-members.ts';
import { type Check, fieldsOf, forbidden, immutable, invalid, required } from '../apimachinery/validation/errors.ts';
import { type Structural, structuralOf } from '../schema/structural.ts';
import { type DefinitionNames, type DefinitionSpec, type DefinitionVersion, definitionSpecOf } from './definition.ts';
import { approvalOf } from './definition-approval.ts';
import { conversionErrors, storedErrors, versionErrors } from './definition-version-validation.ts';
import { schemaErrors } from './schema-validation.ts';
import { structuralErrors } from './structural-schema-validation.ts';

function* nameErrors(names: DefinitionNames): Generator<FieldError> {
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = names;
  const check = function* (field: string, value: string | undefined, isKind: boolean): Generator<FieldError> {
    if (!value) {
      yield required(`spec.names.${field}`);
      return;
    }
    const errors = isLabel1035(isKind ? value.toLowerCase() : value);
    const start = isKind ? 'may have mixed case, but should otherwise match: ' : '';
    if (errors.length > 0) yield invalid(`spec.names.${field}`, value, start + errors.join(','));
  };
  yield* check('plural', plural, false);
  yield* check('singular', singular, false);
  yield* check('kind', kind, true);
  yield* check('listKind', listKind, true);
  for (const [field, list] of Object.entries({ shortNames, categories }))
    for (const [index, name] of list.entries()) {
      const errors = isLabel1035(name);
      if (errors.length > 0) yield invalid(`spec.names.${field}[${index}]`, name, errors.join(','));
    }
  if (kind && kind === listKind)
    yield invalid('spec.names.listKind', listKind, 'kind and listKind may not be the same');
}

function* groupErrors({ group }: DefinitionSpec, metadata: Fields): Generator<FieldError> {
  const errors = isSubdomain(group ?? '');
  if (!group) yield required('spec.group');
  else if (errors.length > 0) yield invalid('spec.group', group, errors.join(','));
  else if (!group.includes('.')) yield invalid('spec.group', group, 'should be a domain with at least one dot');
  yield* approvalOf(group ?? '', fieldsOf(metadata.annotations))?.errors ?? [];
}

/** Yields a part of the spec: once at the top when all versions share it, otherwise by version. */
function* sharedOrPerVersion<T>(
  versions: readonly DefinitionVersion[],
  of: (version: DefinitionVersion) => T | undefined,
  paths: readonly [string, string],
): Generator<readonly [T, string]> {
  const parts = versions.map(of);
  const [first] = parts;
  const isSame = first !== undefined && parts.every((part) => equal(part, first));
  if (isSame) yield [first, paths[0]];
  else {
    for (const [index, part] of parts.entries()) {
      if (part !== undefined) yield [part, `spec.versions[${index}].${paths[1]}`];
    }
  }
}

/** Reports defaults of apiVersion, kind and metadata. */
function* ownDefaultErrors({ properties = {} }: Structural, path: string): Generator<FieldError> {
  for (const name of ['apiVersion', 'kind', 'metadata']) {
    for (const [at, { default: value }] of below(properties[name], `${path}.properties[${name}]`)) {
      if (value !== undefined) yield forbidden(`${at}.default`, `must not be set in top-level ${name}`);
    }
  }
}

/** Yields a schema and the properties below it, with their paths. */
function* below(schema: Structural | undefined, path: string): Generator<readonly [string, Structural]> {
  if (schema === undefined) return;
  yield [path, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* below(property, `${path}.properties[${name}]`);
  }
}

function* schemasErrors(versions: readonly DefinitionVersion[]): Generator<FieldError> {
  const schemas = sharedOrPerVersion(versions, ({ schema }) => schema?.openAPIV3Schema, [
    'spec.validation.openAPIV3Schema',
    'schema.openAPIV3Schema',
  ]);
  for (const [version, { schema }] of versions.entries()) {
    if (schema?.openAPIV3Schema === undefined) yield required(`spec.versions[${version}].schema.openAPIV3Schema`);
  }
  for (const [schema, path] of schemas) {
    const structural = structuralOf(schema);
    if (structural.nullable === true) yield forbidden(`${path}.nullable`, 'nullable cannot be true at the root');
    yield* ownDefaultErrors(structural, path);
    const words = [...schemaErrors(structural, path)];
    yield* words;
    const isNamed = (field: string): boolean => words.some((error) => error.field === field);
    for (const error of structuralErrors(structural, path)) if (!isNamed(error.field)) yield error;
  }
}

function* scalePathErrors(scale: Fields, path: string): Generator<FieldError> {
  const check = function* (name: string, root: string, isRequired: boolean): Generator<FieldError> {
    const value = scale[name];
    const at = `${path}.scale.${name}`;
    if (!value) {
      if (isRequired) yield required(at);
    } else if (!String(value).startsWith('.')) yield invalid(at, value, 'must be a simple json path starting with .');
    else if (!new RegExp(`^\\.(${root})\\.`).test(String(value))) {
      const under = root === 'spec|status' ? 'either .spec or .status' : `.${root}`;
      yield invalid(at, value, `should be a json path under ${under}`);
    }
  };
  yield* check('specReplicasPath', 'spec', true);
  yield* check('statusReplicasPath', 'status', true);
  yield* check('labelSelectorPath', 'spec|status', false);
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

type Column = NonNullable<DefinitionVersion['additionalPrinterColumns']>[number];

function* columnErrors(column: Column, at: string): Generator<FieldError> {
  if (!column.name) yield required(`${at}.name`);
  if (!column.type) yield required(`${at}.type`, `must be one of ${columnTypes.join(',')}`);
  else if (!columnTypes.includes(column.type)) {
    yield invalid(`${at}.type`, column.type, `must be one of ${columnTypes.join(',')}`);
  }
  const { format = '' } = column as { readonly format?: string };
  if (format !== '' && !columnFormats.includes(format)) {
    yield invalid(`${at}.format`, format, `must be one of ${columnFormats.join(',')}`);
  }
  if (!column.jsonPath) yield required(`${at}.JSONPath`);
  else if (!column.jsonPath.startsWith('.')) {
    yield invalid(`${at}.JSONPath`, column.jsonPath, 'must be a simple json path starting with .');
  }
}

function* allColumnErrors(versions: readonly DefinitionVersion[]): Generator<FieldError> {
  const name = 'additionalPrinterColumns';
  for (const [columns, path] of sharedOrPerVersion(versions, (version) => version[name], [`spec.${name}`, name]))
    for (const [index, column] of columns.entries()) yield* columnErrors(column, `${path}[${index}]`);
}

/** Returns the schema at a path such as `.spec.color`; undefined for an unknown path. */
const schemaAt = (schema: Structural, path: string): Structural | undefined =>
  path
    .replace(/^\./, '')
    .split('.')
    .reduce<Structural | undefined>((at, name) => at?.properties?.[name], schema);

const selectable = ['string', 'boolean', 'integer'];
const maxSelectable = 8;

const ofSelectable =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

function* selectablePath(
  schema: Parameters<typeof structuralOf>[0],
  jsonPath: string,
  at: string,
): Generator<FieldError> {
  const found = schemaAt(structuralOf(schema), jsonPath);
  if (!jsonPath) yield required(at);
  else if (!/^[.[]/.test(jsonPath)) {
    yield invalid(at, jsonPath, `is an invalid path: expected [ or . but got: ${/^[^.[]*/.exec(jsonPath)![0]}`);
  } else if (found === undefined) {
    yield invalid(at, jsonPath, 'is an invalid path: does not refer to a valid field');
  } else if (!selectable.includes(found.type ?? '')) yield invalid(at, jsonPath, ofSelectable);
}

function* selectableErrors(versions: readonly DefinitionVersion[]): Generator<FieldError> {
  const parts = sharedOrPerVersion(
    versions,
    ({ selectableFields, schema }) =>
      selectableFields === undefined ? undefined : { fields: selectableFields, schema: schema?.openAPIV3Schema ?? {} },
    ['spec.selectableFields', 'selectableFields'],
  );
  for (const [{ fields, schema }, path] of parts) {
    const seen = new Set<string>();
    if (fields.length > maxSelectable) {
      const detail = `must have at most ${maxSelectable} items`;
      yield { type: 'TooMany', field: path, value: fields.length, detail };
    }
    for (const [index, { jsonPath }] of fields.entries()) {
      const at = `${path}[${index}].jsonPath`;
      yield* selectablePath(schema, jsonPath, at);
      if (seen.has(jsonPath)) yield { type: 'Duplicate', field: at, value: jsonPath };
      seen.add(jsonPath);
    }
  }
}

const scopes = ['Cluster', 'Namespaced'];

function* updateErrors(crd: Fields, old: Fields): Generator<FieldError> {
  const now = definitionSpecOf(crd);
  const before = definitionSpecOf(old);
  const conditions = fieldsOf(old.status).conditions;
  const isEstablished =
    Array.isArray(conditions) && conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  if (isEstablished) {
    yield* immutable('spec.scope', now.scope, before.scope);
    yield* immutable('spec.names.kind', now.names.kind, before.names.kind);
  }
  yield* immutable('spec.group', now.group, before.group);
  yield* immutable('spec.names.plural', now.names.plural, before.names.plural);
}

function* ownNameErrors({ name }: Fields, { names, group }: DefinitionSpec): Generator<FieldError> {
  if (name && name !== `${names.plural}.${group}`)
    yield invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group');
}

function* scopeErrors({ scope }: DefinitionSpec): Generator<FieldError> {
  if (!scope) yield required('spec.scope');
  else if (!scopes.includes(scope)) yield notSupported('spec.scope', scope, scopes);
}

function* scaleErrors(versions: readonly DefinitionVersion[]): Generator<FieldError> {
  const parts = sharedOrPerVersion(versions, ({ subresources }) => subresources, ['spec.subresources', 'subresources']);
  for (const [{ scale }, path] of parts) if (scale !== undefined) yield* scalePathErrors(fieldsOf(scale), path);
}

function* preservationErrors(spec: DefinitionSpec, old: Fields | undefined): Generator<FieldError> {
  const isKept = old !== undefined && definitionSpecOf(old).preserveUnknownFields === true;
  if (spec.preserveUnknownFields !== true || isKept) return;
  const instead = 'set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  yield invalid('spec.preserveUnknownFields', true, `cannot set to true, ${instead}`);
}

/** Validates a definition without its CEL rules; `old` is the one that it replaces. */
export const validateCrd: Check = function* (crd, old) {
  const spec = definitionSpecOf(crd);
  const metadata = fieldsOf(crd.metadata);
  const versions = spec.versions ?? [];
  if (old === undefined) yield* ownNameErrors(metadata, spec);
  yield* groupErrors(spec, metadata);
  yield* scopeErrors(spec);
  yield* versionErrors(versions, (memberAsSent(fieldsOf(crd.spec), 'versions') ?? null) === null);
  yield* nameErrors(spec.names);
  yield* schemasErrors(versions);
  yield* scaleErrors(versions);
  yield* allColumnErrors(versions);
  yield* selectableErrors(versions);
  yield* conversionErrors(spec);
  yield* preservationErrors(spec, old);
  if (old !== undefined) yield* updateErrors(crd, old);
  yield* storedErrors(crd, versions);
};
