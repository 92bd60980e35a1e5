/** Measures how the CPU time of a function grows with its input. */

/** Approximate sizes of inputs in characters: the last is the most that an API server stores of one object. */
const sizes = [1 << 16, 1 << 18, 1 << 20] as const;

/** Tolerated factor beyond proportional growth: the machine is shared, and memory gets slower with size. */
const slack = 8;

/**
 * Measurements per size, of which the shortest counts. The smallest size is measured again before each of the others, since the load of the
 * machine varies.
 */
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
 * Reports the growth of `work`'s time if it exceeds that of its input, for sizes up to a million; undefined otherwise. The time is CPU time
 * of this thread, and only compared with itself: quadratic growth would take 256 times as long for the largest as for the smallest size,
 * where 128 times is allowed.
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

/** A text of that size that repeats a pattern. */
export const repeated = (pattern: string, size: number): string =>
  pattern.repeat(Math.ceil(size / Math.max(1, pattern.length))).slice(0, size);

/** As many items as fit into that size at `each` characters per item. */
export const items = <T>(size: number, each: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.ceil(size / each) }, (_, index) => make(index));
