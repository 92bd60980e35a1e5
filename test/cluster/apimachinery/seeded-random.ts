/** Repeatable random numbers. */

import { randomBytes } from 'node:crypto';

/** Seed of a random source: 128 bits as 32 hexadecimal digits, or an integer, of which the low 32 bits count. */
export type Seed = string | number;

/** Random source whose state can be saved and restored. */
export interface SeededRandom {
  /** Returns the next number in [0, 1). */
  (): number;
  /** Current state, as 32 hexadecimal digits; any seed can be assigned. */
  get state(): string;
  set state(seed: Seed);
}

const written = /^(?!0{32})[0-9a-f]{32}$/;

/** Reports whether a value is a seed. */
export const isSeed = (value: unknown): value is Seed =>
  typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'string' && written.test(value);

/** Draws a seed of 128 bits from the system's entropy. */
export const drawSeed = (): string => randomBytes(16).toString('hex');

type Words = readonly [number, number, number, number];

/** Expands a number into four words (splitmix32), so that similar seeds give different sequences. */
function wordsOfNumber(seed: number): Words {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
  return [next(), next(), next(), next()];
}

function wordsOf(seed: Seed): Words {
  if (!isSeed(seed)) {
    throw new TypeError(
      `a seed is a whole number, or 32 hexadecimal digits in small letters that are not all 0, not ${JSON.stringify(seed)}`,
    );
  }
  if (typeof seed === 'number') return wordsOfNumber(seed);
  const word = (index: number): number => Number.parseInt(seed.slice(index * 8, index * 8 + 8), 16);
  return [word(0), word(1), word(2), word(3)];
}

const rotated = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** Creates a repeatable random source with 128 bits of state (xoshiro128**). Throws a TypeError for an invalid seed. */
export function randomFrom(seed: Seed): SeededRandom {
  let [a, b, c, d] = wordsOf(seed);
  const next = (): number => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const [left, right] = [c ^ a, d ^ b];
    c = left ^ (b << 9);
    b ^= left;
    a ^= right;
    d = rotated(right, 11);
    return result / 2 ** 32;
  };
  const accessor = {
    get: () => [a, b, c, d].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join(''),
    set(value: Seed) {
      [a, b, c, d] = wordsOf(value);
    },
  };
  return Object.defineProperty(next, 'state', accessor) as SeededRandom;
}
