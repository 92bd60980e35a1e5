/** Checks that a schema is structural. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { regExpFault } from '../apimachinery/go/go-regexp.ts';
import { equal } from '../apimachinery/object.ts';
import { forbidden, invalid, required } from '../apimachinery/validation/errors.ts';
import { additionalOf, type Structural } from '../schema/structural.ts';

/** Position of a schema in another, which determines its required keywords. */
type Level = 'root' | 'item' | 'field';

const emptyTypeDetail: Record<Level, string> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

const intOrString: readonly Structural[] = [{ type: 'integer' }, { type: 'string' }];

const isIntOrString = (schemas: readonly Structural[] | undefined): boolean =>
  schemas !== undefined && equal(schemas, intOrString);

/** Keywords that are forbidden inside allOf, anyOf, oneOf and not, with their messages. */
const onlyOutside: readonly (readonly [keyof Structural, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
];

function* patternErrors({ pattern }: Structural, path: string): Generator<FieldError> {
  const why = pattern === undefined ? undefined : regExpFault(pattern);
  if (why !== undefined) {
    yield invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${why}`);
  }
}

function* junctorErrors(schema: Structural, path: string): Generator<FieldError> {
  const { anyOf = [], allOf = [], oneOf = [], not } = schema;
  if (!isIntOrString(schema.anyOf)) {
    for (const [index, one] of anyOf.entries()) yield* insideErrors(one, `${path}.anyOf[${index}]`, false);
  }
  for (const [index, one] of allOf.entries()) {
    yield* insideErrors(one, `${path}.allOf[${index}]`, index === 0 && isIntOrString(one.anyOf));
  }
  for (const [index, one] of oneOf.entries()) yield* insideErrors(one, `${path}.oneOf[${index}]`, false);
  if (not !== undefined) yield* insideErrors(not, `${path}.not`, false);
  yield* patternErrors(schema, path);
}

/** Reports what a schema inside a junctor must not have: keywords that describe values, rules and metadata. */
function* outsideErrors(schema: Structural, path: string): Generator<FieldError> {
  for (const [word, detail] of onlyOutside) {
    const value = schema[word];
    if (value !== undefined && value !== '' && value !== false) yield forbidden(`${path}.${word}`, detail);
  }
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) {
    yield forbidden(`${path}.x-kubernetes-validations`, 'must be empty to be structural');
  }
  if (schema.properties?.metadata !== undefined) {
    yield forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context');
  }
}

/** Validates a schema inside a junctor, which may only restrict values. */
function* insideErrors(schema: Structural, path: string, skipsAnyOf: boolean): Generator<FieldError> {
  const { anyOf: _anyOf, ...others } = schema;
  yield* junctorErrors(skipsAnyOf ? others : schema, path);
  if (schema.items !== undefined) yield* insideErrors(schema.items, `${path}.items`, false);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* insideErrors(property, `${path}.properties[${name}]`, false);
  }
  yield* outsideErrors(schema, path);
}

/** Reports whether a schema may leave out its type. */
const needsNoType = (schema: Structural): boolean =>
  schema['x-kubernetes-int-or-string'] === true ||
  schema['x-kubernetes-preserve-unknown-fields'] === true ||
  '$ref' in schema;

function* typeErrors(schema: Structural, path: string, level: Level): Generator<FieldError> {
  const { type = '' } = schema;
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    yield type === '' ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail);
  } else if (type === '' && !needsNoType(schema)) {
    yield required(`${path}.type`, emptyTypeDetail[level]);
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    yield invalid(`${path}.type`, type, 'must be object at the root');
  }
}

const nameOnly: ReadonlySet<string> = new Set(['name', 'generateName']);

/** Validates the type of a resource's own member. */
function* ownTypeErrors(member: Structural | undefined, path: string, type: string): Generator<FieldError> {
  if (member !== undefined && member.type !== type) yield invalid(`${path}.type`, member.type ?? '', `must be ${type}`);
}

function* resourceErrors(schema: Structural, path: string, level: Level): Generator<FieldError> {
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  if (!isResource) return;
  const { apiVersion, kind, metadata } = schema.properties ?? {};
  yield* ownTypeErrors(apiVersion, `${path}.properties[apiVersion]`, 'string');
  yield* ownTypeErrors(kind, `${path}.properties[kind]`, 'string');
  if (metadata === undefined) return;
  const at = `${path}.properties[metadata]`;
  yield* ownTypeErrors(metadata, at, 'object');
  const { type: _type, description: _description, properties = {}, ...others } = metadata;
  const isPlain = Object.keys(others).length === 0 && Object.keys(properties).every((name) => nameOnly.has(name));
  if (level === 'root' && !isPlain) {
    yield forbidden(
      at,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    );
  }
}

function* extensionErrors(schema: Structural, path: string): Generator<FieldError> {
  const isEither = schema['x-kubernetes-int-or-string'] === true;
  const word = 'x-kubernetes-preserve-unknown-fields';
  if (isEither && schema[word] === true) {
    yield invalid(`${path}.${word}`, true, 'must be false if x-kubernetes-int-or-string is true');
  }
  if (schema['x-kubernetes-embedded-resource'] !== true) return;
  if (schema.additionalProperties !== undefined) {
    yield forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set');
  }
  if (schema[word] !== true && Object.keys(schema.properties ?? {}).length === 0) {
    yield required(
      `${path}.properties`,
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    );
  }
}

/** Yields the schemas that a schema combines by allOf, anyOf, oneOf and not, with their paths. */
function* nestedSchemasOf(schema: Structural, path: string): Generator<readonly [Structural, string]> {
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, one] of (schema[word] ?? []).entries()) yield [one, `${path}.${word}[${index}]`];
  }
  if (schema.not !== undefined) yield [schema.not, `${path}.not`];
}

/** Validates that values restricted inside a root junctor are also described outside of it. */
function* completenessErrors(schema: Structural, path: string): Generator<FieldError> {
  for (const [one, at] of nestedSchemasOf(schema, path)) {
    for (const name of Object.keys(one.properties ?? {})) {
      if (schema.properties?.[name] !== undefined) continue;
      yield required(`${path}.properties[${name}]`, `because it is defined in ${at}.properties[${name}]`);
    }
    if (one.items !== undefined && schema.items === undefined) {
      yield required(`${path}.items`, `because it is defined in ${at}.items`);
    }
  }
}

/** Reports the problems that make a schema non-structural. */
export function* structuralErrors(schema: Structural, path: string, level: Level = 'root'): Generator<FieldError> {
  if (schema.type === 'array' && schema.items === undefined) yield required(`${path}.items`, 'must be specified');
  if (schema.items !== undefined) yield* structuralErrors(schema.items, `${path}.items`, 'item');
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* structuralErrors(property, `${path}.properties[${name}]`, 'field');
  }
  if (level === 'root' && schema.additionalProperties !== undefined) {
    yield forbidden(`${path}.additionalProperties`, 'must not be used at the root');
  }
  const additional = additionalOf(schema);
  if (additional !== undefined) yield* structuralErrors(additional, `${path}.additionalProperties`, 'field');
  yield* extensionErrors(schema, path);
  yield* junctorErrors(schema, path);
  yield* typeErrors(schema, path, level);
  yield* resourceErrors(schema, path, level);
  if (level === 'root') yield* completenessErrors(schema, path);
}
