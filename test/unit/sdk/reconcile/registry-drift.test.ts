import test from 'ava';
import { ConfigMap, Deployment, Secret } from '../../../../sdk/api/kinds.ts';
import { hashAnnotation, type MutableResource, oktHashAnnotation } from '../../../../sdk/reconcile/mutable-resource.ts';
import { done } from '../../../../sdk/reconcile/reconciler.ts';
import { keeper, map } from './fixtures/a-keeper.ts';
import type { Parent } from './fixtures/a-parent.ts';

for (const peers of ['live', 'stored'] as const)
  test(`OKT-9: what is missing is made with its hash and its owner; the second run writes nothing (${peers})`, async (t) => {
    const { keep, get, read, writes, counts } = await keeper({ peers });
    t.deepEqual(await keep(map('m', '1')), done);
    t.deepEqual(writes, ['create configmaps/m']);
    const { data, metadata } = await get('m');
    t.deepEqual(data, { initial: '1', follows: '1' });
    t.regex(metadata.annotations?.[hashAnnotation] ?? '', /^[0-9a-f]{32}$/);
    t.like(metadata.ownerReferences?.[0], { uid: (await read()).metadata.uid, controller: true });
    t.deepEqual(await keep(map('m', '1')), done);
    t.deepEqual([writes, counts()], [[], { RegistrationSuccess: 1, MutationSuccess: 1, None: 1 }]);
  });

test('OKT-10: what was changed of it is written again, initial data too, in one update; what is beside it stays', async (t) => {
  const { keep, get, change, writes } = await keeper();
  await keep(map('m', '1'));
  await change('m', { data: { initial: '9', beside: 'theirs' } });
  await keep(map('m', '1'));
  t.deepEqual(writes, ['patch configmaps/m']);
  t.deepEqual((await get('m')).data, { initial: '1', follows: '1', beside: 'theirs' });
  await change('m', { data: { beside: 'changed' }, metadata: { labels: { theirs: 'x' } } });
  await keep(map('m', '1'));
  t.deepEqual(writes, []);
  t.deepEqual((await get('m')).metadata.labels, { theirs: 'x' });
});

test('OKT-10: an object without the hash gets initial data, hash and owner in one update', async (t) => {
  const { keep, get, client, namespace, writes } = await keeper();
  await client.create(ConfigMap, { metadata: { name: 'm', namespace }, data: { initial: '9', follows: '1' } });
  await keep(map('m', '1'));
  t.deepEqual(writes, ['patch configmaps/m']);
  const { data, metadata } = await get('m');
  t.deepEqual(data, { initial: '1', follows: '1' });
  t.truthy(metadata.annotations?.[hashAnnotation]);
  t.is(metadata.ownerReferences?.length, 1);
  await keep(map('m', '1'));
  t.deepEqual(writes, []);
});

test('OKT-10: what is not hashed is left to others, and stays as they set it when the wishes change', async (t) => {
  const { keep, get, change, writes } = await keeper();
  const scoped = (follows: string) => map('m', follows, { getHashableRef: ({ data }) => data?.follows });
  await keep(scoped('1'));
  await change('m', { data: { initial: 'scaled' } });
  await keep(scoped('1'));
  t.deepEqual(writes, []);
  await keep(scoped('2'));
  t.deepEqual(writes, ['patch configmaps/m']);
  t.deepEqual((await get('m')).data, { initial: 'scaled', follows: '2' });
});

test('OKT-15: the hash sees a Secret’s stringData, and what is read back is no difference', async (t) => {
  const { keep, client, key, writes } = await keeper();
  const secret = (password: string) => {
    const resource: MutableResource<Parent, Secret> = {
      kind: Secret,
      name: 's',
      mutateWithCR(draft) {
        draft.stringData = { password };
      },
    };
    return resource as unknown as MutableResource<Parent, never>;
  };
  await keep(secret('one'));
  await keep(secret('one'));
  t.deepEqual(writes, []);
  await keep(secret('two'));
  t.deepEqual(writes, ['patch secrets/s']);
  t.is((await client.get(Secret, key('s'))).data?.password, btoa('two'));
});

test('OKT-c7: what a server defaults is not drift, a changed spec is pushed', async (t) => {
  const { keep, client, key, writes } = await keeper();
  const deployment = (image: string) => {
    const labels = { app: 'd' };
    const resource: MutableResource<Parent, Deployment> = {
      kind: Deployment,
      name: 'd',
      mutateWithCR(draft) {
        draft.spec = {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
        };
      },
    };
    return resource as unknown as MutableResource<Parent, never>;
  };
  await keep(deployment('example.test/a'));
  const made = await client.get(Deployment, key('d'));
  t.is(made.spec?.strategy?.type, 'RollingUpdate', 'the server has defaulted something');
  await keep(deployment('example.test/a'));
  t.deepEqual(writes, []);
  await keep(deployment('example.test/b'));
  t.deepEqual(writes, ['patch deployments/d']);
  const changed = await client.get(Deployment, key('d'));
  t.is(changed.spec?.template.spec?.containers[0]?.image, 'example.test/b');
  t.is(changed.spec?.template.spec?.restartPolicy, 'Always');
});

test('OKT-c9: server-side apply writes what is wanted, and nothing the second time', async (t) => {
  const { keep, get, change, writes } = await keeper();
  const applied = (follows: string) => map('m', follows, { serverSideApply: true });
  await keep(applied('1'));
  await keep(applied('1'));
  t.deepEqual(writes, []);
  await change('m', { data: { follows: '9' } });
  await keep(applied('1'));
  t.deepEqual(writes, ['patch configmaps/m']);
  t.deepEqual((await get('m')).data, { initial: '1', follows: '1' });
});

test('OKT’s own annotation may hold the hash, and objects may go without an owner', async (t) => {
  const { keep, get, writes } = await keeper({ hashAnnotation: oktHashAnnotation });
  const free = map('m', '1', { enableOwnerReference: false });
  await keep(free);
  const { metadata } = await get('m');
  t.truthy(metadata.annotations?.[oktHashAnnotation]);
  t.is(metadata.ownerReferences, undefined);
  await keep(free);
  t.deepEqual(writes, []);
});

test('what OKT has made is taken over in one update: under its annotation what is not hashed stays as it is by then, under ours initial data are written again', async (t) => {
  for (const [hashed, initial] of [
    [oktHashAnnotation, '9'],
    [hashAnnotation, '1'],
  ] as const) {
    const { keep, get, change, writes } = await keeper({ hashAnnotation: hashed });
    const wanted = map('m', '1', { getHashableRef: ({ data }) => data?.follows });
    await keep(wanted);
    const annotations = { [hashAnnotation]: null, [oktHashAnnotation]: '2733513149' };
    await change('m', { data: { initial: '9', follows: '0' }, metadata: { annotations } });
    await keep(wanted);
    t.deepEqual([writes, (await get('m')).data], [['patch configmaps/m'], { initial, follows: '1' }]);
    await keep(wanted);
    t.deepEqual(writes, []);
  }
});
