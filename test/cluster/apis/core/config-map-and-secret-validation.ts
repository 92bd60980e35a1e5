/** Validates ConfigMaps and Secrets. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { goObject, unmarshalError } from '../../apimachinery/go/go-json.ts';
import { syntaxFaultOf } from '../../apimachinery/go/go-json-syntax.ts';
import { equal, type Fields, isFields, ownMember } from '../../apimachinery/object.ts';
import { type Check, fieldsOf, forbidden, invalid, required } from '../../apimachinery/validation/errors.ts';

const keyPattern = /^[-._a-zA-Z0-9]+$/;
const maxBytes = 1024 * 1024;

/** Validates a key of a ConfigMap or Secret. */
export function configKeyProblems(key: string): readonly string[] {
  const long = key.length > 253 ? ['must be no more than 253 characters'] : [];
  if (key === '.') return [...long, "must not be '.'"];
  if (key === '..') return [...long, "must not be '..'"];
  if (key.startsWith('..')) return [...long, "must not start with '..'"];
  if (keyPattern.test(key)) return long;
  return [
    ...long,
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ];
}

function* keyErrors(data: Fields, field: string): Generator<FieldError> {
  for (const key of Object.keys(data)) {
    for (const detail of configKeyProblems(key)) yield invalid(`${field}[${key}]`, key, detail);
  }
}

const bytesOf = (data: Fields, encoding: 'utf8' | 'base64'): number =>
  Object.values(data).reduce<number>((sum, text) => sum + Buffer.byteLength(String(text), encoding), 0);

const tooLong = (field: string): FieldError => ({
  type: 'TooLong',
  field,
  detail: `may not be more than ${maxBytes} bytes`,
});

function* immutableErrors(object: Fields, old: Fields | undefined, fields: readonly string[]): Generator<FieldError> {
  if (old?.immutable !== true) return;
  const detail = 'field is immutable when `immutable` is set';
  if (object.immutable !== true) yield forbidden('immutable', detail);
  for (const field of fields) {
    if (!equal(fieldsOf(object[field]), fieldsOf(old[field]))) yield forbidden(field, detail);
  }
}

/** Validates a ConfigMap. */
export const configMap: Check = function* (object, old) {
  const data = fieldsOf(object.data);
  const binary = fieldsOf(object.binaryData);
  yield* keyErrors(data, 'data');
  for (const key of Object.keys(data)) {
    if (Object.hasOwn(binary, key)) yield invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
  }
  yield* keyErrors(binary, 'binaryData');
  if (bytesOf(data, 'utf8') + bytesOf(binary, 'base64') > maxBytes) yield tooLong('[]');
  yield* immutableErrors(object, old, ['data', 'binaryData']);
};

const keysByType: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

/** Returns Go's error for a text that is not a JSON object. */
function objectProblem(text: string): string | undefined {
  const fault = syntaxFaultOf(text);
  if (fault !== undefined) return fault;
  const value: unknown = JSON.parse(text);
  return isFields(value) || value === null ? undefined : unmarshalError(value, goObject);
}

/** Keys with JSON values, by type of Secret. */
const jsonKeys: Readonly<Record<string, string>> = {
  'kubernetes.io/dockercfg': '.dockercfg',
  'kubernetes.io/dockerconfigjson': '.dockerconfigjson',
};

function* jsonErrors(type: unknown, data: Fields): Generator<FieldError> {
  const key = ownMember(jsonKeys, type);
  if (key === undefined || !Object.hasOwn(data, key)) return;
  const problem = objectProblem(Buffer.from(String(data[key]), 'base64').toString());
  if (problem !== undefined) yield invalid(`data[${key}]`, '<secret contents redacted>', problem);
}

function* typeErrors(object: Fields, data: Fields): Generator<FieldError> {
  for (const key of ownMember(keysByType, object.type) ?? []) {
    if (!Object.hasOwn(data, key)) yield required(`data[${key}]`);
  }
  yield* jsonErrors(object.type, data);
  if (object.type === 'kubernetes.io/basic-auth' && data.username === undefined && data.password === undefined) {
    yield required('data[username]');
    yield required('data[password]');
  }
  if (object.type === 'kubernetes.io/service-account-token') {
    const annotations = fieldsOf(fieldsOf(object.metadata).annotations);
    if (!annotations['kubernetes.io/service-account.name']) {
      yield required('metadata.annotations[kubernetes.io/service-account.name]');
    }
  }
}

/** Validates a Secret. */
export const secret: Check = function* (object, old) {
  const data = fieldsOf(object.data);
  yield* keyErrors(data, 'data');
  if (bytesOf(data, 'base64') > maxBytes) yield tooLong('data');
  yield* typeErrors(object, data);
  if (old !== undefined && object.type !== old.type) yield invalid('type', object.type, 'field is immutable');
  yield* immutableErrors(object, old, ['data']);
};
