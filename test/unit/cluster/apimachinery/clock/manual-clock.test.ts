import test from 'ava';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

test('time never goes back, even when it is advanced while it is being advanced', async (t) => {
  const gate = Promise.withResolvers<void>();
  let settles = 0;
  const clock = createManualClock(0, async () => {
    settles += 1;
    if (settles === 1) await gate.promise;
  });
  const slow = clock.advance(0);
  await clock.advance(1000);
  gate.resolve();
  await slow;
  t.deepEqual([clock.monotonic(), clock.now()], [1000, 1000]);
});

test('waits before time moves on, and after each timer', async (t) => {
  const log: string[] = [];
  const clock = createManualClock(0, async () => void log.push(`settled at ${clock.monotonic()}`));
  clock.after(10, () => log.push('timer'));
  await clock.advance(20);
  t.deepEqual(log, ['settled at 0', 'timer', 'settled at 10', 'settled at 20']);
});
