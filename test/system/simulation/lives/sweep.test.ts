import test from 'ava';
import { callFaults, type Fault, processFaults, requestFaults, textOfFault } from '../faults/faults.ts';
import { createArena } from '../processes/arena.ts';
import { randomOf } from '../processes/random.ts';
import { type Identity, identities } from '../protocols/guarded.ts';
import { type Protocol, theGuard, theResources, theSequencer, theThings } from '../protocols/protocol.ts';
import { live } from './life.ts';
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
    `F1, F2, F3, F4, F5, F6, F7, F8, F9, F10: a crash before and after every effect of "${scenario.name}" (${protocol.name}, ${identity}) breaks nothing`,
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
      if (identity !== 'opaque') t.is(human, 0);
      else t.true(human < runs / 3, `${human} of ${runs} wait for a person`);
    },
  );

test.serial(
  'F1: a process that dies, stops or pauses before the first intent leaves no question, whatever the identity',
  async (t) => {
    const kinds = ['crash before', 'crash after', 'stop', 'pause'] as const;
    const faults: readonly Fault[] = [
      ...[0, 1, 2].flatMap((at) => kinds.map((kind) => ({ on: 'effect', at, kind, ms: 30_000 }) as const)),
      { on: 'effect', at: 3, kind: 'crash before', ms: 0 },
    ];
    for (const [index, identity] of identities.entries()) {
      const protocol = index % 2 === 0 ? theGuard() : theResources();
      let claimed = 0;
      for (const fault of faults) {
        const { outcome, trace } = await live({ arena, seed: 'F1', identity, protocol, faults: [fault] });
        t.is(outcome, 'ok', `${identity}: ${textOfFault(fault)}`);
        const end = trace.findIndex((line) => line.includes('dies') || line.includes('pauses'));
        const before = trace.slice(0, end).join();
        if (before.includes('claim') && !before.includes('intent')) claimed += 1;
      }
      t.true(claimed > 3, `${identity}: ${claimed} times between claim and intent`);
    }
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

test.serial(
  'F11, F14: told to stop at every effect, while another takes over at once, what was begun is finished and nothing is lost',
  async (t) => {
    for (const [identity, protocol] of [
      ['opaque', theResources()],
      ['key', theGuard()],
      ['tag', theSequencer()],
    ] as const) {
      const options = { arena, identity, scenario: { ...wholeLife, replicas: 2 }, life: { protocol } };
      const count = Math.min(40, await effectsOf(options));
      const stops = Array.from({ length: count }, (_, at) => [{ on: 'effect', at, kind: 'stop', ms: 0 } as const]);
      const { failures, human } = await sweep(options, stops);
      t.deepEqual(
        failures.map(({ faults, verdict }) => [...faults.map(textOfFault), verdict.violations[0]?.text]),
        [],
      );
      t.is(human, 0, `${identity}: draining finishes outcomes, so no person has to be asked`);
    }
  },
);

test.serial('F53: triples of faults, drawn at random, break nothing', async (t) => {
  for (const identity of ['name', 'tag', 'key', 'opaque'] as const) {
    const random = randomOf(`triples/${identity}`);
    const options = { arena, identity, scenario: wholeLife, life: { protocol: theResources(), replicas: 2 } };
    const drawn = (): readonly Fault[] => [
      { on: 'request', at: random.below(20), kind: random.pick(requestFaults), ms: 2_000 },
      { on: 'call', at: random.below(4), kind: random.pick(callFaults), ms: 2_000 },
      { on: 'effect', at: random.below(30), kind: random.pick(processFaults), ms: 25_000 },
    ];
    const { failures } = await sweep(options, Array.from({ length: 14 }, drawn));
    t.deepEqual(
      failures.map(({ faults, verdict }) => [...faults.map(textOfFault), verdict.violations[0]?.text]),
      [],
    );
  }
});
