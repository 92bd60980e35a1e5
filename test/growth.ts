/** Sizes of inputs, in characters or so: the last is what an API server stores of one object. */
const sizes = [1 << 16, 1 << 18, 1 << 20] as const;

/** How much more than in proportion the time may grow: the machine is shared, and memory costs more the more there is of it. */
const slack = 8;

/** Measurements of one size: the shortest counts. The smallest is measured before each of the others, since a busy machine comes and goes. */
const tries = 5;

/** µs of CPU below which a measurement is mostly noise. */
const noise = 1000;

function cpuTime<T>(input: T, work: (input: T) => unknown): number {
  const before = process.threadCpuUsage();
  work(input);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/**
 * Why the time of `work` grows faster than its input, made in sizes up to a million; undefined when it does not. It is CPU time of this thread, and only
 * compared with itself: a square would take 256 times as long for the largest as for the smallest, where 128 times is allowed.
 */
export function excessiveGrowth<T>(make: (size: number) => T, work: (input: T) => unknown): string | undefined {
  const smallest = make(sizes[0]);
  let base = Infinity;
  for (const size of sizes.slice(1)) {
    for (let left = tries; left > 0; left -= 1) base = Math.min(base, cpuTime(smallest, work));
    base = Math.max(noise, base);
    const input = make(size);
    const allowed = slack * base * (size / sizes[0]);
    let best = Infinity;
    for (let left = tries; left > 0 && best > allowed; left -= 1) {
      best = Math.min(best, cpuTime(input, work));
      if (best > 4 * allowed) break;
    }
    if (best > allowed) return `${size / sizes[0]} times the input took ${(best / base).toFixed(1)} times as long`;
  }
  return undefined;
}

/** A text of that size made of a pattern that is repeated. */
export const repeated = (pattern: string, size: number): string =>
  pattern.repeat(Math.ceil(size / Math.max(1, pattern.length))).slice(0, size);

/** As many items as fit into that size, `each` characters in each. */
export const items = <T>(size: number, each: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.ceil(size / each) }, (_, index) => make(index));
