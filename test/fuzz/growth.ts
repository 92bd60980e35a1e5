/** Measures how the CPU time of a request grows with its size. */

import { setImmediate as turn } from 'node:timers/promises';

/** Ratio of the second size to the first. */
const factor = 4;

/** Largest ratio of the times: linear growth takes 4 times as long, quadratic 16. */
export const mostGrowth = 9;

/** Shortest time that can be distinguished, ms; shorter ones count as this. */
const least = 5;

const tries = 5;

/** Prepares work of a size; the returned function is measured. */
export type Sized = (size: number) => Promise<() => unknown>;

async function msOf(work: () => unknown): Promise<number> {
  await turn();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Ratio of the CPU times of four times the size and the size: the least of some attempts, which end with the first within bounds. */
export async function growthOf(sized: Sized, size: number): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && found > mostGrowth; count += 1) {
    const small = await msOf(await sized(size));
    const large = await msOf(await sized(size * factor));
    found = Math.min(found, large / Math.max(small, least));
  }
  return found;
}
