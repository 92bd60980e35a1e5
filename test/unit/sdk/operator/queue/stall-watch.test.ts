import test from 'ava';
import type { KubeObject } from '../../../../../sdk/api/object.ts';
import { createInformerController } from '../../../../../sdk/operator/controller/controller.ts';
import type { Occupancy } from '../../../../../sdk/operator/queue/running-keys.ts';
import { theWidgets, Widget } from '../a-widget.ts';
import { aQueue } from './a-queue.ts';

const minute = 60_000;

/** Queue of one worker whose keys are of the tenant before their slash, and what was told of it. */
function aWatchedQueue() {
  const told: (Occupancy | undefined)[] = [];
  const made = aQueue({
    workers: 1,
    tenantOf: (key) => key.split('/')[0] ?? '',
    onStall: (occupancy) => void told.push(occupancy),
  });
  made.queue.start();
  return { ...made, told };
}

test('a queue that runs without an end hold is reported once, with whose they are; and once when it continues', async (t) => {
  const { clock, queue, told, finish, keys } = aWatchedQueue();
  for (let count = 0; count < 8; count += 1) queue.add(`many/${count}`);
  for (const key of ['few/a', 'few/b', 'late/a', 'late/b']) queue.add(key);
  await clock.advance(9 * minute);
  t.is(keys().length, 10);
  await clock.advance(2 * minute - 1);
  t.deepEqual(told, []);
  t.is(queue.health().stalled, 2 * minute - 1);
  await clock.advance(1);
  const [occupancy] = told;
  t.like(occupancy, { waiting: 2, running: 10 });
  t.deepEqual(Object.entries(occupancy!.tenants)[0], ['many', 6]);
  t.deepEqual(Object.entries(occupancy!.longest)[0], [keys()[0], 11 * minute]);
  t.is(Object.keys(occupancy!.longest).length, 5);
  await clock.advance(20 * minute);
  t.is(told.length, 1);
  await finish(keys()[0]!);
  t.deepEqual(told.slice(1), [undefined]);
  t.is(queue.health().stalled, 0);
});

test('a queue in which one run after the other begins is not held, however many wait', async (t) => {
  const { clock, queue, told, finish } = aWatchedQueue();
  for (let count = 0; count < 20; count += 1) queue.add(`many/${count}`);
  for (let count = 0; count < 20; count += 1) {
    await clock.advance(minute - 1);
    await finish(`many/${count}`);
  }
  await clock.advance(10 * minute);
  t.deepEqual(told, []);
  t.is(queue.health().stalled, 0);
});

test('a queue that drains tells nothing', async (t) => {
  const { clock, queue, told } = aWatchedQueue();
  for (let count = 0; count < 12; count += 1) queue.add(`many/${count}`);
  await clock.advance(9 * minute + 1);
  const drainQueue = queue.drain(10 * minute);
  await clock.advance(10 * minute);
  t.is((await drainQueue).length, 10);
  t.deepEqual(told, []);
});

test('a controller has one line at warn, which names whose runs hold it', async (t) => {
  const { client, clock, namespace, create } = await theWidgets();
  const said: (readonly [level: string, about: Readonly<Record<string, unknown>>, text: string])[] = [];
  const say = (level: string) => (about: Readonly<Record<string, unknown>>, text: string) =>
    void said.push([level, about, text]);
  const levels = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, say(level)]));
  const logger = { ...levels, child: () => logger } as never;
  const tenantBy = ({ metadata }: KubeObject) => metadata.labels?.team ?? '';
  const reconciler = () => new Promise<never>(() => {});
  const kind = { kind: Widget, selection: { namespace } };
  const controller = createInformerController({ client, clock, ...kind, workers: 1, tenantBy, logger, reconciler });
  void controller.run(new AbortController().signal);
  for (let number = 0; number < 12; number += 1) await create(`w-${number}`, { labels: { team: 'many' } });
  for (let minutes = 0; minutes < 14; minutes += 1) await clock.advance(60_000);
  const stalls = said.filter(([, , text]) => text.startsWith('no run has begun for two minutes, though keys wait'));
  t.deepEqual(
    stalls.map(([level]) => level),
    ['warn'],
  );
  t.like(stalls[0]?.[1], { waiting: 2, running: 10, tenants: { many: 10 } });
});
