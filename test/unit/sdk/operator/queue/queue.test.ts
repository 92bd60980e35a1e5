import test from 'ava';
import { aQueue } from './a-queue.ts';

test('collects keys until it is started, each once', async (t) => {
  const { queue, keys } = aQueue();
  queue.add('a');
  queue.add('b');
  queue.add('a');
  t.deepEqual(keys(), []);
  queue.start();
  t.deepEqual(keys(), ['a', 'b']);
});

test('runs a key once more when it was asked for while running', async (t) => {
  const { queue, keys, finish } = aQueue();
  queue.start();
  queue.add('a');
  queue.add('a');
  queue.add('a');
  t.deepEqual(keys(), ['a']);
  await finish('a');
  t.deepEqual(keys(), ['a', 'a']);
  await finish('a');
  t.deepEqual(keys(), ['a', 'a']);
  t.deepEqual(queue.health(), { ready: 0, delayed: 0, held: 0, running: 0, longestRun: 0, unfinished: 0, stalled: 0 });
});

test('runs as many keys at once as there are workers', async (t) => {
  const { queue, keys, finish } = aQueue({ workers: 2 });
  queue.start();
  for (const key of ['a', 'b', 'c']) queue.add(key);
  t.deepEqual(keys(), ['a', 'b']);
  await finish('b');
  t.deepEqual(keys(), ['a', 'b', 'c']);
});

test('keeps the earliest of several delays', async (t) => {
  const { clock, queue, started } = aQueue();
  queue.start();
  queue.add('a', { delay: 500 });
  queue.add('a', { delay: 100 });
  queue.add('a', { delay: 300 });
  await clock.advance(1000);
  t.deepEqual(started, [{ key: 'a', at: 100 }]);
});

test('keeps a delayed request when the key runs for another reason before', async (t) => {
  const { clock, queue, started, finish } = aQueue();
  queue.start();
  queue.add('a', { delay: 500 });
  queue.add('a');
  await finish('a');
  await clock.advance(1000);
  t.deepEqual(started, [
    { key: 'a', at: 0 },
    { key: 'a', at: 500 },
  ]);
});

test('drops a delayed request that is cancelled', async (t) => {
  const { clock, queue, started } = aQueue();
  queue.start();
  queue.add('a', { delay: 500 });
  t.true(queue.isDelayed('a'));
  queue.cancel('a');
  t.false(queue.isDelayed('a'));
  await clock.advance(1000);
  t.deepEqual(started, []);
});

test('has one timer however many keys are delayed', async (t) => {
  const { clock, queue } = aQueue();
  queue.start();
  for (let i = 0; i < 100; i += 1) queue.add(`k${i}`, { delay: 1000 + i });
  t.is(clock.pending, 1);
});

test('lets fresh keys pass the backlog, and the backlog is not starved', async (t) => {
  const { queue, keys, finish } = aQueue({ workers: 1 });
  for (let i = 0; i < 50; i += 1) queue.add(`old${i}`, { priority: 'backlog' });
  for (let i = 0; i < 30; i += 1) queue.add(`new${i}`);
  queue.add('old49');
  queue.start();
  for (let i = 0; i < 40; i += 1) await finish(keys().at(-1) as string);
  const first = keys().slice(0, 34);
  t.is(first.filter((key) => key.startsWith('new')).length, 30);
  t.is(first.filter((key) => key.startsWith('old') && key !== 'old49').length, 3);
  t.true(first.includes('old49'));
});

test('what has become due comes after what is fresh and before the backlog', async (t) => {
  const { clock, queue, keys, finish } = aQueue({ workers: 1 });
  queue.add('late', { delay: 10 });
  queue.add('old', { priority: 'backlog' });
  queue.add('old too', { priority: 'backlog' });
  queue.start();
  await clock.advance(10);
  queue.add('new');
  for (let i = 0; i < 3; i += 1) await finish(keys().at(-1) as string);
  t.deepEqual(keys(), ['old', 'new', 'late', 'old too']);
});

test('holds a key back until it is released while others run', async (t) => {
  const held = new Set(['a']);
  const { queue, keys } = aQueue({ workers: 1, isHeld: (key) => held.has(key) });
  queue.start();
  queue.add('a');
  queue.add('b');
  t.deepEqual(keys(), ['b']);
  t.is(queue.health().held, 1);
  held.delete('a');
  queue.release('a');
  queue.release('never seen');
  t.deepEqual(queue.health().held, 0);
  t.is(queue.health().ready, 1);
});

test('drains: starts nothing more and waits for what runs', async (t) => {
  const { clock, queue, keys, finish } = aQueue({ workers: 1 });
  queue.start();
  queue.add('a');
  queue.add('b');
  const drainQueue = queue.drain(1000);
  queue.add('c');
  await clock.advance(500);
  await finish('a');
  t.deepEqual(await drainQueue, []);
  t.deepEqual(keys(), ['a']);
  t.is(clock.pending, 0);
});

test('says which keys still run when the drain deadline passes', async (t) => {
  const { clock, queue } = aQueue();
  queue.start();
  queue.add('a');
  const drainQueue = queue.drain(1000);
  await clock.advance(1000);
  t.deepEqual(await drainQueue, ['a']);
});
