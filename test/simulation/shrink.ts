import type { Fault } from './faults.ts';

/**
 * Drops faults, one by one, as long as it still fails without: what is left is all needed. What never struck goes first.
 * @param fails lives the life again with these faults
 */
export async function shrink(
  faults: readonly Fault[],
  struck: readonly Fault[],
  fails: (faults: readonly Fault[]) => Promise<boolean>,
): Promise<readonly Fault[]> {
  let needed = (await fails(struck)) ? struck : faults;
  for (let dropped = true; dropped; ) {
    dropped = false;
    for (const fault of needed) {
      const without = needed.filter((one) => one !== fault);
      if (!(await fails(without))) continue;
      needed = without;
      dropped = true;
    }
  }
  return needed;
}
