import test from 'ava';
import { aQueue } from './a-queue.ts';

const minute = 60_000;

test('a run that lasts longer than a minute continues without a worker', async (t) => {
  const { clock, queue, keys, finish } = aQueue({ workers: 2 });
  queue.start();
  queue.add('a');
  await clock.advance(1_000);
  for (const key of ['b', 'c', 'd']) queue.add(key);
  await clock.advance(minute - 1_001);
  t.deepEqual(keys(), ['a', 'b'], 'a minute is not over');
  await clock.advance(1);
  t.deepEqual(keys(), ['a', 'b', 'c']);
  await clock.advance(1_000);
  t.deepEqual(keys(), ['a', 'b', 'c', 'd']);
  t.like(queue.health(), { running: 4, longestRun: minute + 1_000 });
  await finish('a');
  queue.add('e');
  t.deepEqual(keys(), ['a', 'b', 'c', 'd'], 'the workers of a and b are taken by c and d');
  await finish('c');
  t.deepEqual(keys(), ['a', 'b', 'c', 'd', 'e']);
});

test('keys that come after a minute find the workers of slow runs free; a slow key runs once at a time all the same', async (t) => {
  const { clock, queue, keys } = aQueue({ workers: 1 });
  queue.start();
  queue.add('a');
  await clock.advance(2 * minute);
  queue.add('a');
  queue.add('b');
  t.deepEqual(keys(), ['a', 'b']);
});

test('no more than nine slow runs for each worker continue beside it, and a drain waits for them', async (t) => {
  const { clock, queue, keys } = aQueue({ workers: 1 });
  queue.start();
  for (let count = 0; count < 12; count += 1) queue.add(`key ${count}`);
  await clock.advance(30 * minute);
  t.is(keys().length, 10);
  const left = queue.drain(1_000);
  await clock.advance(1_000);
  t.is((await left).length, 10);
});
