import test from 'ava';
import { isFailure, live } from '../lives/life.ts';
import { liveMany } from '../lives/lives.ts';
import { wholeLife } from '../lives/sweep.ts';
import { createArena } from '../processes/arena.ts';
import { identities } from './guarded.ts';
import { theSequencer } from './protocol.ts';

const lives = 14;

test(`G8: ${4 * lives} random lives of whole sequencers, watch, cache and queue included, lose no event and break no promise`, async (t) => {
  const arena = await createArena();
  for (const identity of identities) {
    const told = await liveMany({ arena, seed: 'test', identity, lives, protocol: theSequencer() });
    const { failed, duplicates, leaks, stuck, human } = told;
    const why = `npm run simulate -- --seed test --protocol sequencer --identity ${identity} --life ${failed[0]} --trace`;
    t.deepEqual({ failed, duplicates, leaks, stuck }, { failed: [], duplicates: 0, leaks: 0, stuck: 0 }, why);
    if (identity === 'name' || identity === 'tag') t.is(human, 0, identity);
  }
});

const watched = [
  ['F24: a watch that is silent for five minutes', 'watch silent', 300_000],
  ['F25: 410 and a relist, with own writes in flight,', 'watch expired', 0],
  ['F26: a relist that brings older data', 'stale list', 0],
] as const;

for (const [title, kind, ms] of watched)
  test(`${title} loses no event and makes nothing twice`, async (t) => {
    const arena = await createArena();
    let struck = 0;
    for (const [index, at] of [40, 70, 100, 130, 29_990, 30_040, 30_080, 60_030].entries()) {
      const identity = identities[index % identities.length]!;
      const faults = [...wholeLife.faults, { on: 'time', at, kind, ms } as const];
      const verdict = await live({
        arena,
        seed: `${kind}/${at}`,
        identity,
        protocol: theSequencer(),
        replicas: 2,
        faults,
      });
      t.false(isFailure(verdict), verdict.trace.join('\n'));
      t.is(verdict.outcome, 'ok');
      struck += verdict.struck.filter((fault) => fault.kind === kind).length;
    }
    t.true(struck > 4, `${struck} struck`);
  });
