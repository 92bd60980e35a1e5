/** CEL functions of texts. */

import { goRegExp, regExpFault } from '../../apimachinery/go/go-regexp.ts';
import { trimSpace } from '../../apimachinery/go/trim-space.ts';
import { charactersBetween, charactersOf } from '../values/characters.ts';
import { noOverload } from '../values/compare.ts';
import { formatValues } from '../values/format-texts.ts';
import { lastOffsetIn, offsetIn, partsOf } from '../values/string-search.ts';
import { madeText } from '../values/uncosted-work.ts';
import { CelError, List, shownValue, type Value } from '../values/values.ts';
import type { Implementation } from './operators.ts';

const outOfRange = (index: bigint): CelError => new CelError(`index out of range: ${index}`);

/** Returns a function of texts and integers; other arguments have no overload. */
const ofText =
  (run: (text: string, ...args: (string & bigint)[]) => Value): Implementation =>
  (text, ...args) =>
    typeof text === 'string' && args.every((arg) => typeof arg === 'string' || typeof arg === 'bigint')
      ? run(text, ...(args as (string & bigint)[]))
      : noOverload;

function charAt(text: string, index: bigint): Value {
  const { length } = charactersOf(text);
  if (index < 0n || index > length) return outOfRange(index);
  return charactersBetween(text, Number(index), Math.min(Number(index) + 1, length));
}

/** Returns the position of a text in another, in characters, from an offset on, forwards or backwards. */
function position(text: string, part: string, [offset, step]: readonly [bigint, 1 | -1]): Value {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const { length, offsetOf, indexAt } = charactersOf(text);
  if (offset >= length) return -1n;
  const from = offsetOf(Number(offset));
  const at = step === 1 ? offsetIn(text, part, from) : lastOffsetIn(text, part, from);
  return at === -1 ? -1n : BigInt(indexAt(at));
}

function lastPosition(text: string, part: string, offset?: bigint): Value {
  const length = BigInt(charactersOf(text).length);
  if (offset !== undefined) return position(text, part, [offset, -1]);
  if (part === '') return length;
  return text.length < part.length ? -1n : position(text, part, [length - 1n, -1]);
}

function substring(text: string, start: bigint, end?: bigint): Value {
  const length = BigInt(charactersOf(text).length);
  if (end !== undefined && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > length) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) return outOfRange(end);
  return charactersBetween(text, Number(start), Number(end ?? length));
}

function replace(text: string, ...[from, to, count = -1n]: [string, string, bigint?]): Value {
  const parts = from === '' ? ['', ...text, ''] : partsOf(text, from);
  const replacements = count < 0n ? parts.length - 1 : Math.min(Number(count), parts.length - 1);
  madeText(replacements * to.length);
  return [parts.slice(0, replacements + 1).join(to), ...parts.slice(replacements + 1)].join(from);
}

function split(text: string, separator: string, count = -1n): Value {
  if (count === 0n) return new List([]);
  const parts = partsOf(text, separator);
  const kept = count < 0n ? parts.length : Math.min(Number(count), parts.length);
  return new List(kept === parts.length ? parts : [...parts.slice(0, kept - 1), parts.slice(kept - 1).join(separator)]);
}

const join: Implementation = (list, separator = '') => {
  if (!(list instanceof List)) return noOverload;
  const wrong = list.items.find((item) => typeof item !== 'string');
  return wrong === undefined
    ? list.items.join(String(separator))
    : new CelError(`join: invalid input: ${shownValue(wrong)}`);
};

function matches(text: string, pattern: string): Value {
  return goRegExp(pattern)?.test(text) ?? new CelError(regExpFault(pattern)!);
}

function findAll(text: string, pattern: string, count = -1n): Value {
  const found = goRegExp(pattern)?.findAll(text, count < 0n ? Infinity : Number(count));
  return found === undefined ? new CelError(`Illegal regex: ${regExpFault(pattern)}`) : new List(found);
}

function find(text: string, pattern: string): Value {
  const all = findAll(text, pattern, 1n);
  return all instanceof List ? (all.items[0] ?? '') : all;
}

const inAscii =
  (change: (text: string) => string) =>
  (text: string): Value =>
    text.replaceAll(/[A-Za-z]+/g, change);

const escaped: Readonly<Record<string, string>> = {
  '\x07': String.raw`\a`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
  '\\': String.raw`\\`,
  '"': String.raw`\"`,
};

/** Functions of texts. */
export const textFunctions: Readonly<Record<string, Implementation>> = {
  contains: ofText((text, part) => offsetIn(text, part) !== -1),
  startsWith: ofText((text, part) => text.startsWith(part)),
  endsWith: ofText((text, part) => text.endsWith(part)),
  matches: ofText(matches),
  charAt: ofText(charAt),
  lowerAscii: ofText(inAscii((text) => text.toLowerCase())),
  upperAscii: ofText(inAscii((text) => text.toUpperCase())),
  replace: ofText(replace),
  split: ofText(split),
  substring: ofText(substring),
  trim: ofText(trimSpace),
  join,
  format: (text, list) =>
    typeof text === 'string' && list instanceof List ? formatValues(text, list.items) : noOverload,
  'strings.quote': ofText((text) => `"${[...text].map((one) => escaped[one] ?? one).join('')}"`),
  find: ofText(find),
  findAll: ofText(findAll),
};

/** `indexOf` and `lastIndexOf` of texts. */
export const textPositions: Readonly<Record<string, Implementation>> = {
  indexOf: ofText((text, part, offset) => position(text, part, [offset ?? 0n, 1])),
  lastIndexOf: ofText(lastPosition),
};
