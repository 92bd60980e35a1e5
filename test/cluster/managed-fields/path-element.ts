/** Path elements of FieldsV1: fields, list keys, list values and indices. */

import { type FieldSet, leaf } from './field-set.ts';

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Encodes JSON as Go does; the replacer is that of JSON.stringify. */
export const goJson = (value: unknown, replacer?: (name: string, value: unknown) => unknown): string =>
  JSON.stringify(value, replacer).replaceAll(/[<>&\u2028\u2029]/g, (char) => escapes[char]!);

/** Returns the element of a field. */
export const fieldElement = (name: string): string => `f:${name}`;

/** Returns the element of an item with these keys. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): string {
  const sorted = [...keys].sort(([a], [b]) => compareTexts(a, b));
  return `k:{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`).join(',')}}`;
}

/** Returns the element of an item with this value. */
export const valueElement = (value: unknown): string => `v:${goJson(value)}`;

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareTexts(typeof a === 'string' ? a : goJson(a), typeof b === 'string' ? b : goJson(b));
}

function compareKeys(a: string, b: string): number {
  const left = Object.entries(JSON.parse(a) as object);
  const right = Object.entries(JSON.parse(b) as object);
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareTexts(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const ranks = '.fkvi';

/** Compares elements: fields first, then keys, values and indices, each in its own order. */
function compareElements(a: string, b: string): number {
  if (a === b) return 0;
  const kind = a[0]!;
  if (kind !== b[0]) return ranks.indexOf(kind) - ranks.indexOf(b[0]!);
  if (kind === 'k') return compareKeys(a.slice(2), b.slice(2));
  if (kind === 'f') return compareTexts(a, b);
  return compareValues(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

/** Sorts the elements of a set into wire order. */
export function inOrder(set: FieldSet): FieldSet {
  const elements = Object.keys(set);
  if (elements.length === 0) return leaf;
  if (elements.length > 1) elements.sort(compareElements);
  const ordered: Record<string, FieldSet> = {};
  for (const element of elements) ordered[element] = inOrder(set[element]!);
  return ordered;
}

const isKnown = /^(?:f:|i:-?\d+$|[kv]:)/s;

/** Returns the canonical form of an element, undefined for an unknown kind. Throws a SyntaxError for malformed ones. */
function canonicalElement(element: string): string | undefined {
  if (element[1] !== ':') throw new SyntaxError(`a field set has no elements such as ${element}`);
  if (!isKnown.test(element)) return undefined;
  if (element[0] === 'v') return valueElement(JSON.parse(element.slice(2)));
  if (element[0] !== 'k') return element;
  return keyElement(Object.entries(JSON.parse(element.slice(2)) as object));
}

/** Parses a field set from a client. Throws a SyntaxError for a malformed one. */
export function fieldSetFrom(value: unknown): FieldSet {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyntaxError('a field set is an object');
  }
  const set: Record<string, FieldSet> = {};
  for (const [element, below] of Object.entries(value)) {
    if (element === '.') set[element] = leaf;
    else {
      const known = canonicalElement(element);
      if (known !== undefined) set[known] = fieldSetFrom(below);
    }
  }
  return Object.keys(set).length === 0 ? leaf : set;
}

const scalarText = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

/** Formats an element for messages: `.spec`, `[name="a"]`, `[="x"]`, `[0]`. */
export function elementText(element: string): string {
  const rest = element.slice(2);
  if (element[0] === 'f') return `.${rest}`;
  if (element[0] === 'i') return `[${rest}]`;
  const value: unknown = JSON.parse(rest);
  if (element[0] === 'v') return `[=${scalarText(value)}]`;
  const pairs = Object.entries(value as object).map(([name, one]) => `${name}=${scalarText(one)}`);
  return `[${pairs.join(',')}]`;
}

/** Formats a path for messages. */
export const pathText = (path: readonly string[]): string => path.map(elementText).join('');
