import test from 'ava';
import { createArena } from './arena.ts';
import { textOfFault } from './faults.ts';
import type { Identity } from './guarded.ts';
import { type Protocol, theGuard, theResources, theSequencer, theThings } from './protocol.ts';
import { randomOf } from './random.ts';
import { crashesOf, effectsOf, pairsOf, recreation, type Scenario, sweep, wholeLife } from './sweep.ts';

const arena = await createArena();

const sweeps: readonly (readonly [Scenario, Identity, Protocol])[] = [
  [wholeLife, 'name', theResources()],
  [wholeLife, 'tag', theGuard()],
  [wholeLife, 'key', theResources()],
  [wholeLife, 'opaque', theGuard()],
  [wholeLife, 'name', theSequencer()],
  [wholeLife, 'tag', theThings()],
  [recreation, 'tag', theResources()],
];

for (const [scenario, identity, protocol] of sweeps)
  test.serial(
    `F1 to F10: a crash before and after every effect of "${scenario.name}" (${protocol.name}, ${identity}) breaks nothing`,
    async (t) => {
      const options = { arena, identity, scenario, life: { protocol } };
      const effects = await effectsOf(options);
      t.true(effects > 20, `${effects} effects`);
      const pairs = pairsOf(effects, 8, randomOf(`pairs/${scenario.name}/${identity}`));
      const { failures, human, runs } = await sweep(options, [...crashesOf(effects).map((one) => [one]), ...pairs]);
      const told = failures.map(({ faults, verdict }) => [
        ...faults.map(textOfFault),
        ...verdict.violations.map(({ id, text }) => `${id} ${text}`),
      ]);
      t.deepEqual(told, []);
      if (identity === 'name' || identity === 'tag') t.is(human, 0);
      else t.true(human < runs / 3, `${human} of ${runs} wait for a person`);
    },
  );

test.serial('F12: ten crashes in a row, each at an attempt, and it still comes to an end', async (t) => {
  for (const identity of ['name', 'tag'] as const) {
    const faults = Array.from(
      { length: 10 },
      (_, index) => ({ on: 'effect', at: 4 + 4 * index, kind: 'crash after', ms: 0 }) as const,
    );
    const { failures, human } = await sweep({ arena, identity, scenario: wholeLife, life: { horizon: 1_200_000 } }, [
      faults,
    ]);
    t.deepEqual(failures, []);
    t.is(human, 0);
  }
});
