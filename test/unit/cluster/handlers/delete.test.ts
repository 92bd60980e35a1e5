import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../cluster/index.ts';
import { askOf, watchOf } from '../fixtures/ask.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const meta = (body: Fields) => body.metadata as Record<string, unknown>;

async function start(options = {}) {
  const cluster = await createCluster(options);
  return { cluster, ask: askOf(cluster) };
}

const held = { metadata: { name: 'a', finalizers: ['example.com/hold'] } };

test('an object with a finalizer is marked, and goes with its last finalizer', async (t) => {
  const { cluster, ask } = await start();
  await ask(`POST ${maps}`, held);
  const watch = await watchOf(
    cluster,
    `${maps}?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=${cluster.revision}`,
  );
  const { body: marked } = await ask(`DELETE ${maps}/a`);
  t.is(meta(marked).deletionGracePeriodSeconds, 0);
  t.is(
    (await ask(`PATCH ${maps}/a`, { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } })).status,
    422,
  );
  const last = await ask(`PATCH ${maps}/a`, { metadata: { finalizers: null } });
  t.is(last.status, 200);
  t.is(meta(last.body).resourceVersion, meta(marked).resourceVersion);
  t.is((await ask(`GET ${maps}/a`)).status, 404);
  t.deepEqual(
    (await watch.take(2)).map(({ type }) => type),
    ['MODIFIED', 'DELETED'],
  );
});

test('deletion raises the generation once; a second one changes nothing', async (t) => {
  const { ask } = await start();
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await ask(`POST ${deployments}`, { ...held, spec: { selector: { matchLabels: { a: 'b' } }, template } });
  const first = await ask(`DELETE ${deployments}/a`);
  const second = await ask(`DELETE ${deployments}/a`);
  t.is(meta(first.body).generation, 2);
  t.deepEqual(second.body, first.body);
});

test('preconditions must hold', async (t) => {
  const { ask } = await start();
  const { body } = await ask(`POST ${maps}`, { metadata: { name: 'a' } });
  const other = { preconditions: { uid: '11111111-1111-1111-1111-111111111111' } };
  t.like(await ask(`DELETE ${maps}/a`, other), { status: 409, body: { reason: 'Conflict' } });
  t.is((await ask(`DELETE ${maps}/a`, { preconditions: { resourceVersion: '1' } })).status, 409);
  t.is((await ask(`DELETE ${maps}/a`, { preconditions: { uid: meta(body).uid } })).status, 200);
});

test('options that make no sense are refused', async (t) => {
  const { ask } = await start();
  await ask(`POST ${maps}`, { metadata: { name: 'a' } });
  t.is((await ask(`DELETE ${maps}/a`, { propagationPolicy: 'Sideways' })).status, 422);
  t.is((await ask(`DELETE ${maps}/a?gracePeriodSeconds=x`)).status, 400);
  t.is((await ask(`GET ${maps}/a`)).status, 200);
});

test('a collection is deleted by selector', async (t) => {
  const { ask } = await start();
  for (const name of ['a', 'b']) await ask(`POST ${secrets}`, { metadata: { name, labels: { name } } });
  t.like((await ask(`DELETE ${secrets}?labelSelector=name%3Da`)).body, { items: [{ metadata: { name: 'a' } }] });
  t.is((await ask(`GET ${secrets}/a`)).status, 404);
  t.is((await ask(`GET ${secrets}/b`)).status, 200);
});

async function withDependent(more: Fields = {}, reference: Fields = {}) {
  const started = await start();
  const { ask } = started;
  const { body } = await ask(`POST ${maps}`, { metadata: { name: 'owner' } });
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: meta(body).uid, ...reference };
  await ask(`POST ${secrets}`, { metadata: { name: 'dependent', ownerReferences: [owner], ...more } });
  return started;
}

test('dependents go after their owner', async (t) => {
  const { cluster, ask } = await withDependent();
  await ask(`DELETE ${maps}/owner`);
  await cluster.settle();
  t.is((await ask(`GET ${secrets}/dependent`)).status, 404);
});

test('orphaned dependents stay, without the reference', async (t) => {
  const { cluster, ask } = await withDependent();
  await ask(`DELETE ${maps}/owner`, { propagationPolicy: 'Orphan' });
  await cluster.settle();
  t.is((await ask(`GET ${maps}/owner`)).status, 404);
  t.is(meta((await ask(`GET ${secrets}/dependent`)).body).ownerReferences, undefined);
});

test('in the foreground an owner waits for the dependents that block it', async (t) => {
  const { cluster, ask } = await withDependent({ finalizers: ['example.com/hold'] }, { blockOwnerDeletion: true });
  await ask(`DELETE ${maps}/owner`, { propagationPolicy: 'Foreground' });
  await cluster.settle();
  t.deepEqual(meta((await ask(`GET ${maps}/owner`)).body).finalizers, ['foregroundDeletion']);
  t.not(meta((await ask(`GET ${secrets}/dependent`)).body).deletionTimestamp, undefined);
  await ask(`PATCH ${secrets}/dependent`, { metadata: { finalizers: null } });
  await cluster.settle();
  t.is((await ask(`GET ${maps}/owner`)).status, 404);
});

test('an owner of another uid is not an owner; one of an unknown kind is left alone', async (t) => {
  const { cluster, ask } = await start();
  await ask(`POST ${maps}`, { metadata: { name: 'owner' } });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '11111111-1111-1111-1111-111111111111' };
  await ask(`POST ${secrets}`, { metadata: { name: 'a', ownerReferences: [reference] } });
  await ask(`POST ${secrets}`, {
    metadata: { name: 'b', ownerReferences: [{ ...reference, apiVersion: 'example.com/v1' }] },
  });
  await cluster.settle();
  t.is((await ask(`GET ${secrets}/a`)).status, 404);
  t.is((await ask(`GET ${secrets}/b`)).status, 200);
});

test('an owner that was there from the start is one; its dependents go with it', async (t) => {
  const { cluster, ask } = await start();
  const { uid } = meta((await ask('GET /api/v1/namespaces/kube-node-lease')).body);
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'kube-node-lease', uid };
  await ask(`POST ${maps}`, { metadata: { name: 'a', ownerReferences: [owner] } });
  await cluster.settle();
  t.is((await ask(`GET ${maps}/a`)).status, 200);
  await ask('DELETE /api/v1/namespaces/kube-node-lease');
  await cluster.settle();
  t.is((await ask(`GET ${maps}/a`)).status, 404);
});

test('owners that own each other do not wait for each other', async (t) => {
  const { cluster, ask } = await withDependent({}, { blockOwnerDeletion: true });
  const { uid } = meta((await ask(`GET ${secrets}/dependent`)).body);
  const back = { apiVersion: 'v1', kind: 'Secret', name: 'dependent', uid, blockOwnerDeletion: true };
  await ask(`PATCH ${maps}/owner`, { metadata: { ownerReferences: [back] } });
  await ask(`DELETE ${maps}/owner`, { propagationPolicy: 'Foreground' });
  await cluster.settle();
  t.is((await ask(`GET ${maps}/owner`)).status, 404);
  t.is((await ask(`GET ${secrets}/dependent`)).status, 404);
});

test('owners are looked for by kind and name in the same namespace, and what cannot be looked for stops everything', async (t) => {
  const { cluster, ask } = await start();
  const { uid } = meta((await ask(`POST ${maps}`, { metadata: { name: 'owner' } })).body);
  await ask('POST /api/v1/namespaces', { metadata: { name: 'other' } });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
  const none = { ...reference, name: 'none', uid: '11111111-1111-1111-1111-111111111111' };
  const unclear = { ...none, apiVersion: 'example.com/v1', uid: '22222222-2222-2222-2222-222222222222' };
  const dependents = {
    named: [{ ...reference, name: 'another' }],
    kinded: [{ ...reference, kind: 'Secret' }],
    mixed: [none, unclear],
    good: [reference, none],
  };
  for (const [name, ownerReferences] of Object.entries(dependents))
    await ask(`POST ${secrets}`, { metadata: { name, ownerReferences } });
  await ask('POST /api/v1/namespaces/other/secrets', { metadata: { name: 'far', ownerReferences: [reference] } });
  await cluster.settle();
  for (const name of ['named', 'kinded']) t.is((await ask(`GET ${secrets}/${name}`)).status, 404);
  t.is((await ask('GET /api/v1/namespaces/other/secrets/far')).status, 404);
  t.deepEqual(meta((await ask(`GET ${secrets}/mixed`)).body).ownerReferences, [none, unclear]);
  t.deepEqual(meta((await ask(`GET ${secrets}/good`)).body).ownerReferences, [reference]);
  const { items } = (await ask('GET /api/v1/namespaces/other/events')).body as { items: Fields[] };
  t.deepEqual(
    items.map(({ reason, message }) => `${reason}: ${message}`),
    [
      `OwnerRefInvalidNamespace: ownerRef [v1/ConfigMap, namespace: other, name: owner, uid: ${uid}] does not exist in namespace "other"`,
    ],
  );
});

test('nothing is collected when the collector is off', async (t) => {
  const { cluster, ask } = await start({ garbageCollector: false });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '11111111-1111-1111-1111-111111111111' };
  await ask(`POST ${secrets}`, { metadata: { name: 'a', ownerReferences: [reference] } });
  await cluster.settle();
  t.is((await ask(`GET ${secrets}/a`)).status, 200);
});
