/** Repeatable randomness: the same name gives the same numbers, for ever, on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  chance(probability: number): boolean;
  /** One of them; never call it with none. */
  pick<T>(choices: readonly T[]): T;
  /** Another stream: what is drawn from one never moves another. */
  fork(name: string | number): Random;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The stream of that name (mulberry32). */
export function randomOf(name: string): Random {
  let state = hashOf(name);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[below(choices.length)]!,
    fork: (part) => randomOf(`${name}/${part}`),
  };
}
