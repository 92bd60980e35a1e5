import test from 'ava';
import { createScheduler } from './scheduler.ts';

test('what is due first happens first, what is due together in the order it was asked for', async (t) => {
  const seen: string[] = [];
  const scheduler = createScheduler(() => {});
  const say = (text: string) => () => void seen.push(`${scheduler.now} ${text}`);
  scheduler.after(20, say('late'));
  scheduler.after(10, say('one'));
  scheduler.after(10, say('two'));
  const cancel = scheduler.after(15, say('never'));
  cancel();
  await scheduler.run(100);
  t.deepEqual(seen, ['10 one', '10 two', '20 late']);
  t.is(scheduler.now, 100);
});

test('all that follows without time passing happens before the next step', async (t) => {
  const seen: string[] = [];
  const scheduler = createScheduler(() => void seen.push('step'));
  scheduler.after(
    1,
    () =>
      void Promise.resolve().then(async () => {
        await Promise.resolve();
        seen.push('one');
      }),
  );
  scheduler.after(1, () => void seen.push('two'));
  await scheduler.run(1);
  t.deepEqual(seen, ['step', 'one', 'step', 'two', 'step']);
});

test('it stops where it is told to, and continues from there', async (t) => {
  const scheduler = createScheduler(() => {});
  const seen: number[] = [];
  for (const ms of [1, 2, 3]) scheduler.after(ms, () => void seen.push(ms));
  await scheduler.run(10, () => seen.length === 2);
  t.is(scheduler.now, 2);
  await scheduler.run(10);
  t.deepEqual(seen, [1, 2, 3]);
});
