import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { type ResourceWatcher, watcher } from '../../../../../sdk/reconcile/grafana-app-sdk/watcher.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aWidget, Widget } from '../../operator/a-widget.ts';
import { aConfigMap, controlled, inDefault, theServer } from '../../operator/controlled.ts';

/** A watcher that records its notifications. */
function noting() {
  const log: string[] = [];
  const handlers: ResourceWatcher<ConfigMap> = {
    add: ({ data }) => void log.push(`add ${data?.x}`),
    update: (old, { data }) => void log.push(`update ${old.data?.x}-${data?.x}`),
    delete: ({ data }) => void log.push(`delete ${data?.x}`),
    sync: ({ data }) => void log.push(`sync ${data?.x}`),
  };
  return { log, handlers };
}

test('calls the function an event is for; a missing one counts as done', async (t) => {
  const { log, handlers } = noting();
  const [old, now] = [aConfigMap('a', { x: '1' }), aConfigMap('a', { x: '2' })];
  const actions = ['created', 'updated', 'deleted', 'resynced'] as const;
  for (const reconcile of [watcher(handlers), watcher<ConfigMap>({})])
    for (const action of actions)
      t.deepEqual(await reconcile(requestFor(ConfigMap, now, { event: { action, object: now, previous: old } })), {});
  t.deepEqual(log, ['add 2', 'update 1-2', 'delete 2', 'sync 2']);
});

test('without an event the cause decides; something gone and unknown calls no function', async (t) => {
  const calls: string[] = [];
  const reconcile = watcher<Widget>({
    add: () => void calls.push('add'),
    update: (old, current) => void calls.push(`update ${old === current}`),
    delete: () => void calls.push('delete'),
    sync: () => void calls.push('sync'),
  });
  for (const cause of ['created', 'updated', 'retry', 'resync'] as const)
    await reconcile(requestFor(Widget, aWidget('a'), { cause }));
  await reconcile(requestFor(Widget, inDefault('a'), { cause: 'deleted' }));
  t.deepEqual(calls, ['add', 'update true', 'update true', 'sync']);
});

test('works under the plain controller too: each event once, with what was before, and again after a failure', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a', { x: '1' }));
  const { log, handlers } = noting();
  let failures = 2;
  const reconcile = watcher(handlers);
  const { controller } = controlled(
    server,
    async (request) => {
      const result = await reconcile(request);
      failures -= 1;
      if (failures >= 0) throw new Error('not yet');
      return result;
    },
    { resyncInterval: 100_000 },
  );
  await server.clock.advance(500);
  t.deepEqual(log, ['add 1']);
  await server.apply(aConfigMap('a', { x: '2' }));
  await server.clock.advance(0);
  t.deepEqual(log.slice(1), ['add 2'], 'what was never added well is added, not updated');
  await server.clock.advance(10_000);
  t.deepEqual(log.slice(2), ['add 2']);
  await server.apply(aConfigMap('a', { x: '3' }));
  await server.clock.advance(0);
  t.deepEqual(log.slice(3), ['update 2-3']);
  await server.clock.advance(100_000);
  t.deepEqual(log.slice(4), ['sync 3']);
  await server.client.delete(ConfigMap, server.key('a'));
  await server.clock.advance(0);
  t.deepEqual(log.slice(5), ['delete 3']);
  t.is(controller.health().failing, 0);
});

test('GRAF-c4: hears of a deletion under the plain controller too when the object was made again before its run', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a', { x: '1' }));
  const { log, handlers } = noting();
  const gate = Promise.withResolvers<void>();
  const add = async (object: ConfigMap) => {
    handlers.add?.(object, undefined as never);
    if (object.data?.x === '1') await gate.promise;
  };
  controlled(server, watcher<ConfigMap>({ ...handlers, add }));
  await server.clock.advance(0);
  await server.client.delete(ConfigMap, server.key('a'));
  await server.apply(aConfigMap('a', { x: '2' }));
  await server.clock.advance(0);
  gate.resolve();
  await server.clock.advance(0);
  t.deepEqual(log, ['add 1', 'delete 1', 'add 2']);
});
