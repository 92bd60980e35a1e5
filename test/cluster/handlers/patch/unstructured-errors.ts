/** Errors about the results of strategic patches, which Go converts from unstructured values, without JSON. */

import { isFields } from '../../apimachinery/object.ts';

/** Formats a value as Go's `%v` does. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isFields(value)) return value === null ? '<nil>' : String(value);
  const names = Object.keys(value).sort();
  return `map[${names.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
}

/** Go's names of types, for values that are not JSON. */
const goKinds: Readonly<Record<string, string>> = { array: 'slice', object: 'map' };

/** Returns the Go type of a value that JSON errors describe: `number`, `number 1.5`, `string`. */
function goKindOf(found: string): string {
  if (!found.startsWith('number')) return goKinds[found] ?? found;
  const [, literal = '0'] = found.split(' ');
  return Number.isInteger(Number(literal)) ? 'int64' : 'float64';
}

/** Reports whether Go converts values of one type to another at all. */
function isConvertible(kind: string, type: string): boolean {
  const isNumber = (one: string): boolean => /^(?:int|float)\d+$/.test(one);
  return isNumber(kind) && (isNumber(type) || (type === 'string' && kind === 'int64'));
}

/** Rewrites a JSON decoding error as that of a strategic patch, which Go decodes without JSON. */
export function withoutJson(why: string): string {
  const [, found = '', type = ''] =
    /^json: cannot unmarshal (\w+(?: [-\d][-+.\deE]*)?) .* of type (\S+)$/.exec(why) ?? [];
  if (type === '') return why;
  const kind = goKindOf(found);
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`;
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`;
  if (type.includes('.')) return `cannot restore struct from: ${kind}`;
  return isConvertible(kind, type) ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`;
}
