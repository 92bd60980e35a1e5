import test from 'ava';
import { ConfigMap, Secret } from '../../../../../sdk/api/kinds.ts';
import { configMapResource, secretResource } from '../../../../../sdk/reconcile/operatorkit/config-resources.ts';
import { cancelResource } from '../../../../../sdk/reconcile/operatorkit/crud.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { type Parent, theParents } from '../fixtures/a-parent.ts';

async function world() {
  const parents = await theParents();
  const { client, namespace, create, writes, run } = parents;
  await create('a');
  const labels = { owner: 'a' };
  const list = async () => (await client.list(ConfigMap, { namespace, labels: 'owner=a' })).items;
  const wanted = (name: string, data: Readonly<Record<string, string>>, more: object = {}): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels, ...more },
    data,
  });
  const keep = async (...desired: readonly ConfigMap[]) => {
    writes.length = 0;
    const reconcile = configMapResource<Parent>({
      name: 'maps',
      getCurrentState: list,
      getDesiredState: () => desired,
      allowedLabels: ['team'],
    });
    return run(reconcile);
  };
  return { ...parents, wanted, list, keep };
}

test('ConfigMaps that are missing are made, surplus ones deleted, those that differ changed, and then nothing is written', async (t) => {
  const { keep, wanted, writes, list } = await world();
  t.deepEqual(await keep(wanted('m1', { a: '1' }), wanted('m2', {})), done);
  t.deepEqual(writes, ['create configmaps/m1', 'create configmaps/m2']);
  await keep(wanted('m1', { b: '2' }), wanted('m3', {}));
  t.deepEqual(writes, ['create configmaps/m3', 'patch configmaps/m1', 'delete configmaps/m2']);
  t.deepEqual(
    (await list()).map(({ metadata, data }) => [metadata.name, data ?? {}]),
    [
      ['m1', { b: '2' }],
      ['m3', {}],
    ],
  );
  await keep(wanted('m1', { b: '2' }), wanted('m3', {}));
  t.deepEqual(writes, []);
});

test('allowed labels and annotations of others stay, other labels go', async (t) => {
  const { keep, wanted, writes, list, client, key } = await world();
  await keep(wanted('m', { a: '1' }));
  const metadata = { labels: { team: 'x', strange: 'y' }, annotations: { theirs: 'z' } };
  await client.patch(ConfigMap, key('m'), { type: 'merge', value: { metadata } });
  await keep(wanted('m', { a: '1' }));
  t.deepEqual(writes, ['patch configmaps/m']);
  const [kept] = await list();
  t.deepEqual(kept?.metadata.labels, { owner: 'a', team: 'x' });
  t.deepEqual(kept?.metadata.annotations, { theirs: 'z' });
  await keep(wanted('m', { a: '1' }));
  t.deepEqual(writes, []);
});

test('OK-c10: desired labels may be absent, and a Secret’s stringData does not differ for ever', async (t) => {
  const { run, client, namespace, key, writes } = await world();
  const desired: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace },
    stringData: { password: 'one' },
  };
  const reconcile = secretResource<Parent>({
    name: 'secrets',
    getCurrentState: async () => (await client.list(Secret, { namespace, fields: 'metadata.name=s' })).items,
    getDesiredState: () => [desired],
    allowedLabels: ['team'],
  });
  await run(reconcile);
  await client.patch(Secret, key('s'), { type: 'merge', value: { metadata: { labels: { team: 'x' } } } });
  writes.length = 0;
  await run(reconcile);
  t.deepEqual(writes, []);
  t.is((await client.get(Secret, key('s'))).data?.password, btoa('one'));
});

test('a deletion deletes all that are there, and what exists or is gone already is not a failure', async (t) => {
  const { keep, wanted, run, remove, list, client, namespace } = await world();
  const twice = wanted('m', { a: '1' });
  await client.create(ConfigMap, { metadata: { name: 'n', namespace } });
  const blind = configMapResource<Parent>({
    name: 'maps',
    getCurrentState: ({ object }) =>
      object.metadata.deletionTimestamp === undefined ? [] : [twice, wanted('never', {})],
    getDesiredState: () => [twice],
  });
  await keep(twice);
  t.deepEqual(await run(blind), done);
  await remove('a');
  t.deepEqual(await run(blind), done);
  t.deepEqual(await list(), []);
});

test('the lists may be left out for now', async (t) => {
  const { run, writes } = await world();
  writes.length = 0;
  const waiting = configMapResource<Parent>({
    name: 'maps',
    getCurrentState: () => cancelResource,
    getDesiredState: () => [],
  });
  t.deepEqual(await run(waiting), done);
  t.deepEqual(writes, []);
});
