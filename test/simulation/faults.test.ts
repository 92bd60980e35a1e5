import test from 'ava';
import { createArena } from './arena.ts';
import { callFaults, type Fault, requestFaults, textOfFault, worldFaults } from './faults.ts';
import { identities } from './guarded.ts';
import { isFailure, live } from './life.ts';
import { theGuard, theResources } from './protocol.ts';
import { wholeLife } from './sweep.ts';

const arena = await createArena();
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Lives with one more fault each, for every identity in turn. @returns what went wrong, in words */
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
  test.serial(`F19, F21, F27 to F31, F38: "${kind}" at any moment breaks nothing`, async (t) => {
    t.deepEqual(await broken(upTo(6).map((index) => ({ on: 'time', at: 5 + 30 * index, kind, ms: 3_600_000 }))), []);
  });

test.serial(
  'F15: a pause of three leases at every effect, with a second sequencer at work, breaks nothing',
  async (t) => {
    t.deepEqual(await broken(upTo(16).map((at) => ({ on: 'effect', at, kind: 'pause', ms: 30_000 }))), []);
  },
);
