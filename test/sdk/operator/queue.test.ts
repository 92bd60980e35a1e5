import test from 'ava';
import fc from 'fast-check';
import { Queue, type QueueOptions } from '../../../sdk/operator/queue.ts';
import { createManualClock } from '../../clock.ts';

/** A queue on a manual clock whose runs end when told. */
function aQueue(options: Omit<Partial<QueueOptions>, 'run'> = {}) {
  const clock = createManualClock();
  const started: { readonly key: string; readonly at: number }[] = [];
  const running = new Map<string, () => void>();
  let overlaps = 0;
  const queue = new Queue({
    clock,
    ...options,
    run: (key) => {
      if (running.has(key)) overlaps += 1;
      started.push({ key, at: clock.monotonic() });
      return new Promise<void>((resolve) => running.set(key, resolve));
    },
  });
  const finish = async (key: string) => {
    const end = running.get(key);
    running.delete(key);
    end?.();
    await clock.advance(0);
  };
  return {
    clock,
    queue,
    started,
    running,
    finish,
    keys: () => started.map(({ key }) => key),
    overlaps: () => overlaps,
  };
}

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
  t.deepEqual(queue.health(), { ready: 0, delayed: 0, held: 0, running: 0, longestRun: 0 });
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

test('keeps a delayed wish when the key runs for another reason before', async (t) => {
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

test('drops a delayed wish that is cancelled', async (t) => {
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
  const drained = queue.drain(1000);
  queue.add('c');
  await clock.advance(500);
  await finish('a');
  t.deepEqual(await drained, []);
  t.deepEqual(keys(), ['a']);
  t.is(clock.pending, 0);
});

test('says which keys still run when the drain deadline passes', async (t) => {
  const { clock, queue } = aQueue();
  queue.start();
  queue.add('a');
  const drained = queue.drain(1000);
  await clock.advance(1000);
  t.deepEqual(await drained, ['a']);
});

type Step =
  | { readonly do: 'add'; readonly key: string; readonly delay: number; readonly priority: 'fresh' | 'backlog' }
  | { readonly do: 'finish'; readonly key: string }
  | { readonly do: 'hold'; readonly key: string }
  | { readonly do: 'release'; readonly key: string }
  | { readonly do: 'pass'; readonly ms: number };

const key = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      key,
      delay: fc.constantFrom(0, 0, 5, 20),
      priority: fc.constantFrom('fresh' as const, 'backlog' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const), key }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('hold' as const), key }),
      fc.record({ do: fc.constant('release' as const), key }),
    ),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 15 }) }) },
);

test('whatever happens: never two runs of a key at once, no wish is lost, none runs before its time', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (steps, workers) => {
      const held = new Set<string>();
      const { clock, queue, started, running, finish, overlaps } = aQueue({ workers, isHeld: (k) => held.has(k) });
      /** What must come true: a run of the key that starts at `due` or later. Of several delayed wishes the earliest stands for all. */
      const wishes: { readonly key: string; readonly due: number; readonly delayed: boolean }[] = [];
      const wish = (k: string, delay: number) => {
        const due = clock.monotonic() + delay;
        const earlier = wishes.some((w) => w.key === k && w.delayed && w.due > clock.monotonic() && w.due <= due);
        const later = wishes.findIndex((w) => w.key === k && w.delayed && w.due > due);
        if (delay > 0 && earlier) return;
        if (delay > 0 && later !== -1) wishes.splice(later, 1);
        wishes.push({ key: k, due, delayed: delay > 0 });
      };
      queue.start();
      for (const now of steps) {
        if (now.do === 'add') {
          wish(now.key, now.delay);
          queue.add(now.key, now);
        } else if (now.do === 'finish') await finish(now.key);
        else if (now.do === 'hold') held.add(now.key);
        else if (now.do === 'release') {
          held.delete(now.key);
          queue.release(now.key);
        } else await clock.advance(now.ms);
      }
      for (const k of held) {
        held.delete(k);
        queue.release(k);
      }
      for (let round = 0; round < 30 && (running.size > 0 || queue.health().delayed > 0); round += 1) {
        for (const k of [...running.keys()]) await finish(k);
        await clock.advance(5);
      }
      if (overlaps() > 0) throw new Error('two runs of one key at once');
      for (const { key: k, due } of wishes)
        if (!started.some((run) => run.key === k && run.at >= due))
          throw new Error(`the wish of ${k} for ${due} was lost`);
      for (const [index, { key: k, at }] of started.entries()) {
        const due = wishes.some((wish) => wish.key === k && wish.due <= at);
        if (!due) throw new Error(`run ${index} of ${k} at ${at} came before its time`);
      }
      const { longestRun: _, ...counts } = queue.health();
      t.deepEqual(counts, { ready: 0, delayed: 0, held: 0, running: 0 });
      t.is(clock.pending, 0);
    }),
    { numRuns: 60 },
  );
});
