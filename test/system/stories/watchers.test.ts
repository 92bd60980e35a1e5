import test, { type ExecutionContext } from 'ava';
import * as z from 'zod';
import {
  type Client,
  type ControllerHealth,
  createWatchController,
  defineKind,
  ensureCrds,
  exponentialBackoff,
  informer,
  type KubeObject,
  Namespace,
  opinionated,
  type ResourceWatcher,
} from '../../../sdk/index.ts';
import { eventually } from './sequencing.ts';
import { startClientsUnderTest } from './servers.ts';

interface Gadget extends KubeObject {
  readonly spec: { readonly size: number };
  readonly status?: { readonly note?: string };
}

const Gadget = defineKind<Gadget>({
  group: 'stories.example.com',
  version: 'v1',
  kind: 'Gadget',
  schema: () =>
    z.object({ spec: z.object({ size: z.int() }), status: z.object({ note: z.string().optional() }).optional() }),
});

const ours = 'gadgets.stories.example.com/operator';

/**
 * Creates gadgets in a namespace of their own; `start` runs a controller in which an opinionated and a plain watcher follow them, until the test
 * ends at the latest: a worker with a running controller would not exit.
 */
async function gadgets(t: ExecutionContext, client: Client, { addFails = 0, deleteFails = 0, through = client } = {}) {
  await ensureCrds(client, [Gadget]);
  const { metadata } = await client.create(Namespace, { metadata: { generateName: 'watchers-' } });
  const namespace = metadata.name;
  const key = (name: string) => ({ namespace, name });
  const start = () => {
    const log: string[] = [];
    const plain: string[] = [];
    const failing = (what: string, times: number) => ({ left: times, what });
    const [adding, deleting] = [failing('add', addFails), failing('delete', deleteFails)];
    const tell = (line: string, failure?: { left: number; what: string }): void => {
      log.push(line);
      if (failure !== undefined && failure.left-- > 0) throw new Error(`${failure.what} fails`);
    };
    const handlers: ResourceWatcher<Gadget> = {
      add: ({ spec }) => tell(`add ${spec.size}`, adding),
      update: (old, { spec }) => tell(`update ${old.spec.size}-${spec.size}`),
      delete: ({ spec }) => tell(`delete ${spec.size}`, deleting),
      sync: ({ spec }) => tell(`sync ${spec.size}`),
    };
    const controller = createWatchController({
      client: through,
      retry: exponentialBackoff({ initialDelay: 200, maxDelay: 400 }),
      errorHandler: () => undefined,
    });
    controller.addInformer(informer(Gadget, { selection: { namespace } }), 'gadget');
    controller.addWatcher(opinionated<Gadget>({}, handlers), 'gadget');
    controller.addWatcher<Gadget>({ delete: ({ metadata: { name } }) => void plain.push(name) }, 'gadget');
    const stop = new AbortController();
    const ended = controller.run(stop.signal);
    const stopped = () => {
      stop.abort();
      return ended;
    };
    t.teardown(stopped);
    return { log, plain, controller, stop: stopped };
  };
  const finalizersOf = async (name: string) => (await client.get(Gadget, key(name))).metadata.finalizers ?? [];
  return {
    key,
    start,
    create: (name: string, finalizers: readonly string[] = []) =>
      client.create(Gadget, { metadata: { ...key(name), finalizers }, spec: { size: 1 } }),
    finalizersOf,
    isSettled: async (name: string) => (await finalizersOf(name)).includes(ours),
    names: async () => (await client.list(Gadget, { namespace })).items.map((gadget) => gadget.metadata.name),
  };
}

/** The same client with watches that can be cut and prevented from starting. */
function onWire(client: Client) {
  let wire = new AbortController();
  async function* watch(...[kind, options = {}]: Parameters<Client['watch']>) {
    wire.signal.throwIfAborted();
    yield* client.watch(kind, { ...options, signal: AbortSignal.any([wire.signal, options.signal ?? wire.signal]) });
  }
  const get = (target: Client, member: keyof Client) => (member === 'watch' ? watch : target[member]);
  return {
    client: new Proxy(client, { get }),
    cut: () => wire.abort(new Error('the wire is cut')),
    fix: () => {
      wire = new AbortController();
    },
  };
}

/** Reports whether nothing is running and nothing waits, be it for a worker, a retry or the watch to show an own write. */
const isCalm = ({ queue: { running, ready, delayed, held } }: ControllerHealth): boolean =>
  running + ready + delayed + held === 0;

const merge = (value: object) => ({ type: 'merge', value }) as const;

for (const { name, client, faults, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  test.serial(
    `${name}: GRAF-T11, GRAF-T12, GRAF-T14, GRAF-T15: a life under an opinionated watcher, through a restart`,
    async (t) => {
      const world = await gadgets(t, client, { deleteFails: 1 });
      const { key, finalizersOf, isSettled, names } = world;
      const first = world.start();
      await world.create('a', ['other.io/x']);
      await eventually('it is settled', async () => (await isSettled('a')) || undefined);
      t.deepEqual(await finalizersOf('a'), ['other.io/x', ours]);
      await client.patch(Gadget, key('a'), merge({ status: { note: 'x' } }), { subresource: 'status' });
      await client.patch(Gadget, key('a'), merge({ spec: { size: 2 } }));
      await eventually('the update is reported', async () => first.log.length >= 2 || undefined);
      t.deepEqual(first.log, ['add 1', 'update 1-2']);
      await first.stop();

      const second = world.start();
      await eventually('it is synced', async () => second.log.length >= 1 || undefined);
      await client.delete(Gadget, key('a'));
      await eventually('it is let go', async () => (await finalizersOf('a')).length === 1 || undefined);
      t.deepEqual(second.log, ['sync 2', 'delete 2', 'delete 2']);
      t.deepEqual(await finalizersOf('a'), ['other.io/x']);
      await client.patch(Gadget, key('a'), merge({ metadata: { finalizers: null } }));
      await eventually('its end is told to the plain one', async () => second.plain.length === 1 || undefined);
      t.deepEqual([second.log.length, second.plain, await names()], [3, ['a'], []]);
      await second.stop();
    },
  );

  test.serial(`${name}: GRAF-T13: a deletion while adding fails is cleaned up after`, async (t) => {
    const world = await gadgets(t, client, { addFails: 1000 });
    const { log, stop } = world.start();
    await world.create('a');
    await eventually('adding fails twice', async () => log.length >= 2 || undefined);
    t.deepEqual(await world.finalizersOf('a'), [`${ours}-wip`]);
    await client.delete(Gadget, world.key('a'));
    await eventually('it is gone', async () => (await world.names()).length === 0 || undefined);
    t.deepEqual([log.at(-1), log.filter((line) => line.startsWith('delete')).length], ['delete 1', 1]);
    await stop();
  });

  test.serial(`${name}: GRAF-T18: what is deleted while the server is away is reported once`, async (t) => {
    const wire = onWire(client);
    const world = await gadgets(t, client, { through: wire.client });
    for (const gadget of ['a', 'b']) await world.create(gadget);
    const { log, plain, controller, stop } = world.start();
    for (const gadget of ['a', 'b']) {
      await eventually(`${gadget} is settled`, async () => (await world.isSettled(gadget)) || undefined);
    }
    await eventually('all is calm', async () => isCalm(controller.health()) || undefined);
    const told = log.length;
    wire.cut();
    await client.patch(Gadget, world.key('a'), merge({ metadata: { finalizers: null } }));
    await client.delete(Gadget, world.key('a'));
    await faults.forget();
    wire.fix();
    await eventually('a is told to be gone', async () => plain.length > 0 || undefined);
    t.is(controller.health().sources[0]?.lists, 2);
    t.deepEqual(plain, ['a']);
    t.is(log.length, told, 'b has not changed');
    await stop();
  });
}
