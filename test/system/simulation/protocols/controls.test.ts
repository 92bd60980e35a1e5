import test from 'ava';
import { isFailure, live } from '../lives/life.ts';
import { liveMany } from '../lives/lives.ts';
import { wholeLife } from '../lives/sweep.ts';
import { createArena } from '../processes/arena.ts';
import { controls } from './controls.ts';

const arena = await createArena();

for (const protocol of controls) {
  test.serial(`${protocol.name}: lives well as long as nothing goes wrong`, async (t) => {
    const verdict = await live({ arena, seed: 'quiet', identity: 'opaque', faults: wholeLife.faults, protocol });
    t.false(isFailure(verdict), verdict.trace.join('\n'));
  });

  test.serial(`${protocol.name}: the simulation sees its duplicates and leaks`, async (t) => {
    const { duplicates, leaks, failed } = await liveMany({
      arena,
      seed: 'test',
      identity: 'opaque',
      lives: 16,
      protocol,
    });
    t.true(duplicates > 0 && leaks > 0, JSON.stringify({ duplicates, leaks }));
    t.true(failed.length > 16 / 4);
  });
}

test.serial('D1: the original guard’s lock stays for ever once its holder has died', async (t) => {
  const protocol = controls[0]!;
  const faults = [
    { on: 'call', at: 0, kind: 'call slow', ms: 2_000 },
    { on: 'effect', at: 3, kind: 'crash after', ms: 0 },
  ] as const;
  const verdict = await live({ arena, seed: 'D1', identity: 'opaque', faults, protocol });
  t.is(verdict.outcome, 'stuck');
  t.true(verdict.violations.some(({ id, text }) => id === 'I7' && text.includes('Locked')));
});
