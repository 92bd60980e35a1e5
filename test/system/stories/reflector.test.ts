import test, { type ExecutionContext } from 'ava';
import {
  type Client,
  type Clock,
  ConfigMap,
  createClient,
  createReflector,
  loadConnection,
  Namespace,
  type ReflectorOptions,
  Store,
  systemClock,
} from '../../../sdk/index.ts';
import { eventually } from './sequencing.ts';
import { type StoryServer, startServersUnderTest } from './servers.ts';

/** Client with lists and watches that can be cut off from the server while other clients reach it. */
function onNetwork(client: Client) {
  let partition = new AbortController();
  const refuseWhenCut = () => partition.signal.throwIfAborted();
  const reached: Pick<Client, 'list' | 'watch'> = {
    async list(kind, options) {
      refuseWhenCut();
      return client.list(kind, options);
    },
    async *watch(kind, options = {}) {
      refuseWhenCut();
      const signal = AbortSignal.any([partition.signal, ...(options.signal ? [options.signal] : [])]);
      yield* client.watch(kind, { ...options, signal });
    },
  };
  return {
    client: reached,
    cut: () => partition.abort(new Error('the network is cut')),
    fix: () => {
      partition = new AbortController();
    },
  };
}

/** Logger that records level, text and `since` of each line above debug. */
function noting() {
  const lines: { readonly line: string; readonly since: string | undefined }[] = [];
  const logged = (level: string) => (about: { readonly since?: string }, text: string) =>
    void lines.push({ line: `${level} ${text}`, since: about.since });
  const logger = { debug: () => {}, info: logged('info'), warn: logged('warn'), error: logged('error') };
  return { lines, logger: logger as unknown as NonNullable<ReflectorOptions<ConfigMap>['logger']> };
}

/** Clock that shows twenty times the time that passes; waits take as long as they do. */
const fastClock: Clock = {
  ...systemClock,
  now: () => 20 * systemClock.now(),
  monotonic: () => 20 * systemClock.monotonic(),
};

/** Follows the ConfigMaps `a`, `b`, ... of a namespace of its own, and records the notifications. */
async function reflected(
  t: ExecutionContext,
  client: Client,
  options: Partial<Pick<ReflectorOptions<ConfigMap>, 'streaming' | 'idleTimeout' | 'logger' | 'clock'>> = {},
) {
  const { metadata } = await client.create(Namespace, { metadata: { generateName: 'reflected-' } });
  const namespace = metadata.name;
  const put = (name: string, x = '') => client.create(ConfigMap, { metadata: { namespace, name }, data: { x } });
  const change = (name: string, x: string) =>
    client.patch(ConfigMap, { namespace, name }, { type: 'merge', value: { data: { x } } });
  const remove = (name: string) => client.delete(ConfigMap, { namespace, name });
  for (const name of ['a', 'b', 'c']) await put(name);

  const store = new Store<ConfigMap>();
  const told: string[] = [];
  const network = onNetwork(client);
  const reflector = createReflector({
    client: network.client,
    kind: ConfigMap,
    selection: { namespace, fields: 'metadata.name!=kube-root-ca.crt' },
    store,
    onChange: ({ type, object }, initial) => told.push(`${type} ${object.metadata.name}${initial ? ' (initial)' : ''}`),
    ...options,
  });
  const stop = new AbortController();
  const ended = reflector.run(stop.signal);
  t.teardown(async () => {
    stop.abort();
    await ended;
  });
  await reflector.synced;
  return {
    store,
    told,
    reflector,
    network,
    put,
    change,
    remove,
    /** Waits until the last notification equals this one. */
    heard: (last: string) =>
      eventually(`${last} is reported; so far ${told}`, async () => (told.at(-1) === last ? true : undefined)),
  };
}

const connect = async ({ kubeconfigPath }: StoryServer): Promise<Client> =>
  createClient({ connection: await loadConnection({ kubeconfig: kubeconfigPath }) });

const initially = ['added a (initial)', 'added b (initial)', 'added c (initial)'];

const servers = await startServersUnderTest();
const clients = await Promise.all(servers.map(connect));

for (const [index, { name, faults, close }] of servers.entries()) {
  const client = clients[index]!;
  test.after.always(`${name} stops`, async () => {
    await client.close();
    await close();
  });

  for (const streaming of [true, false])
    test.serial(`${name}: lists ${streaming ? 'by a stream' : 'by pages'}, then follows every change`, async (t) => {
      const { told, put, change, remove, heard, reflector, store } = await reflected(t, client, { streaming });
      t.deepEqual(told.sort(), initially);
      await put('d');
      await change('a', '1');
      await remove('b');
      await heard('deleted b');
      t.deepEqual(told.slice(3), ['added d', 'updated a', 'deleted b']);
      t.like(reflector.health(), { lists: 1, failures: 0, objects: 3, synced: true });
      t.true(Object.isFrozen(store.list()[0]));
    });

  test.serial(`${name}: continues from where it was when the server was killed and started again`, async (t) => {
    const { told, put, heard, reflector } = await reflected(t, client);
    await faults.kill();
    await eventually('a failure is shown', async () => reflector.health().failures > 0 || undefined);
    t.truthy(reflector.health().lastError);
    await faults.restart();
    await put('d');
    await heard('added d');
    t.deepEqual(told.slice(3), ['added d']);
    t.is(reflector.health().lists, 1);
  });

  test.serial(`${name}: lists anew when history is forgotten, and tells what was deleted meanwhile`, async (t) => {
    const { told, put, change, remove, heard, reflector, network } = await reflected(t, client);
    network.cut();
    await remove('a');
    await change('b', '1');
    await put('d');
    await faults.forget();
    network.fix();
    await heard('added d');
    t.is(reflector.health().lists, 2);
    t.deepEqual(told.slice(3), ['deleted a', 'updated b', 'added d']);
  });

  test.serial(`${name}: notices a server that stands still, says since when, and continues when it does`, async (t) => {
    const { lines, logger } = noting();
    const { told, put, heard } = await reflected(t, client, { idleTimeout: 1_000, logger, clock: fastClock });
    const before = fastClock.now();
    await put('d');
    await heard('added d');
    await faults.pause();
    const paused = fastClock.now();
    t.deepEqual(lines, [], 'a server that is well is not reported');
    await eventually('its silence is reported', async () => lines.length > 0 || undefined);
    faults.resume();
    await put('e');
    await heard('added e');
    t.deepEqual(told.slice(3), ['added d', 'added e']);
    t.deepEqual(
      lines.map(({ line }) => line),
      ['warn no response from the API server, retrying', 'info the API server responds again'],
    );
    const [warned = 0, ended = 0] = lines.map(({ since }) => Date.parse(since ?? ''));
    t.is(warned, ended);
    t.true(warned >= before && warned <= paused, `${warned} is not between ${before} and ${paused}`);
  });
}
