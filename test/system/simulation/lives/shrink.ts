import type { Fault } from '../faults/faults.ts';

/**
 * Removes faults one by one as long as the life still fails without them, those that never took effect first: all remaining ones are
 * needed.
 * @param fails runs the life again with these faults
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
