/** Finds texts in texts in linear time; JavaScript's own search compares long ones anew at every place. */

import { readText } from './uncosted-work.ts';

/** Length up to which JavaScript's search is used. */
const shortPart = 64;

/** Character codes of a text from its start or its end. */
type Codes = (index: number) => number;

/** Knuth-Morris-Pratt: returns the place of the first match, -1 without. */
function firstMatch(text: Codes, length: number, [part, size]: readonly [Codes, number]): number {
  const borders = new Int32Array(size);
  for (let [at, border] = [1, 0]; at < size; at += 1) {
    while (border > 0 && part(at) !== part(border)) border = borders[border - 1]!;
    if (part(at) === part(border)) border += 1;
    borders[at] = border;
  }
  for (let [at, matched] = [0, 0]; at < length; at += 1) {
    while (matched > 0 && text(at) !== part(matched)) matched = borders[matched - 1]!;
    if (text(at) === part(matched)) matched += 1;
    if (matched === size) return at - size + 1;
  }
  return -1;
}

function offsetAfter(text: string, part: string, from: number): number {
  if (part.length <= shortPart || text.length - from < part.length) return text.indexOf(part, from);
  const codes = [(index: number) => part.charCodeAt(index), part.length] as const;
  const at = firstMatch((index) => text.charCodeAt(from + index), text.length - from, codes);
  return at === -1 ? -1 : from + at;
}

/** Returns the place of the first match at or after a place, -1 without. */
export function offsetIn(text: string, part: string, from = 0): number {
  readText(text.length - from);
  return offsetAfter(text, part, from);
}

/** Returns the place of the last match at or before a place, -1 without. */
export function lastOffsetIn(text: string, part: string, from: number): number {
  const end = Math.min(text.length, from + part.length);
  readText(end);
  if (part.length <= shortPart) return text.lastIndexOf(part, from);
  const codes = [(index: number) => part.charCodeAt(part.length - 1 - index), part.length] as const;
  const at = firstMatch((index) => text.charCodeAt(end - 1 - index), end, codes);
  return at === -1 ? -1 : end - at - part.length;
}

/** Splits a text at a separator, as `String.split`. */
export function partsOf(text: string, separator: string): readonly string[] {
  readText(text.length);
  if (separator === '') return [...text];
  if (separator.length <= shortPart) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  for (let at = offsetAfter(text, separator, 0); at !== -1; at = offsetAfter(text, separator, start)) {
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  return [...parts, text.slice(start)];
}
