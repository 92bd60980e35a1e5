/** Validates files that volumes project. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import {
  all,
  each,
  fields,
  inRange,
  members,
  type Rule,
  requiredValue,
} from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, forbidden, invalid, listOf, required } from '../../../../apimachinery/validation/errors.ts';
import { filePath } from './path-rules.ts';
import { fieldReference, resourceReference } from './reference-rules.ts';

const mode = inRange(0, 0o777, 'must be a number between 0 and 0777 (octal), both inclusive');

/** Rule of a key that is projected to a file. */
const keyFile: Rule = all(fields({ key: requiredValue(), path: all(requiredValue(), filePath) }), members({ mode }));

/** Returns the rule of a ConfigMap or Secret volume; `name` is the field with its name. */
export const filesOf = (name: string): Rule =>
  all(fields({ [name]: requiredValue() }), members({ defaultMode: mode, items: each(keyFile) }));

const podField = fieldReference(
  ...['annotations', 'labels', 'name', 'namespace', 'uid'].map((name) => `metadata.${name}`),
);
const containerResource = resourceReference(true);

/** Rule of a downward API file; the server reports its errors at the volume. */
const podFile: Rule = function* (value, path) {
  const file = fieldsOf(value);
  yield* fields({ path: all(requiredValue(), filePath) })(file, path);
  if (file.fieldRef !== undefined) {
    yield* podField(file.fieldRef, `${path}.fieldRef`);
    if (file.resourceFieldRef !== undefined) {
      yield invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (file.resourceFieldRef !== undefined) {
    yield* containerResource(file.resourceFieldRef, `${path}.resourceFieldRef`);
  } else yield required(path, 'one of fieldRef and resourceFieldRef is required');
  yield* members({ mode })(file, path);
};

/** Rule of downward API volumes. */
export const filesOfPod: Rule = function* (value, path) {
  yield* members({ defaultMode: mode })(value, path);
  for (const file of listOf(fieldsOf(value).items)) yield* podFile(file, path);
};

const minSeconds = 600;

/** Validates a projected service account token. */
function* tokenErrors(token: Fields, source: string, path: string): Generator<FieldError> {
  const seconds = Number(token.expirationSeconds ?? 0);
  const field = `${source}.expirationSeconds`;
  if (seconds < minSeconds) yield invalid(field, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32) yield invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds');
  yield* all(requiredValue(), filePath)(token.path, `${path}.path`);
}

const ownFiles: Readonly<Record<string, Rule>> = { secret: filesOf('name'), configMap: filesOf('name') };

/** Validates that no earlier file has the path of this one, and takes it. */
type FileCheck = (file: Fields, shown: unknown) => Generator<FieldError>;

/** Validates the files of one source of a projected volume. */
function* sourceErrors(source: Fields, at: string, take: FileCheck): Generator<FieldError> {
  for (const [kind, rule] of Object.entries(ownFiles)) {
    const files = fieldsOf(source[kind]);
    if (source[kind] !== undefined) yield* rule(files, `${at}.${kind}`);
    for (const file of listOf(files.items)) yield* take(file, files.name ?? '');
  }
  for (const file of listOf(fieldsOf(source.downwardAPI).items)) {
    yield* podFile(file, `${at}.downwardAPI`);
    yield* take(file, file.path);
  }
}

/** Rule of projected volumes; each file must have one source. */
export const projectedFiles: Rule = function* (value, path) {
  yield* members({ defaultMode: mode })(value, path);
  const taken = new Set<unknown>();
  const take: FileCheck = function* (file, shown) {
    if (file.path && taken.has(file.path)) yield invalid(path, shown, 'conflicting duplicate paths');
    taken.add(file.path);
  };
  for (const [index, source] of listOf(fieldsOf(value).sources).entries()) {
    const at = `${path}.sources[${index}]`;
    yield* sourceErrors(source, at, take);
    const { serviceAccountToken } = source;
    if (serviceAccountToken !== undefined) {
      yield* tokenErrors(fieldsOf(serviceAccountToken), `${at}.serviceAccountToken`, path);
    }
    if (Object.keys(source).length > 1) yield forbidden(at, 'may not specify more than 1 volume type per source');
  }
};
