import type { FieldError } from '../field-error.ts';
import type { Part } from '../kind-rules.ts';
import type { ScalePaths } from '../kinds/resource-info.ts';
import { type Fields, valueAt } from '../objects/object.ts';

const mostReplicas = 2 ** 31 - 1;

/** The member names of a path such as `.spec.replicas`. */
export const scalePathOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

const goTypes: Readonly<Record<string, string>> = { number: 'float64', string: 'string', boolean: 'bool' };

const goTypeOf = (value: unknown): string =>
  goTypes[typeof value] ?? (Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}');

function* countErrors(object: Fields, path: string): Generator<FieldError> {
  const value = valueAt(object, scalePathOf(path));
  if (value === undefined || value === null) return;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    const detail = `${path} accessor error: ${value} is of the type ${goTypeOf(value)}, expected int64`;
    yield { type: 'Invalid', field: path, value: 0, detail };
    return;
  }
  if (value < 0) yield { type: 'Invalid', field: path, value, detail: 'should be a non-negative integer' };
  if (value > mostReplicas) {
    yield { type: 'Invalid', field: path, value, detail: `should be less than or equal to ${mostReplicas}` };
  }
}

/** What is wrong with the counts that `/scale` shows. */
export function* scaleErrors({ specReplicasPath, statusReplicasPath }: ScalePaths, object: Fields, part: Part) {
  if (part === 'object') yield* countErrors(object, specReplicasPath);
  yield* countErrors(object, statusReplicasPath);
}
