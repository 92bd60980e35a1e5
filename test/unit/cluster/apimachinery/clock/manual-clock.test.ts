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

test('a skip fires each due timer once, late, however long it is', async (t) => {
  const clock = createManualClock(0);
  const fired: number[] = [];
  const tick = (): void => {
    fired.push(clock.monotonic());
    clock.after(1000, tick);
  };
  clock.after(1000, tick);
  clock.after(500, () => fired.push(-clock.monotonic()));
  await clock.skip(3_456_000_000);
  t.deepEqual(fired, [-3_456_000_000, 3_456_000_000]);
  await clock.advance(1000);
  t.deepEqual(fired.slice(2), [3_456_001_000]);
});
