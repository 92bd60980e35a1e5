/** Validates objects against merge types, as structured-merge-diff's typed values are. */

import { isFields } from '../apimachinery/object.ts';
import {
  itemElement,
  kindOf,
  type ListType,
  type MapType,
  type MergeType,
  memberTypeOf,
  type ScalarKind,
  TypedError,
} from './merge-type.ts';
import { elementText, fieldElement } from './path-element.ts';

/** Formats a value as Go's `%v`. */
function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isFields(value)) return value === null ? '<nil>' : String(value);
  const names = Object.keys(value).sort();
  return `map[${names.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
}

/** Formats a value as Go's `%#v`. */
function goSource(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSource).join(', ')}}`;
  if (!isFields(value)) return value === null ? 'interface {}(nil)' : JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `map[string]interface {}{${names.map((name) => `${JSON.stringify(name)}:${goSource(value[name])}`).join(', ')}}`;
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'map[string]interface {}';
}

const fits: Readonly<Record<ScalarKind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  numeric: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  untyped: (value) => typeof value !== 'object',
};

const complaints: Readonly<Record<ScalarKind, (value: unknown) => string>> = {
  string: (value) => `expected string, got &value.valueUnstructured{Value:${goSource(value)}}`,
  numeric: (value) => `expected numeric (int or float), got ${goType(value)}`,
  boolean: (value) => `expected boolean, got &{${goText(value)}}`,
  untyped: (value) => `expected any scalar, got &{${goText(value)}}`,
};

/** Mismatch between a value and its type. */
interface Problem {
  readonly text: string;
  /** True for a duplicate item of a set or map. */
  readonly isRepetition: boolean;
}

const at = (path: string, message: string, isRepetition = false): Problem => ({
  text: path === '' ? message : `${path}: ${message}`,
  isRepetition,
});

function elementOf(list: ListType, item: unknown): string | TypedError {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof TypedError) return error;
    throw error;
  }
}

function* itemProblems(list: ListType, items: readonly unknown[], path: string): Generator<Problem> {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    let position = `[${index}]`;
    if (list.relation !== 'atomic') {
      const element = elementOf(list, item);
      if (element instanceof TypedError) {
        yield at(path, `element ${index}: ${element.message}`);
        return;
      }
      position = elementText(element);
      if (seen.has(element)) yield at(path, `duplicate entries for key ${position}`, true);
      seen.add(element);
    }
    yield* problems(list.of(), item, path + position);
  }
}

function* memberProblems(map: MapType, value: Readonly<Record<string, unknown>>, path: string): Generator<Problem> {
  for (const [name, member] of Object.entries(value)) {
    const type = memberTypeOf(map, name);
    const position = path + elementText(fieldElement(name));
    if (type === undefined) {
      yield at(position, 'field not declared in schema');
      return;
    }
    yield* problems(type, member, position);
  }
}

function* problems(type: MergeType, value: unknown, path: string): Generator<Problem> {
  const kind = kindOf(type, value);
  if (value === null || kind === undefined) return;
  if (kind === 'scalar') {
    if (!fits[type.scalar!](value)) yield at(path, complaints[type.scalar!](value));
  } else if (kind === 'list') {
    if (Array.isArray(value)) yield* itemProblems(type.list!, value, path);
    else yield at(path, `expected list, got &{${goText(value)}}`);
  } else if (isFields(value)) yield* memberProblems(type.map!, value, path);
  else yield at(path, `expected map, got &{${goText(value)}}`);
}

/** Throws a {@link TypedError} in the server's words when an object does not match its type, or a set or map has duplicate items. */
export function checkFits(type: MergeType, value: Readonly<Record<string, unknown>>): void {
  const found = [...problems(type, value, '')].map(({ text }) => text);
  if (found.length === 0) return;
  throw new TypedError(found.length === 1 ? found[0] : ['errors:', ...found.map((text) => `  ${text}`)].join('\n'));
}

/** Reports whether an object matches its type, apart from duplicate items. */
export function fitsButRepetitions(type: MergeType, value: Readonly<Record<string, unknown>>): boolean {
  for (const { isRepetition } of problems(type, value, '')) if (!isRepetition) return false;
  return true;
}
