import { setImmediate as turn } from 'node:timers/promises';

/** How many times larger the second size is. */
const factor = 4;

/** How many times more the larger size may take: what is linear takes 4 times, what is quadratic 16. */
export const mostGrowth = 9;

/** ms: whatever takes less counts as taking this long, since less cannot be told apart. */
const least = 5;

const tries = 5;

/** Does something of a size; what it answers is what is measured. */
export type Sized = (size: number) => Promise<() => unknown>;

async function msOf(work: () => unknown): Promise<number> {
  await turn();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** How many times more CPU time four times the size takes: the least of some tries, which end with the first that is within bounds. */
export async function growthOf(sized: Sized, size: number): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && found > mostGrowth; count += 1) {
    const small = await msOf(await sized(size));
    const large = await msOf(await sized(size * factor));
    found = Math.min(found, large / Math.max(small, least));
  }
  return found;
}
