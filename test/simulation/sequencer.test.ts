import test from 'ava';
import { createArena } from './arena.ts';
import { identities } from './guarded.ts';
import { liveMany } from './lives.ts';
import { theSequencer } from './protocol.ts';

const lives = 26;

test(`F24 to F26: ${4 * lives} random lives of whole sequencers, watch, cache and queue included, lose no event and break no promise`, async (t) => {
  const arena = await createArena();
  for (const identity of identities) {
    const told = await liveMany({ arena, seed: 'test', identity, lives, protocol: theSequencer() });
    const { failed, duplicates, leaks, stuck, human } = told;
    const why = `npm run simulate -- --seed test --protocol sequencer --identity ${identity} --life ${failed[0]} --trace`;
    t.deepEqual({ failed, duplicates, leaks, stuck }, { failed: [], duplicates: 0, leaks: 0, stuck: 0 }, why);
    if (identity === 'name' || identity === 'tag') t.is(human, 0, identity);
  }
});
