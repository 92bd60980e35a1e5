/** Validation of the keywords of a CustomResourceDefinition's schema. */

import { type FieldError, notSupported } from '../apimachinery/field-error.ts';
import { equal } from '../apimachinery/object.ts';
import { forbidden, invalid, required } from '../apimachinery/validation/errors.ts';
import { fieldPathIn } from '../schema/field-path.ts';
import { prune } from '../schema/prune.ts';
import { additionalOf, type Structural, type ValidationRule } from '../schema/structural.ts';
import { validateAt } from '../schema/validate.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** JSON Schema keywords that definitions must not use. */
const unsupportedWords = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

/** Validates that additional properties are not described beside properties. */
function* additionalErrors({ additionalProperties, properties = {} }: Structural, path: string): Generator<FieldError> {
  const isDescribed = additionalProperties !== undefined && additionalProperties !== true;
  if (isDescribed && Object.keys(properties).length > 0)
    yield forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
}

function* wordErrors(schema: Structural, path: string): Generator<FieldError> {
  const { type, uniqueItems } = schema;
  if (type !== undefined && type !== '' && !types.includes(type)) yield notSupported(`${path}.type`, type, types);
  for (const word of unsupportedWords) {
    if ((schema as Record<string, unknown>)[word] !== undefined)
      yield forbidden(`${path}.${word}`, `${word} is not supported`);
  }
  if (uniqueItems === true) {
    yield forbidden(
      `${path}.uniqueItems`,
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    );
  }
  yield* additionalErrors(schema, path);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    yield invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined');
  }
}

/** Type that a keyword requires. */
const typeFor: Readonly<Record<string, string>> = {
  'x-kubernetes-list-type': 'array',
  'x-kubernetes-map-type': 'object',
};

function* mustFit(word: string, schema: Structural, path: string): Generator<FieldError> {
  const type = typeFor[word];
  if (schema.type === type) return;
  const detail = `must be ${type} if ${word} is specified`;
  yield schema.type ? invalid(`${path}.type`, schema.type, detail) : required(`${path}.type`, detail);
}

function* keyErrors(schema: Structural, path: string): Generator<FieldError> {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const { items = {} } = schema;
  if (keys.length === 0) {
    yield required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map');
  }
  if (items.type !== 'object') {
    yield invalid(
      `${path}.items.type`,
      items.type ?? '',
      "must be object if parent array's x-kubernetes-list-type is map",
    );
    return;
  }
  const known = new Set<string>();
  for (const key of keys) {
    if (items.properties?.[key] === undefined)
      yield invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties');
    else yield* keyPropertyErrors(items, key, `${path}.items.properties[${key}]`);
    if (known.has(key)) {
      yield invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries');
    }
    known.add(key);
  }
}

function* keyPropertyErrors(items: Structural, key: string, at: string): Generator<FieldError> {
  const property = items.properties![key]!;
  if (property.type === 'array' || property.type === 'object') {
    yield invalid(`${at}.type`, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map");
  }
  if (items.required?.includes(key) !== true && property.default === undefined) {
    yield required(
      `${at}.default`,
      'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    );
  }
  if (property.nullable === true) {
    yield forbidden(`${at}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable');
  }
}

/** Validates the items of a list of a type. */
function* itemErrors(kind: string, { items = {} }: Structural, path: string): Generator<FieldError> {
  if (kind !== 'atomic' && items.nullable === true) {
    yield forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${kind}`);
  }
  if (kind === 'set' && items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    yield invalid(
      `${path}.items.x-kubernetes-map-type`,
      null,
      'must be atomic as item of a list with x-kubernetes-list-type=set',
    );
  }
}

function* listErrors(schema: Structural, path: string): Generator<FieldError> {
  const kind = schema['x-kubernetes-list-type'];
  if (kind === undefined) {
    if ((schema['x-kubernetes-list-map-keys'] ?? []).length > 0) {
      yield required(`${path}.x-kubernetes-list-type`, 'must be map if x-kubernetes-list-map-keys is non-empty');
    }
    return;
  }
  yield* mustFit('x-kubernetes-list-type', schema, path);
  if (!['atomic', 'set', 'map'].includes(kind)) {
    yield notSupported(`${path}.x-kubernetes-list-type`, kind, ['atomic', 'set', 'map']);
  }
  yield* itemErrors(kind, schema, path);
  if (kind === 'map') yield* keyErrors(schema, path);
}

function* mapErrors(schema: Structural, path: string): Generator<FieldError> {
  const kind = schema['x-kubernetes-map-type'];
  if (kind === undefined) return;
  yield* mustFit('x-kubernetes-map-type', schema, path);
  if (!['atomic', 'granular'].includes(kind)) {
    yield notSupported(`${path}.x-kubernetes-map-type`, kind, ['atomic', 'granular']);
  }
}

const hasLineBreaks = (text: string): boolean => /[\r\n]/.test(text);

function* messageErrors({ rule, message = '' }: ValidationRule, path: string): Generator<FieldError> {
  const text = message.trim();
  if (message !== '' && text === '') yield invalid(path, message, 'must be non-empty if specified');
  else if (hasLineBreaks(text)) yield invalid(path, message, 'must not contain line breaks');
  else if (hasLineBreaks(rule.trim()) && text === '')
    yield required(path, 'message must be specified if rule contains line breaks');
}

function* ruleErrors(rule: ValidationRule, path: string): Generator<FieldError> {
  const { messageExpression, reason } = rule;
  if ((rule.rule ?? '').trim() === '') yield required(`${path}.rule`, 'rule is not specified');
  else yield* messageErrors(rule, `${path}.message`);
  if (messageExpression && messageExpression.trim() === '') {
    yield required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified');
  }
  if (reason !== undefined && !reasons.includes(reason)) yield notSupported(`${path}.reason`, reason, reasons);
}

function* defaultErrors(schema: Structural, path: string, inMetadata: boolean): Generator<FieldError> {
  if (schema.default === undefined) return;
  const at = `${path}.default`;
  const { value } = prune({ properties: { default: schema } }, { default: schema.default });
  if (!inMetadata && !equal(value, { default: schema.default }))
    yield invalid(at, schema.default, 'must not have unknown fields');
  else yield* validateAt(schema, schema.default, { path: '', prefix: at }).errors;
}

const describesItself = (schema: Structural, property: string): boolean =>
  schema['x-kubernetes-embedded-resource'] === true && ['apiVersion', 'kind', 'metadata'].includes(property);

function* validationErrors(schema: Structural, path: string): Generator<FieldError> {
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    yield* ruleErrors(rule, at);
    if (rule.fieldPath && rule.fieldPath.trim() === '')
      yield invalid(`${at}.fieldPath`, rule.fieldPath, 'must be non-empty if specified');
    if (/[\r\n]/.test(rule.fieldPath ?? ''))
      yield invalid(`${at}.fieldPath`, rule.fieldPath, 'must not contain line breaks');
    if (rule.fieldPath && fieldPathIn(schema, rule.fieldPath) === undefined) {
      yield invalid(`${at}.fieldPath`, rule.fieldPath, 'must be a valid path');
    }
  }
}

/** Validates the keywords of a structural schema at every depth; `within` is true in the own fields of an embedded resource: apiVersion, kind, metadata. */
export function* schemaErrors(schema: Structural, path: string, within = false): Generator<FieldError> {
  const inMetadata = within && schema['x-kubernetes-embedded-resource'] !== true;
  yield* wordErrors(schema, path);
  yield* listErrors(schema, path);
  yield* mapErrors(schema, path);
  yield* defaultErrors(schema, path, inMetadata);
  yield* validationErrors(schema, path);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* schemaErrors(property, `${path}.properties[${name}]`, inMetadata || describesItself(schema, name));
  }
  const additional = additionalOf(schema);
  if (additional !== undefined) yield* schemaErrors(additional, `${path}.additionalProperties`);
  if (schema.items !== undefined) yield* schemaErrors(schema.items, `${path}.items`, inMetadata);
}
