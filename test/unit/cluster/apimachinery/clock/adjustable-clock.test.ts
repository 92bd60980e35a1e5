import test from 'ava';
import { createAdjustableClock, createManualClock } from '../../../../cluster/index.ts';

test('it goes as its base, and ahead by what it was put forward', async (t) => {
  const base = createManualClock();
  const clock = createAdjustableClock(base);
  const start = clock.now();
  await base.advance(500);
  await clock.advance(60_000);
  t.is(clock.now() - start, 60_500);
  t.is(clock.monotonic(), 60_500);
});

test('timers fire in order, each at its own time, those that they set as well', async (t) => {
  const clock = createAdjustableClock(createManualClock());
  const start = clock.now();
  const fired: (readonly [string, number])[] = [];
  const note = (name: string) => fired.push([name, clock.now() - start]);
  clock.after(2000, () => note('second'));
  clock.after(1000, () => {
    note('first');
    clock.after(500, () => note('between'));
  });
  const cancel = clock.after(1200, () => note('never'));
  cancel();
  let slept = false;
  void clock.sleep(3000).then(() => {
    slept = true;
  });
  clock.after(10_000, () => note('later'));
  await clock.advance(3000);
  t.deepEqual(fired, [
    ['first', 1000],
    ['between', 1500],
    ['second', 2000],
  ]);
  t.true(slept);
});

test('what is not due yet comes sooner by the base', async (t) => {
  const base = createManualClock();
  const clock = createAdjustableClock(base);
  let isFired = false;
  clock.after(10_000, () => {
    isFired = true;
  });
  await clock.advance(9000);
  await base.advance(999);
  t.false(isFired);
  await base.advance(1);
  t.true(isFired);
});

test('sleep ends with the reason of its signal', async (t) => {
  const clock = createAdjustableClock(createManualClock());
  const controller = new AbortController();
  const sleeping = clock.sleep(1000, controller.signal);
  controller.abort(new Error('enough'));
  await t.throwsAsync(sleeping, { message: 'enough' });
  await t.throwsAsync(clock.sleep(1, controller.signal), { message: 'enough' });
});
