/**
 * Compares the CPU time of one large input with that of the same amount in small ones. Both times are of this thread and of one moment, so
 * neither the speed of the machine nor its load decides: the ratio is 1 for linear growth, and the number of small inputs for quadratic.
 */

import { setImmediate as turn } from 'node:timers/promises';

/** Approximate size of the large input in characters: the most that an API server stores of one object. */
const maxSize = 1 << 20;

/** Small inputs that a large one is compared with. */
const defaultShares = 64;

/** Measurements, of which the shortest count. */
const tries = 5;

/** CPU time that a collection of garbage or a compilation takes within a measurement, µs: small inputs count as at least this. */
const noise = 5000;

/** Makes an input of a size and returns the work with it, which is measured. */
export type Prepare = (size: number) => (() => unknown) | Promise<() => unknown>;

export interface GrowthOptions {
  /** Size of the large input; 1 Mi by default. */
  readonly size?: number;
  /** Number of the small inputs; 64 by default. Fewer are for work with a fixed cost that is large beside that of its input. */
  readonly shares?: number;
}

async function cpuTime(prepare: Prepare, size: number, count: number): Promise<number> {
  let sum = 0;
  for (let left = count; left > 0; left -= 1) {
    const work = await prepare(size);
    await turn();
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    sum += user + system;
  }
  return sum;
}

/**
 * Reports that work grows faster than its input; undefined otherwise. The bound lies between linear and quadratic growth, a factor of
 * √shares from both.
 */
export async function excessiveGrowth(
  prepare: Prepare,
  { size = maxSize, shares = defaultShares }: GrowthOptions = {},
): Promise<string | undefined> {
  const most = Math.sqrt(shares);
  let small = Infinity;
  let large = Infinity;
  for (let left = tries; left > 0; left -= 1) {
    small = Math.min(small, await cpuTime(prepare, Math.ceil(size / shares), shares));
    large = Math.min(large, await cpuTime(prepare, size, 1));
    if (large <= most * Math.max(noise, small)) return undefined;
  }
  return `one input took ${(large / Math.max(noise, small)).toFixed(1)} times as long as the same in ${shares} parts`;
}

/** The work with an input that is made by its size. */
export const workOn =
  <T>(make: (size: number) => T, work: (input: T) => unknown): Prepare =>
  (size) => {
    const input = make(size);
    return () => work(input);
  };

/** A text of that size that repeats a pattern. */
export const repeated = (pattern: string, size: number): string =>
  pattern.repeat(Math.ceil(size / Math.max(1, pattern.length))).slice(0, size);

/** As many items as fit into that size at `each` characters per item. */
export const items = <T>(size: number, each: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.ceil(size / each) }, (_, index) => make(index));
