import test from 'ava';
import { callFaults, processFaults, requestFaults, worldFaults } from '../faults/faults.ts';
import { createArena } from '../processes/arena.ts';
import { identities } from '../protocols/guarded.ts';
import { theGuard, theResources } from '../protocols/protocol.ts';
import { liveMany, type Tally } from './lives.ts';

const lives = 14;

test(`F13, G3: ${8 * lives} random lives, every second one with two sequencers at once: no duplicates, no leaks, nothing stuck, no promise broken, and every fault struck`, async (t) => {
  const arena = await createArena();
  const tallies: Tally[] = [];
  for (const protocol of [theGuard(), theResources()])
    for (const identity of identities) tallies.push(await liveMany({ arena, seed: 'test', identity, lives, protocol }));
  for (const { protocol, identity, failed, duplicates, leaks, stuck, human } of tallies) {
    const why = `npm run simulate -- --seed test --protocol ${protocol} --identity ${identity} --life ${failed[0]} --trace`;
    t.deepEqual({ failed, duplicates, leaks, stuck }, { failed: [], duplicates: 0, leaks: 0, stuck: 0 }, why);
    if (identity === 'name' || identity === 'tag') t.is(human, 0, `${protocol} ${identity}`);
    else t.true(human < lives, 'most continue by themselves');
  }
  for (const kind of [...requestFaults, ...callFaults, ...processFaults, ...worldFaults])
    t.true(
      tallies.some(({ struck }) => (struck.get(kind) ?? 0) > 0),
      `${kind} never struck`,
    );
});
