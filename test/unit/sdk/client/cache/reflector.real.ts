import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { createReflector } from '../../../../../sdk/client/cache/reflector.ts';
import { Store } from '../../../../../sdk/client/cache/store.ts';
import { loadConnection } from '../../../../../sdk/client/config/load-connection.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { createInformerController } from '../../../../../sdk/operator/controller/controller.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { startRealServer } from '../../../../system/real/server.ts';
import { until } from '../../../../system/real/until.ts';

const server = await startRealServer({ controllers: false });
const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
test.after.always(async () => {
  await client.close();
  await server.close();
});

const aConfigMap = (namespace: string, name: string, data: Readonly<Record<string, string>> = {}) => ({
  metadata: { namespace, name },
  data,
});
const eventually = (reached: () => boolean) =>
  until(async () => reached() || undefined, { message: () => `never happened: ${reached}` });

/** A reflector of ConfigMaps in a namespace of its own. */
async function following(namespace: string, { streaming = true, idleTimeout = 90_000 } = {}) {
  await server.api.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  const store = new Store<ConfigMap>();
  const told: string[] = [];
  const onChange = ({ type, object }: { type: string; object: ConfigMap }) =>
    told.push(`${type} ${object.metadata.name}`);
  const options = { client, kind: ConfigMap, store, selection: { namespace }, onChange, streaming, idleTimeout };
  const reflector = createReflector(options);
  const stop = new AbortController();
  const ended = reflector.run(stop.signal);
  await reflector.synced;
  const apply = (name: string, data = {}) => client.create(ConfigMap, aConfigMap(namespace, name, data));
  const remove = (name: string) => client.delete(ConfigMap, { namespace, name });
  const names = () =>
    store
      .list()
      .map(({ metadata }) => metadata.name)
      .sort()
      .join();
  const end = async () => {
    stop.abort();
    await ended;
  };
  return { store, told, reflector, apply, remove, names, end };
}

for (const streaming of [true, false])
  test.serial(`follows a real server by ${streaming ? 'streaming' : 'paged'} lists`, async (t) => {
    const world = await following(streaming ? 'streamed' : 'paged', { streaming });
    await world.apply('a');
    await world.apply('b');
    await world.remove('a');
    await eventually(() => world.told.length === 3);
    t.deepEqual(world.told, ['added a', 'added b', 'deleted a']);
    t.like(world.reflector.health(), { synced: true, lists: 1, failures: 0, objects: 1 });
    await world.end();
  });

test.serial('continues after a restart of the server, and lists anew when its history is gone', async (t) => {
  const world = await following('restarted');
  await world.apply('a');
  await world.apply('b');
  await eventually(() => world.names() === 'a,b');
  await server.restart();
  await world.apply('c');
  await eventually(() => world.names() === 'a,b,c');
  await server.kill();
  await eventually(() => world.reflector.health().failures > 0);
  t.truthy(world.reflector.health().lastError);
  await server.restart();
  await world.remove('a');
  await server.compact();
  await server.restart();
  await eventually(() => world.names() === 'b,c');
  t.deepEqual(world.told, ['added a', 'added b', 'added c', 'deleted a']);
  await world.end();
});

test.serial('notices a server that has stopped answering, and catches up', async (t) => {
  const world = await following('paused', { idleTimeout: 2000 });
  await server.pause();
  await eventually(() => world.reflector.health().failures > 0);
  server.resume();
  await world.apply('a');
  await eventually(() => world.names() === 'a');
  t.pass();
  await world.end();
});

test.serial('two writes per object, each run on fresh data: no conflict, nothing written twice', async (t) => {
  const namespace = 'controlled';
  await server.api.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  for (let i = 0; i < 100; i += 1) await client.create(ConfigMap, aConfigMap(namespace, `c${i}`));
  let writes = 0;
  const controller = createInformerController({
    client,
    kind: ConfigMap,
    selection: { namespace },
    reconciler: async ({ key, object }) => {
      const step = Object.keys(object?.data ?? {}).length;
      if (object === undefined || step === 2) return done;
      writes += 1;
      await controller.client.update(ConfigMap, { ...object, data: { ...object.data, [`step${step}`]: key.name } });
      return done;
    },
  });
  const stop = new AbortController();
  const ended = controller.run(stop.signal);
  await eventually(() => controller.store.list().filter(({ data }) => data?.step1 !== undefined).length === 100);
  await eventually(() => controller.health().queue.running + controller.health().queue.ready === 0);
  stop.abort();
  await ended;
  t.is(writes, 200);
  t.like(controller.health(), { failures: 0, ownWrites: { waiting: 0, overdue: 0 } });
});
