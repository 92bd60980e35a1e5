import test from 'ava';
import { liveMany } from '../lives/lives.ts';
import { createArena } from '../processes/arena.ts';
import { theThings } from './protocol.ts';

test('F43: m of n things made when something goes wrong: each is there once in the end, and none is left', async (t) => {
  const arena = await createArena();
  for (const identity of ['name', 'tag'] as const) {
    const told = await liveMany({ arena, seed: 'test', identity, lives: 14, protocol: theThings() });
    const { failed, duplicates, leaks, stuck, human } = told;
    t.deepEqual(
      { failed, duplicates, leaks, stuck, human },
      { failed: [], duplicates: 0, leaks: 0, stuck: 0, human: 0 },
    );
  }
});
