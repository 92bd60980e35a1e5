/** Finds repeated members and odd numbers in JSON texts, which `JSON.parse` passes over. */

import { isFields } from '../apimachinery/object.ts';

const quote = '"';
const backslash = 92;
const colon = 58;

/** Returns the index of the quote that ends the string starting at `index`. */
function endOfString(text: string, index: number): number {
  for (let end = text.indexOf(quote, index + 1); ; end = text.indexOf(quote, end + 1)) {
    if (end === -1) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** Counts the members written in a JSON text, including duplicates. */
function writtenMembers(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; ) {
    const start = text.indexOf(quote, index);
    const stop = start === -1 ? text.length : start;
    for (; index < stop; index += 1) if (text.charCodeAt(index) === colon) count += 1;
    index = start === -1 ? stop : endOfString(text, start) + 1;
  }
  return count;
}

function parsedMembers(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + parsedMembers(item), 0);
  if (!isFields(value)) return 0;
  let count = 0;
  for (const name in value) count += 1 + parsedMembers(value[name]);
  return count;
}

/** Number in a JSON text that may be too large for a double. */
export const largeNumber = /\d[eE]\+?\d{3}|\d{300}/;

/** Member of an object as it is written. */
export interface ScannedMember {
  /** Path: `spec.replicas`, `spec.ports[0].port`. */
  readonly path: string;
  /** True when its object has had a member of this name before. */
  readonly isRepeated: boolean;
}

/** List or object that is being read; an object without `name` awaits a name. */
interface Container {
  readonly path: string;
  readonly names?: Set<string>;
  name?: string | undefined;
  index: number;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Walks a valid JSON text, without recursion. */
class Walk {
  readonly members: ScannedMember[] = [];
  readonly numbers = new Map<string, string>();
  readonly #open: Container[] = [];

  constructor(text: string) {
    for (const [one] of text.matchAll(token)) this.#readToken(one);
  }

  #readToken(one: string): void {
    const container = this.#open.at(-1);
    if (one === '}' || one === ']') this.#open.pop();
    else if (one === ',' || one === ':') return;
    else if (container?.names !== undefined && container.name === undefined)
      this.#readName(container, container.names, one);
    else this.#value(this.#nextPath(container), one);
  }

  #readName(container: Container, names: Set<string>, quoted: string): void {
    const name = JSON.parse(quoted) as string;
    this.members.push({ path: below(container.path, name), isRepeated: names.has(name) });
    names.add(name);
    container.name = name;
  }

  /** Returns the path of the next value. */
  #nextPath(container: Container | undefined): string {
    if (container === undefined) return '';
    if (container.names === undefined) return `${container.path}[${container.index++}]`;
    const path = below(container.path, container.name!);
    container.name = undefined;
    return path;
  }

  #value(path: string, one: string): void {
    if (one === '{') this.#open.push({ path, names: new Set(), index: 0 });
    else if (one === '[') this.#open.push({ path, index: 0 });
    else if (oddNumber.test(one)) this.numbers.set(path, one);
    else this.numbers.delete(path);
  }
}

const oddNumber = /^-?(?:\d{16}|\d+[.eE])/;

/** Number with a fraction, an exponent, or more digits than a double keeps; in a text it may also match parts of strings. */
const mayBeOdd = /(?:"\s*:|[[,])\s*-?(?:\d{16}|\d+[.eE])/;

/** Members and numbers of a JSON text that its value does not show. */
export interface ScannedJson {
  /** Members in the order of the text; none unless some are repeated. */
  readonly members: readonly ScannedMember[];
  /** Numbers by path that have a fraction, an exponent, or more digits than a double keeps. */
  readonly numbers: ReadonlyMap<string, string>;
}

/** Nothing beside the value. */
export const emptyScan: ScannedJson = { members: [], numbers: new Map() };

/** Reads a valid JSON text; `value` is the parsed text. */
export function scanJson(text: string, value: unknown): ScannedJson {
  const repeats = writtenMembers(text) !== parsedMembers(value);
  if (!repeats && !mayBeOdd.test(text)) return emptyScan;
  const { members, numbers } = new Walk(text);
  return { members: repeats ? members : [], numbers };
}

/** Reports whether some member of a JSON text is repeated; `value` is the parsed text. */
export const repeatsMembers = (text: string, value: unknown): boolean => writtenMembers(text) !== parsedMembers(value);
