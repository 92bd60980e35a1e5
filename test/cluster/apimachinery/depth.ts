/** Measures how deeply values are nested, without recursion. */

/** Nesting of a value, and the number of values that were visited to measure it. */
export interface Depth {
  /** Levels: 0 for a scalar, 1 for an empty list or object; one more than asked for where there are more. */
  readonly levels: number;
  readonly visited: number;
}

/** Measures a value, down to `most` levels. */
export function depthOf(value: unknown, most: number): Depth {
  let levels = 0;
  let visited = 0;
  const left: (readonly [value: unknown, level: number])[] = [[value, 1]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [at, level] = next;
    visited += 1;
    if (typeof at !== 'object' || at === null) continue;
    levels = Math.max(levels, level);
    if (level > most) break;
    for (const one of Object.values(at)) left.push([one, level + 1]);
  }
  return { levels, visited };
}
