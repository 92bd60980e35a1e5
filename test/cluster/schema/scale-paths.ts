/** Paths of the scale subresource in custom resources. */

import type { Part } from '../apimachinery/accepted-write.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import { type Fields, isFields, valueAt } from '../apimachinery/object.ts';
import type { ScalePaths } from '../apimachinery/resource-info.ts';

const maxReplicas = 2 ** 31 - 1;

/** Returns the member names of a path such as `.spec.replicas`. */
export const scalePathOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

const goTypes: Readonly<Record<string, string>> = { number: 'float64', string: 'string', boolean: 'bool' };

const goList = (list: readonly unknown[]): string => `[${list.map(String).join(' ')}]`;

const goTypeOf = (value: unknown): string =>
  goTypes[typeof value] ?? (Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}');

/** Reports a value on the path that is not an object. */
function* pathErrors(object: Fields, path: string, zero: 0 | ''): Generator<FieldError> {
  let at: unknown = object;
  const names = scalePathOf(path);
  for (const name of names.slice(0, -1)) {
    at = isFields(at) ? at[name] : undefined;
    if (at === undefined || at === null || isFields(at)) continue;
    const found = Array.isArray(at) ? goList(at) : String(at);
    const detail = `${path} accessor error: ${found} is of the type ${goTypeOf(at)}, expected map[string]interface{}`;
    yield { type: 'Invalid', field: path, value: zero, detail };
    return;
  }
}

function* countErrors(object: Fields, path: string): Generator<FieldError> {
  yield* pathErrors(object, path, 0);
  const value = valueAt(object, scalePathOf(path));
  if (value === undefined || value === null) return;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    const detail = `${path} accessor error: ${value} is of the type ${goTypeOf(value)}, expected int64`;
    yield { type: 'Invalid', field: path, value: 0, detail };
    return;
  }
  if (value < 0) yield { type: 'Invalid', field: path, value, detail: 'should be a non-negative integer' };
  if (value > maxReplicas) {
    yield { type: 'Invalid', field: path, value, detail: `should be less than or equal to ${maxReplicas}` };
  }
}

function* selectorErrors(object: Fields, path: string): Generator<FieldError> {
  yield* pathErrors(object, path, '');
  const value = valueAt(object, scalePathOf(path));
  if (value === undefined || value === null || typeof value === 'string') return;
  const type = Number.isInteger(value) ? 'int64' : goTypeOf(value);
  const detail = `${path} accessor error: ${Array.isArray(value) ? goList(value) : value} is of the type ${type}, expected string`;
  yield { type: 'Invalid', field: path, value: '', detail };
}

/** Validates the replica counts and selector of `/scale`. */
export function* scaleErrors(scale: ScalePaths, object: Fields, part: Part): Generator<FieldError> {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  if (part === 'object') yield* countErrors(object, specReplicasPath);
  yield* countErrors(object, statusReplicasPath);
  if (labelSelectorPath !== undefined) yield* selectorErrors(object, labelSelectorPath);
}
