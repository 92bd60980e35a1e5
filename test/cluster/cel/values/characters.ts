/** Characters of texts, which CEL counts by code points, and their places in UTF-16. */

import { readText } from './uncosted-work.ts';

/** Places of a text's characters. */
interface Characters {
  readonly length: number;
  /** Returns the place in UTF-16 of a character, or of the end. */
  offsetOf(index: number): number;
  /** Returns the number of characters before a place. */
  indexAt(offset: number): number;
}

function withPairs(text: string): Characters {
  const offsets = new Uint32Array(text.length + 1);
  let length = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) {
    offsets[length] = at;
    length += 1;
  }
  offsets[length] = text.length;
  const indexAt = (offset: number): number => {
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { length, offsetOf: (index) => offsets[index]!, indexAt };
}

const same = (place: number): number => place;
const surrogate = /[\ud800-\udfff]/;

function counted(text: string): Characters {
  readText(text.length);
  return surrogate.test(text) ? withPairs(text) : { length: text.length, offsetOf: same, indexAt: same };
}

/** Length from which characters are kept, and of how many texts. */
const longText = 256;
const maxKept = 4;

/** Wraps a function of long texts with its last results: expressions in loops ask for the same ones. */
function keeping(make: (text: string) => Characters): (text: string) => Characters {
  let kept: readonly (readonly [string, Characters])[] = [];
  return (text) => {
    if (text.length < longText) return make(text);
    const known = kept.find(([one]) => one === text);
    if (known !== undefined) return known[1];
    const made = make(text);
    kept = [[text, made] as const, ...kept].slice(0, maxKept);
    return made;
  };
}

/** Returns the characters of a text. */
export const charactersOf = keeping(counted);

/** Returns characters from one index to another. */
export const charactersBetween = (text: string, start: number, end: number): string => {
  const { offsetOf } = charactersOf(text);
  return text.slice(offsetOf(start), offsetOf(end));
};
