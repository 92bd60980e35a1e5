import test from 'ava';
import * as z from 'zod';
import { defineKind } from '../../../../../sdk/api/kind.ts';
import type { KubeObject } from '../../../../../sdk/api/object.ts';
import type { Client } from '../../../../../sdk/client/client.ts';
import type { EventHandler, EventSource } from '../../../../../sdk/operator/watch-controller/custom-event-source.ts';
import { createWatchController } from '../../../../../sdk/operator/watch-controller/watch-controller.ts';
import { simple } from '../../../../../sdk/reconcile/grafana-app-sdk/simple.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { until } from '../controlled.ts';

interface Order extends KubeObject {
  readonly spec: { readonly amount: number };
}

/** An object announced by a queue outside of any cluster. */
const Order = defineKind<Order>({
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Order',
  schema: () => z.looseObject({}),
});

const order = (name: string, amount: number, metadata: object = {}): Order => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Order',
  metadata: { name, ...metadata },
  spec: { amount },
});

/** A controller that follows a source of events, without a server. */
function following(options: Partial<EventSource<Order>> = {}) {
  const clock = createManualClock();
  const failures: string[] = [];
  const log: string[] = [];
  const handlers: EventHandler<Order>[] = [];
  const events: EventSource<Order> = {
    kind: Order,
    async run(handler, signal) {
      handlers.push(handler);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    ...options,
  };
  const controller = createWatchController({
    client: {} as Client, // never called
    clock,
    random: () => 0,
    errorHandler: (error, { type }) => void failures.push(`${type}: ${(error as Error).message}`),
  });
  controller.addInformer(events, 'orders');
  controller.addReconciler(
    simple<Order>(async ({ action, object, previous }) => {
      const before = previous && action === 'updated' ? `${previous.spec.amount} to ` : '';
      log.push(`${action} ${object.metadata.name} ${before}${object.spec.amount}`);
      return {};
    }),
    'orders',
  );
  const stop = new AbortController();
  const run = () => controller.run(stop.signal);
  return { clock, controller, events, failures, handlers, log, run, stop };
}

test('GRAF-T21: a source of one’s own is followed like an informer: created, updated, deleted, and nothing twice', async (t) => {
  const { clock, controller, events, handlers, log, run, stop } = following();
  const ended = run();
  await until(clock, () => handlers.length === 1);
  const [handler] = handlers as [EventHandler<Order>];
  const mine = order('a', 1);
  handler.update(mine);
  handler.update(order('a', 1));
  await clock.advance(0);
  handler.update(order('a', 2));
  await clock.advance(0);
  handler.delete({ name: 'a' });
  handler.delete({ name: 'nobody' });
  await clock.advance(0);
  t.deepEqual(log, ['created a 1', 'updated a 1 to 2', 'deleted a 2']);
  t.false(Object.isFrozen(mine), 'copies are kept');
  handler.update(order('a', 3));
  await clock.advance(0);
  t.deepEqual(log.slice(3), ['created a 3']);
  t.is(controller.storeOf(events).get({ name: 'a' })?.spec.amount, 3);
  stop.abort();
  await ended;
});

test('GRAF-T21: a poll tells everything there is: what is missing is gone', async (t) => {
  const { clock, controller, handlers, log, run } = following({ lists: true });
  void run();
  await until(clock, () => handlers.length === 1);
  const [handler] = handlers as [EventHandler<Order>];
  t.false(controller.health().synced, 'nothing was listed yet');
  handler.replace([order('a', 1), order('b', 1)]);
  await controller.synced;
  await clock.advance(0);
  handler.replace([order('b', 2), order('c', 1)]);
  await clock.advance(0);
  t.deepEqual(log, ['created a 1', 'created b 1', 'deleted a 1', 'updated b 1 to 2', 'created c 1']);
  t.like(controller.health(), {
    synced: true,
    sources: [{ resource: 'orders.shop.example.com', objects: 2, lists: 2 }],
  });
});

test('versions of a server are kept, and what is older than what is known is passed over', async (t) => {
  const { clock, handlers, log, run } = following();
  void run();
  await until(clock, () => handlers.length === 1);
  const [handler] = handlers as [EventHandler<Order>];
  handler.update(order('a', 2, { uid: 'u', resourceVersion: '8' }));
  await clock.advance(0);
  handler.update(order('a', 1, { uid: 'u', resourceVersion: '7' }));
  await clock.advance(0);
  t.deepEqual(log, ['created a 2']);
  handler.update(order('a', 5, { uid: 'another', resourceVersion: '9' }));
  await clock.advance(0);
  t.deepEqual(log.slice(1), ['deleted a 2', 'created a 5']);
});

test('GRAF-c10: a source that fails is reported and run again, later each time; one that ends has told all', async (t) => {
  let runs = 0;
  const { clock, controller, failures, log, run, stop } = following({
    lists: true,
    async run(handler) {
      runs += 1;
      if (runs < 3) throw new Error(`no queue ${runs}`);
      handler.update(order('a', 1));
    },
  });
  const ended = run();
  await clock.advance(0);
  t.deepEqual(failures, ['informer: no queue 1']);
  t.like(controller.health().sources[0], { synced: false, lastError: 'no queue 1' });
  await clock.advance(1000);
  t.is(runs, 2);
  await clock.advance(1999);
  t.is(runs, 2);
  await clock.advance(1);
  t.is(runs, 3);
  await clock.advance(0);
  t.deepEqual(log, ['created a 1']);
  t.true(controller.health().synced);
  await clock.advance(600_000);
  t.is(runs, 3);
  stop.abort();
  await ended;
});

test('resyncs come as for an informer, and what is removed is told no more', async (t) => {
  const { clock, controller, events, handlers, log, run } = following({ resyncInterval: 1000 });
  void run();
  await until(clock, () => handlers.length === 1);
  handlers[0]!.update(order('a', 1));
  await clock.advance(1000);
  t.deepEqual(log, ['created a 1', 'resynced a 1']);
  await controller.removeInformer(events, 'orders');
  handlers[0]!.update(order('a', 2));
  await clock.advance(5000);
  t.is(log.length, 2);
});
