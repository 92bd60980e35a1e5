import test from 'ava';
import { createArena } from './arena.ts';
import { textOfFault } from './faults.ts';
import { isFailure, live, type Verdict } from './life.ts';
import { theGuard } from './protocol.ts';
import { type Removal, removals } from './removals.ts';

const arena = await createArena();

/** What the first life that goes wrong without the protection shows, and the same life with it. */
async function shown({
  identity,
  seams,
  life,
  lives,
  sees,
}: Removal): Promise<{ readonly without: Verdict; readonly within: Verdict } | undefined> {
  const { process: _, ...same } = life ?? {};
  for (const faults of lives) {
    const base = { arena, seed: 'meta', identity, faults };
    const without = await live({ ...base, ...life, protocol: theGuard(seams) });
    if (without.violations.some(({ id }) => sees.includes(id)))
      return { without, within: await live({ ...base, ...same }) };
  }
  return undefined;
}

for (const removal of removals)
  test.serial(`the simulation goes red without ${removal.name}`, async (t) => {
    const found = await shown(removal);
    t.truthy(
      found,
      `none of ${removal.lives.map((faults) => faults.map(textOfFault).join(' and ')).join('; ')} shows it`,
    );
    t.false(isFailure(found!.within), found!.within.trace.join('\n'));
  });

test.serial('F36: a lost call may be carried out as late as was declared, and no later', async (t) => {
  const late = (ms: number) =>
    live({ arena, seed: 'F36', identity: 'tag', faults: [{ on: 'call', at: 0, kind: 'call late', ms }] });
  for (const ms of [0, 2_000, 4_000]) t.false(isFailure(await late(ms)), `${ms} ms`);
  t.true(isFailure(await late(12_000)), 'what comes when it is looked for no more, the simulation sees');
});
