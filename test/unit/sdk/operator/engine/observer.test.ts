import test from 'ava';
import { combinedObserver, type Observer, queueObserverOf } from '../../../../../sdk/operator/engine/observer.ts';

const request = { verb: 'GET', kind: 'pods', subresource: 'spec', method: 'GET', url: '/' } as const;

/** An observer that records its calls. */
const noting = (name: string, log: string[]): Observer => ({
  attached: ({ name: controller }) => void log.push(`${name} ${controller}`),
  queued: (controller, later) => void log.push(`${name} ${controller} ${later}`),
  refused: ({ write, code }) => void log.push(`${name} ${write} ${code}`),
  async event(_, work) {
    log.push(`${name} begins`);
    await work();
    log.push(`${name} ends`);
  },
  watch: () => ({
    opened: () => void log.push(`${name} opened`),
    event: () => void log.push(`${name} event`),
    ended: (error) => void log.push(`${name} ended ${error}`),
  }),
  async *follow(_, events) {
    log.push(`${name} follows`);
    yield* events;
  },
});

test('all are told of a write that was refused', (t) => {
  const log: string[] = [];
  combinedObserver(noting('a', log), {}, noting('b', log)).refused!({ write: 'intent', code: 'policy' });
  t.deepEqual(log, ['a intent policy', 'b intent policy']);
});

test('several observers all see what happens, the first outermost', async (t) => {
  const log: string[] = [];
  const both = combinedObserver(noting('a', log), {}, noting('b', log));
  const observed = { controller: 'c', resourceKind: 'foo', action: 'created', object: {} as never } as const;
  await both.event!(observed, async () => void log.push('work'));
  both.attached!({ name: 'c', workers: 1, health: () => ({}) as never });
  both.queued!('c', true);
  const watch = both.watch!(request);
  watch.opened!();
  watch.event!();
  watch.ended!('why');
  t.deepEqual(log.splice(0), [
    'a begins',
    'b begins',
    'work',
    'b ends',
    'a ends',
    'a c',
    'b c',
    'a c true',
    'b c true',
    'a opened',
    'b opened',
    'a event',
    'b event',
    'a ended why',
    'b ended why',
  ]);
  const source = { controller: 'c', group: '', version: 'v1', kind: 'Pod', namespace: undefined };
  const items: number[] = [];
  async function* numbers() {
    yield 1;
    yield 2;
  }
  for await (const item of both.follow!(source, numbers())) items.push(item);
  t.deepEqual(
    [items, log],
    [
      [1, 2],
      ['a follows', 'b follows'],
    ],
  );
});

test('what is not looked at is not there, and costs nothing', (t) => {
  t.deepEqual(combinedObserver({}, {}), {});
  t.deepEqual(Object.keys(combinedObserver({ taken: () => undefined })), ['taken']);
});

test('a queue is told of by the name of its controller', (t) => {
  const told: unknown[] = [];
  const queue = queueObserverOf('c', {
    queued: (...what) => void told.push(what),
    taken: (...what) => void told.push(what),
  });
  queue.queued(true);
  queue.taken(5);
  queue.worked(6);
  t.deepEqual(told, [
    ['c', true],
    ['c', 5],
  ]);
});
