import test from 'ava';
import { ConfigMap, Deployment, Secret } from '../../../../../sdk/api/kinds.ts';
import type { NewObject } from '../../../../../sdk/client/client.ts';
import { StaleError } from '../../../../../sdk/errors.ts';
import { appliedAnnotation } from '../../../../../sdk/reconcile/operator-sdk-extra/child-change.ts';
import {
  type ChildrenOptions,
  children,
  childrenPlanOf,
} from '../../../../../sdk/reconcile/operator-sdk-extra/children.ts';
import { type Correction, done, stop } from '../../../../../sdk/reconcile/reconciler.ts';
import { type Parent, theParents } from '../fixtures/a-parent.ts';

type Wanted = Readonly<Record<string, Readonly<Record<string, string>>>>;

const maps = (wanted: Wanted): NewObject<ConfigMap>[] =>
  Object.entries(wanted).map(([name, data]) => ({ metadata: { name }, data }));

async function kept(options: Partial<ChildrenOptions<Parent, ConfigMap>> = {}) {
  const world = await theParents([ConfigMap]);
  let wishes: Wanted = {};
  const reconcile = children<Parent, ConfigMap>({ kind: ConfigMap, wanted: () => maps(wishes), ...options });
  await world.create('a');
  const get = (name: string) => world.client.get(ConfigMap, world.key(name));
  return {
    ...world,
    get,
    dataOf: async (name: string) => (await get(name)).data,
    patch: (name: string, value: object) => world.client.patch(ConfigMap, world.key(name), { type: 'merge', value }),
    keep: async (next: Wanted) => {
      wishes = next;
      world.writes.length = 0;
      return world.run(reconcile);
    },
  };
}

for (const update of ['merge', 'apply'] as const) {
  test(`SDKX-11: creates, updates and deletes, and then nothing (${update})`, async (t) => {
    const { keep, get, dataOf, events, writes, read } = await kept({ update });
    await keep({ b: { x: '1' }, c: {} });
    await keep({ a: { y: '1' }, b: { x: '2' } });
    t.is(writes.length, 3);
    t.deepEqual(await dataOf('b'), { x: '2' });
    t.deepEqual(events.slice(2), [
      'Normal CreateCompleted: ConfigMap default/a',
      'Normal UpdateCompleted: ConfigMap default/b',
      'Normal DeleteCompleted: ConfigMap default/c',
    ]);
    const { metadata, data } = await get('a');
    t.deepEqual(data, { y: '1' });
    t.like(metadata.ownerReferences?.[0], { kind: 'Parent', name: 'a', uid: (await read()).metadata.uid });
    t.is(metadata.annotations?.[appliedAnnotation], '{"data":{"y":1},"metadata":{}}');
    await t.throwsAsync(get('c'), { name: 'NotFoundError' });
    await keep({ a: { y: '1' }, b: { x: '2' } });
    t.deepEqual(writes, []);
  });

  test(`SDKX-12: what others add is no difference; what is wanted no more is removed (${update})`, async (t) => {
    const { keep, dataOf, patch, writes } = await kept({ update });
    await keep({ a: { mine: '1', old: '1' } });
    await patch('a', { data: { theirs: '1' }, metadata: { labels: { theirs: '1' } } });
    await keep({ a: { mine: '1', old: '1' } });
    t.deepEqual(writes, []);
    await keep({ a: { mine: '1' } });
    t.deepEqual(await dataOf('a'), { mine: '1', theirs: '1' });
  });
}

test('SDKX-12: what a server defaults in a Deployment is no difference', async (t) => {
  const world = await theParents([Deployment]);
  const labels = { app: 'web' };
  const containers = [
    { name: 'web', image: 'web:1', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] },
  ];
  const reconcile = children<Parent, Deployment>({
    kind: Deployment,
    wanted: () => [
      {
        metadata: { name: 'web' },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      } as unknown as NewObject<Deployment>,
    ],
  });
  await world.create('a');
  await world.run(reconcile);
  world.writes.length = 0;
  await world.run(reconcile);
  t.deepEqual(world.writes, []);
});

test('a secret given as text is no difference once the server has encoded it', async (t) => {
  const world = await theParents([Secret]);
  const wanted = () => [{ metadata: { name: 's' }, stringData: { token: 'geheim' } } as NewObject<Secret>];
  const reconcile = children<Parent, Secret>({ kind: Secret, wanted });
  await world.create('a');
  await world.run(reconcile);
  const secret = await world.client.get(Secret, world.key('s'));
  t.false(JSON.stringify(secret.metadata).includes('geheim'));
  world.writes.length = 0;
  await world.run(reconcile);
  t.deepEqual(world.writes, []);
});

test('SDKX-c9: what is not ours is neither changed nor removed, and a name that is taken is reported', async (t) => {
  for (const update of ['merge', 'apply'] as const) {
    const { keep, client, dataOf, namespace, said } = await kept({
      update,
      current: async ({ client: reader }) => (await reader.list(ConfigMap)).items,
    });
    await client.create(ConfigMap, { metadata: { name: 'theirs', namespace }, data: { x: '1' } });
    await keep({});
    t.deepEqual(await dataOf('theirs'), { x: '1' });
    await t.throwsAsync(keep({ theirs: {} }), {
      message: said(
        'ConfigMap default/theirs is there already and is not owned by Parent default/a: delete it, or choose another name',
      ),
    });
    t.deepEqual(await dataOf('theirs'), { x: '1' });
  }
});

test('SDKX-c9: a child that another client has deleted meanwhile is gone, and no failure', async (t) => {
  const lost: ConfigMap[] = [];
  const { keep, get, client, key } = await kept({ current: () => lost });
  await keep({ a: {} });
  lost.push(await get('a'));
  await client.delete(ConfigMap, key('a'));
  t.deepEqual(await keep({}), done);
});

test('SDKX-c9: children of one name in two namespaces are two', (t) => {
  const child = (namespace: string, data: Readonly<Record<string, string>>): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'same', namespace },
    data,
  });
  const { create, update, remove } = childrenPlanOf(
    [child('x', { a: '1' }), child('y', {})],
    [child('z', {}), child('x', {})],
  );
  t.deepEqual(create, [child('z', {})]);
  t.deepEqual(
    update.map(({ child: { metadata } }) => metadata.namespace),
    ['x'],
  );
  t.deepEqual(remove, [child('y', {})]);
});

test('children of which nothing is remembered are taken over: what is set there stays, and only later wishes are taken back', async (t) => {
  for (const update of ['merge', 'apply'] as const) {
    const { keep, patch, dataOf, writes } = await kept({ update });
    await keep({ a: {} });
    await patch('a', { data: { theirs: '1', mine: '0' }, metadata: { annotations: { [appliedAnnotation]: null } } });
    await keep({ a: { mine: '1', old: '1' } });
    t.deepEqual([writes.length, await dataOf('a')], [1, { theirs: '1', mine: '1', old: '1' }]);
    await keep({ a: { mine: '1' } });
    t.deepEqual(await dataOf('a'), { theirs: '1', mine: '1' });
  }
});

test('a child that the cache does not show yet is a race, not a stranger', async (t) => {
  const { keep, said } = await kept({ current: () => [] });
  await keep({ a: {} });
  await t.throwsAsync(keep({ a: {} }), {
    instanceOf: StaleError,
    message: said('ConfigMap default/a was made meanwhile'),
  });
});

test('SDKX-c10: what is remembered is what was wanted; ignored members are set once and then left alone', async (t) => {
  const { keep, get, dataOf, patch, writes } = await kept({ ignore: [['data', 'replicas']] });
  const remembered = async () => (await get('a')).metadata.annotations?.[appliedAnnotation];
  await keep({ a: { replicas: '1', x: '1' } });
  await patch('a', { data: { replicas: '7' } });
  await keep({ a: { replicas: '1', x: '1' } });
  t.deepEqual(writes, []);
  await keep({ a: { replicas: '1', x: '2' } });
  t.deepEqual(await dataOf('a'), { replicas: '7', x: '2' });
  t.is(await remembered(), '{"data":{"x":1},"metadata":{}}');
});

test('what is to come after it waits for children that are not ready', async (t) => {
  const { keep, patch } = await kept({ isReady: ({ data }) => data?.ready === 'yes' });
  t.deepEqual(await keep({ a: {} }), stop);
  t.deepEqual(await keep({ a: {} }), stop);
  await patch('a', { data: { ready: 'yes' } });
  t.deepEqual(await keep({ a: {} }), done);
});

test('a damaged note of what was wanted is written anew', async (t) => {
  const { keep, patch, dataOf } = await kept();
  await keep({ a: { x: '1' } });
  await patch('a', { metadata: { annotations: { [appliedAnnotation]: '{' } } });
  await keep({ a: { x: '1' } });
  await keep({ a: { y: '1' } });
  t.deepEqual(await dataOf('a'), { y: '1' });
});

test('children in another namespace, or without a name, are refused', async (t) => {
  const { run, said } = await kept();
  const reconcile = (metadata: object) =>
    children<Parent, ConfigMap>({ kind: ConfigMap, wanted: () => [{ metadata } as NewObject<ConfigMap>] });
  await t.throwsAsync(run(reconcile({ name: 'x', namespace: 'other' })), {
    message: said('children: ConfigMap other/x cannot be owned from namespace default: owners and children share one'),
  });
  await t.throwsAsync(run(reconcile({})), { message: 'children: a ConfigMap that is wanted has no metadata.name' });
});

test('a parent that is being deleted leaves its children to the garbage collector', async (t) => {
  const { keep, remove, writes } = await kept();
  await keep({ a: {} });
  await remove();
  t.deepEqual(await keep({}), done);
  t.deepEqual(writes, []);
});

test('SDKX-11: what was onCorrection is reported on request', async (t) => {
  const { create, run } = await theParents([ConfigMap]);
  await create('a');
  const onCorrection: Correction[] = [];
  const keep = (wanted: Wanted) =>
    run(children<Parent, ConfigMap>({ kind: ConfigMap, wanted: () => maps(wanted) }), 'a', {
      onCorrection: (change) => void onCorrection.push({ ...change, what: change.what.replace(/ .*\//, ' ') }),
    });
  await keep({ b: { x: '1' }, c: {} });
  t.deepEqual(onCorrection.splice(0), [
    { action: 'create', what: 'ConfigMap b' },
    { action: 'create', what: 'ConfigMap c' },
  ]);
  await keep({ b: { x: '2' } });
  t.like(onCorrection, [
    { action: 'update', what: 'ConfigMap b', diff: { data: { x: '2' } } },
    { action: 'delete', what: 'ConfigMap c' },
  ]);
});
