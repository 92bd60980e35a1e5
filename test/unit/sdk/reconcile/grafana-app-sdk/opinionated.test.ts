import test from 'ava';
import { dequeueAll } from '../../../../../sdk/operator/engine/retry-dequeue.ts';
import { informer } from '../../../../../sdk/operator/watch-controller/informer.ts';
import { type OpinionatedOptions, opinionated } from '../../../../../sdk/reconcile/grafana-app-sdk/opinionated.ts';
import type { ResourceWatcher } from '../../../../../sdk/reconcile/grafana-app-sdk/watcher.ts';
import { theWidgets, Widget, type Widgets, watching } from '../../operator/a-widget.ts';
import { until } from '../../operator/controlled.ts';

const ours = 'widgets.example.com/operator';
const wip = 'widgets.example.com/operator-wip';

/** An opinionated watcher that records its calls; each fails as often as `failures` specifies. */
async function watched(
  server: Widgets,
  failures: { add?: number; remove?: number } = {},
  options: OpinionatedOptions & Parameters<typeof watching>[1] = {},
) {
  const { finalizer, claim, ...rest } = options;
  const log: string[] = [];
  const left = { ...failures };
  const fail = (what: 'add' | 'remove') => {
    left[what] = (left[what] ?? 0) - 1;
    if (left[what]! >= 0) throw new Error(`${what} fails`);
  };
  const handlers: ResourceWatcher<Widget> = {
    add: ({ metadata }) => {
      log.push(`add ${metadata.name}`);
      fail('add');
    },
    update: (old, { metadata, spec }) => void log.push(`update ${metadata.name} ${old.spec.size}-${spec.size}`),
    delete: ({ metadata }) => {
      log.push(`delete ${metadata.name}`);
      fail('remove');
    },
    sync: ({ metadata }) => void log.push(`sync ${metadata.name}`),
  };
  const world = await watching(server, rest);
  const about = { ...(finalizer && { finalizer }), ...(claim && { claim }) };
  world.controller.addWatcher<Widget>(opinionated<Widget>(about, handlers), 'foo');
  const stopped = async () => {
    world.stop.abort();
    await server.clock.advance(10);
  };
  return { ...world, log, handlers, stopped };
}

const patchesOf = ({ cluster }: Widgets) =>
  cluster.audit.filter(({ method, url }) => method === 'PATCH' && url.includes('/widgets/')).length;

test('GRAF-T8, GRAF-c1: resyncs cancel no retry: a failed deletion is tried again until it goes well', async (t) => {
  for (const retryDequeuePolicy of [undefined, dequeueAll]) {
    const server = await theWidgets();
    await server.create('a', { finalizers: [ours] });
    const options = { ...(retryDequeuePolicy && { retryDequeuePolicy }) };
    const { log, controller, widgets, run } = await watched(server, { remove: 4 }, options);
    await controller.removeInformer(widgets, 'foo');
    controller.addInformer(
      informer(Widget, { selection: { namespace: server.namespace }, resyncInterval: 30_000 }),
      'foo',
    );
    void run();
    await until(server.clock, () => log.length === 1);
    const start = server.clock.monotonic();
    await server.remove('a');
    await server.clock.advance(74_000);
    t.deepEqual(log, ['sync a', ...Array(4).fill('delete a')], '0, 5, 15 and 35 s');
    t.true(await server.exists('a'));
    await server.clock.advance(2000);
    t.is(log.length, 6, `the 40 s one at ${server.clock.monotonic() - start}`);
    t.false(await server.exists('a'));
    await server.clock.advance(600_000);
    t.is(log.length, 6);
  }
});

test('GRAF-T8: what asks to run in 60 s runs once then, whatever is resynced meanwhile', async (t) => {
  const server = await theWidgets();
  const { controller, widgets, run } = await watching(server);
  await controller.removeInformer(widgets, 'foo');
  controller.addInformer(
    informer(Widget, { selection: { namespace: server.namespace }, resyncInterval: 25_000 }),
    'foo',
  );
  const seen: unknown[] = [];
  controller.addReconciler<Widget>(async ({ state, cause }) => {
    seen.push([cause, state?.n]);
    return cause === 'created' ? { requeueAfter: 60_000, state: { n: 1 } } : {};
  }, 'foo');
  await server.create('a');
  void run();
  await server.clock.advance(70_000);
  t.deepEqual(seen, [
    ['created', undefined],
    ['requeue', 1],
  ]);
  await server.clock.advance(10_000);
  t.deepEqual(seen[2], ['resync', undefined]);
});

test('GRAF-T11: a new object is added once; after a restart it is synced, without a patch', async (t) => {
  const server = await theWidgets();
  await server.create('a');
  const first = await watched(server);
  void first.run();
  await server.clock.advance(1000);
  t.deepEqual(first.log, ['add a']);
  t.deepEqual(await server.finalizers('a'), [ours]);
  await first.stopped();
  const before = patchesOf(server);
  const second = await watched(server);
  void second.run();
  await server.clock.advance(1000);
  t.deepEqual(second.log, ['sync a']);
  t.is(patchesOf(server), before);
});

test('GRAF-T13: a deletion while adding fails is cleaned up after, and adding does not come back', async (t) => {
  const server = await theWidgets();
  const { log, run } = await watched(server, { add: 2 });
  void run();
  await server.create('a');
  await until(server.clock, () => log.length === 1);
  t.deepEqual(await server.finalizers('a'), [wip]);
  await server.clock.advance(5000);
  t.deepEqual(log, ['add a', 'add a']);
  await server.remove('a');
  await server.clock.advance(600_000);
  t.deepEqual(log, ['add a', 'add a', 'delete a']);
  t.false(await server.exists('a'));
});

test('GRAF-T13, GRAF-c16: the real finalizer comes also if the in-progress one was removed', async (t) => {
  const server = await theWidgets();
  const { controller, run } = await watching(server);
  const add = async () => void (await server.setFinalizers('a', ['example.com/other']));
  controller.addWatcher<Widget>(opinionated<Widget>({}, { add }), 'foo');
  void run();
  await server.create('a');
  await server.clock.advance(1000);
  t.deepEqual(await server.finalizers('a'), ['example.com/other', ours]);
});

test('GRAF-T14: a status, our own finalizer and a resourceVersion are not updates; a spec, a label and a deletion are', async (t) => {
  const server = await theWidgets();
  const { log, run } = await watched(server);
  void run();
  await server.create('a');
  await server.clock.advance(1000);
  await server.note('a', 'status only');
  await server.clock.advance(1000);
  t.deepEqual(log, ['add a']);
  await server.resize('a', 2);
  await server.clock.advance(1000);
  t.deepEqual(log.slice(1), ['update a 1-2']);
  await server.label('a', { x: 'y' });
  await server.clock.advance(1000);
  t.deepEqual(log.slice(2), ['update a 2-2'], 'GRAF-c14');
  await server.setFinalizers('a', []);
  await server.clock.advance(1000);
  t.deepEqual(log.slice(3), ['add a'], 'without a finalizer it was never handled: added, not updated');
  t.deepEqual(await server.finalizers('a'), [ours]);
  await server.remove('a');
  await server.clock.advance(1000);
  t.deepEqual(log.slice(4), ['delete a'], 'whatever its generation');
  t.false(await server.exists('a'));
});

test('GRAF-T15: a failed deletion patches nothing and is tried again; the end of the object calls no watcher', async (t) => {
  const server = await theWidgets();
  await server.create('a', { finalizers: ['example.com/other', ours] });
  const { log, run } = await watched(server, { remove: 1 });
  void run();
  await until(server.clock, () => log.length === 1);
  await server.remove('a');
  await server.clock.advance(1000);
  t.deepEqual([log.slice(1), patchesOf(server)], [['delete a'], 0]);
  await server.clock.advance(5000);
  t.deepEqual(log.slice(1), ['delete a', 'delete a']);
  t.deepEqual(await server.finalizers('a'), ['example.com/other']);
  t.is(patchesOf(server), 1);
  await server.setFinalizers('a', []);
  await server.clock.advance(60_000);
  t.false(await server.exists('a'));
  t.deepEqual([log.length, patchesOf(server)], [3, 2], 'only the patch of this test');
});

test('with claim after, the finalizer comes after the first call, as grafana-app-sdk had it', async (t) => {
  const server = await theWidgets();
  const { log, run } = await watched(server, { add: 1 }, { claim: 'after', finalizer: 'example.com/mine' });
  void run();
  await server.create('a');
  await until(server.clock, () => log.length === 1);
  t.deepEqual(await server.finalizers('a'), []);
  await server.clock.advance(6000);
  t.deepEqual(log, ['add a', 'add a']);
  t.deepEqual(await server.finalizers('a'), ['example.com/mine']);
});

test('what an operator on grafana-app-sdk has handled continues under its finalizer', async (t) => {
  const theirs = 'operator.v1.widget.example.com';
  const server = await theWidgets();
  await server.create('a', { finalizers: [theirs] });
  const { log, run } = await watched(server, {}, { finalizer: theirs });
  void run();
  await server.clock.advance(1000);
  await server.create('b');
  await server.clock.advance(1000);
  t.deepEqual(log, ['sync a', 'add b']);
  t.deepEqual(await server.finalizers('b'), [theirs]);
  for (const name of ['a', 'b']) await server.remove(name);
  await server.clock.advance(1000);
  t.deepEqual(log.slice(2), ['delete a', 'delete b']);
  t.false(await server.exists('a'));
});

test('GRAF-c5: what patches made in the first call do not call it again', async (t) => {
  const server = await theWidgets();
  const { controller, run } = await watching(server);
  let calls = 0;
  const add = async () => {
    calls += 1;
    await server.label('a', { made: 'by-us' });
  };
  controller.addWatcher<Widget>(opinionated<Widget>({}, { add }), 'foo');
  void run();
  await server.create('a');
  await server.clock.advance(60_000);
  t.is(calls, 1);
});
