import test from 'ava';
import { isFailure, live } from '../lives/life.ts';
import { wholeLife } from '../lives/sweep.ts';
import { createArena } from '../processes/arena.ts';
import { identities } from '../protocols/guarded.ts';
import { theGuard, theResources } from '../protocols/protocol.ts';
import { callFaults, type Fault, requestFaults, textOfFault, worldFaults } from './faults.ts';

const arena = await createArena();
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Runs lives with one more fault each, for every identity in turn. @returns the failures in words */
async function broken(faults: readonly Fault[]): Promise<readonly string[]> {
  const told: string[] = [];
  for (const [index, fault] of faults.entries()) {
    const identity = identities[index % identities.length]!;
    const protocol = index % 8 < 4 ? theResources() : theGuard();
    const verdict = await live({
      arena,
      seed: 'one',
      identity,
      protocol,
      replicas: 2,
      faults: [...wholeLife.faults, fault],
    });
    if (isFailure(verdict))
      told.push(`${protocol.name} ${identity} ${textOfFault(fault)}: ${verdict.violations[0]?.text}`);
  }
  return told;
}

for (const kind of requestFaults)
  test.serial(`F20, F22, F23: "${kind}" at every request in turn breaks nothing`, async (t) => {
    t.deepEqual(await broken(upTo(8).map((at) => ({ on: 'request', at, kind, ms: 3_000 }))), []);
  });

for (const kind of callFaults)
  test.serial(`F4, F5, F36, F40, F42: "${kind}" at every call in turn breaks nothing`, async (t) => {
    t.deepEqual(await broken(upTo(4).map((at) => ({ on: 'call', at, kind, ms: 3_000 }))), []);
  });

for (const kind of worldFaults)
  test.serial(`F19, F28, F29, F30, F31, F38: "${kind}" at any moment breaks nothing`, async (t) => {
    t.deepEqual(await broken(upTo(6).map((index) => ({ on: 'time', at: 5 + 30 * index, kind, ms: 3_600_000 }))), []);
  });

test.serial(
  'F15, F16: a pause of three leases at every effect, with a second sequencer at work, breaks nothing',
  async (t) => {
    t.deepEqual(await broken(upTo(16).map((at) => ({ on: 'effect', at, kind: 'pause', ms: 30_000 }))), []);
  },
);

test.serial(
  'F21: a foreign writer at 50 Hz, through creation, change and deletion, costs nothing but time',
  async (t) => {
    const writes = (from: number): readonly Fault[] =>
      upTo(100).map((n) => ({ on: 'time', at: from + 20 * n, kind: 'label changed', ms: 0 }));
    for (const identity of identities) {
      const faults = [...wholeLife.faults, ...writes(5), ...writes(29_800), ...writes(59_800)];
      const verdict = await live({ arena, seed: 'F21', identity, protocol: theResources(), replicas: 2, faults });
      t.false(isFailure(verdict), verdict.trace.join('\n'));
      t.is(verdict.outcome, 'ok');
      t.true(verdict.struck.length > 200);
    }
  },
);

test.serial('F27: a deletion that comes at any await of a creation leaves nothing behind', async (t) => {
  for (const [index, at] of upTo(28).entries()) {
    const identity = identities[index % identities.length]!;
    const protocol = index % 8 < 4 ? theResources() : theGuard();
    const faults = [{ on: 'time', at: 10 * at, kind: 'delete', ms: 0 }] as const;
    const verdict = await live({ arena, seed: 'F27', identity, protocol, faults });
    t.false(isFailure(verdict), verdict.trace.join('\n'));
  }
});

test.serial('F37: a list that lags behind by as much as was declared hides nothing', async (t) => {
  const faults = [...wholeLife.faults, { on: 'call', at: 0, kind: 'call answer lost', ms: 0 }] as const;
  for (const seed of upTo(6)) {
    const verdict = await live({ arena, seed: `F37/${seed}`, identity: 'tag', protocol: theResources(), faults });
    t.false(isFailure(verdict), verdict.trace.join('\n'));
    t.true(verdict.trace.some((line) => line.includes('find')));
  }
});

test.serial(
  'F51: clocks that run at unequal rates, the holder’s slow and the other’s fast, never let two work at once',
  async (t) => {
    for (const rate of [0.9, 1.1])
      for (const at of upTo(12)) {
        const pause = { on: 'effect', at: 2 * at, kind: 'pause', ms: 18_000 } as const;
        const base = { arena, seed: `F51/${at}`, identity: 'name', replicas: 2, process: { rate } } as const;
        const verdict = await live({ ...base, faults: [...wholeLife.faults, pause] });
        t.false(isFailure(verdict), verdict.trace.join('\n'));
      }
  },
);
