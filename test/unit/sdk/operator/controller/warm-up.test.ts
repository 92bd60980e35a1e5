import test from 'ava';
import { ConfigMap, Secret } from '../../../../../sdk/api/kinds.ts';
import { createInformerController } from '../../../../../sdk/operator/controller/controller.ts';
import { aConfigMap, theServer, until } from '../controlled.ts';

test('warmed up, it lists and watches but runs nothing, and begins at once with what is there then', async (t) => {
  const { client, clock, namespace, apply, key } = await theServer();
  const lists: string[] = [];
  const runs: string[] = [];
  const controller = createInformerController({
    client,
    clock,
    kind: ConfigMap,
    owns: [Secret],
    selection: { namespace },
    observer: {
      list: (source, work) => {
        lists.push(source.kind);
        return work();
      },
    },
    reconciler: async ({ key: { name }, cause }) => {
      runs.push(`${cause} ${name}`);
      return {};
    },
  });
  const stop = new AbortController();
  await apply(aConfigMap('a'));
  const warming = controller.warmUp(stop.signal);
  await until(clock, () => controller.health().synced);
  await apply(aConfigMap('b'));
  await apply(aConfigMap('c'));
  await client.delete(ConfigMap, key('c'));
  await until(clock, () => controller.store.size === 2 && controller.store.get(key('b')) !== undefined);
  t.deepEqual(runs, []);
  t.deepEqual(controller.health().queue.ready, 0, 'nothing is collected, however long it stands by');
  const listed = lists.length;

  const running = controller.run(stop.signal);
  await until(clock, () => runs.length === 2);
  t.deepEqual(runs.toSorted(), ['created a', 'created b']);
  t.is(lists.length, listed, 'nothing is listed again');
  await apply(aConfigMap('d'));
  await until(clock, () => runs.length === 3);
  stop.abort();
  await Promise.all([warming, running]);
});

test('a standby that is stopped before it runs ends its watches', async (t) => {
  const { client, clock, namespace } = await theServer();
  const controller = createInformerController({
    client,
    clock,
    kind: ConfigMap,
    selection: { namespace },
    reconciler: async () => ({}),
  });
  const stop = new AbortController();
  const warming = controller.warmUp(stop.signal);
  await until(clock, () => controller.health().synced);
  stop.abort();
  await warming;
  t.is(clock.pending, 0);
});
