import test from 'ava';
import { type ClusterOptions, createCluster } from '../../cluster/index.ts';
import { askOf } from './fixtures/ask.ts';

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

test('creates, reads, changes and deletes an object through the dispatcher', async (t) => {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  const created = await ask('POST /api/v1/namespaces/default/configmaps', configMap('a', { x: '1' }));
  t.is(created.status, 201);
  const patched = await ask('PATCH /api/v1/namespaces/default/configmaps/a', { data: { y: '2' } });
  t.deepEqual(patched.body.data, { x: '1', y: '2' });
  t.is((await ask('DELETE /api/v1/namespaces/default/configmaps/a')).body.status, 'Success');
  t.is((await ask('GET /api/v1/namespaces/default/configmaps/a')).status, 404);
});

test('applies as kubectl does: what was left out of the next apply goes, what others set stays', async (t) => {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  const object = { ...configMap('a', { x: '1', y: '2' }), metadata: { name: 'a', namespace: 'default' } };
  await cluster.apply(object);
  await ask('PATCH /api/v1/namespaces/default/configmaps/a', { data: { z: '3' } });
  await cluster.apply({ ...object, data: { x: '9' } });
  t.deepEqual(cluster.get(object, { namespace: 'default', name: 'a' })?.data, { x: '9', z: '3' });
});

test('apply says what the server says, and what is not served', async (t) => {
  const cluster = await createCluster();
  const bad = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Bad_Name', namespace: 'default' } };
  await t.throwsAsync(cluster.apply(bad), { message: /RFC 1123 subdomain/ });
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
  await t.throwsAsync(cluster.apply(thing), { message: /serves no Thing of example.com\/v1/ });
});

test('an interceptor can lose an answer after the commit, and is gone when removed', async (t) => {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  const stop = cluster.intercept(async (request, next) => {
    await next(request);
    throw new Error('connection reset');
  });
  await t.throwsAsync(ask('POST /api/v1/namespaces/default/configmaps', configMap('a')), {
    message: 'connection reset',
  });
  stop();
  t.is((await ask('GET /api/v1/namespaces/default/configmaps/a')).status, 200);
});

test('an interceptor can answer itself', async (t) => {
  const cluster = await createCluster();
  cluster.intercept(async () => ({ status: 503, headers: { 'retry-after': '1' }, body: '' }));
  t.is((await askOf(cluster)('GET /version')).status, 503);
});

test('keeps a record of what was asked and answered', async (t) => {
  const cluster = await createCluster();
  await askOf(cluster)('GET /api/v1/pods?limit=1', undefined, { 'user-agent': 'me/1.0' });
  t.like(cluster.audit.at(-1), {
    verb: 'list',
    resource: 'pods',
    url: '/api/v1/pods?limit=1',
    code: 200,
    userAgent: 'me/1.0',
  });
});

test('the same seed makes the same names, uids and addresses', async (t) => {
  const uidOf = async (seed: number) => {
    const cluster = await createCluster({ seed });
    return (await cluster.apply({ ...configMap('a'), metadata: { name: 'a', namespace: 'default' } })).metadata.uid;
  };
  t.is(await uidOf(7), await uidOf(7));
  t.not(await uidOf(7), await uidOf(8));
});

test('without a seed no two clusters have a uid in common, and each says what repeats it', async (t) => {
  const uidsOf = async (options: ClusterOptions = {}) => {
    const cluster = await createCluster(options);
    await cluster.apply({ ...configMap('a'), metadata: { name: 'a', namespace: 'default' } });
    const kinds = ['Namespace', 'ConfigMap', 'Service'].map((kind) => ({ apiVersion: 'v1', kind }));
    const uids = kinds.flatMap((kind) => cluster.list(kind).map(({ metadata }) => metadata.uid));
    return { seed: cluster.seed, uids };
  };
  const [first, second] = [await uidsOf(), await uidsOf()];
  t.regex(String(first.seed), /^[0-9a-f]{32}$/);
  t.true(first.uids.length > 4);
  t.is(new Set([...first.uids, ...second.uids]).size, first.uids.length + second.uids.length);
  t.deepEqual(await uidsOf({ seed: first.seed }), first);
  t.is((await uidsOf({ seed: 7 })).seed, 7);
});

test('refuses seeds and tokens that are none', async (t) => {
  for (const seed of [0.5, Number.NaN, '', '7', 'A'.repeat(32), '0'.repeat(32)]) {
    await t.throwsAsync(createCluster({ seed }), {
      instanceOf: TypeError,
      message: /^a seed is a whole number, or 32/,
    });
  }
  await t.throwsAsync(createCluster({ adminToken: 'a b' }), { instanceOf: TypeError, message: /^adminToken is of/ });
});

test('refuses options that do not exist', async (t) => {
  await t.throwsAsync(createCluster({ kublet: false } as object), {
    instanceOf: TypeError,
    message: /^createCluster: kublet is not an option; known are clock, .*; did you mean kubelet\?$/,
  });
});

test('what the store holds cannot be changed by its readers', async (t) => {
  const cluster = await createCluster();
  const [namespace] = cluster.list({ apiVersion: 'v1', kind: 'Namespace' });
  t.throws(() => Object.assign(namespace!.metadata, { name: 'other' }), { instanceOf: TypeError });
});

test('what is there from the start says who has made it', async (t) => {
  const ask = askOf(await createCluster({ rbac: true }));
  const managersOf = async (path: string) => {
    const { metadata } = (await ask(`GET ${path}`)).body as { metadata: { managedFields: Record<string, unknown>[] } };
    return metadata.managedFields.map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1]);
  };
  const labels = { 'f:labels': { '.': {}, 'f:kubernetes.io/metadata.name': {} } };
  t.deepEqual(await managersOf('/api/v1/namespaces/default'), [['kube-apiserver', 'Update', { 'f:metadata': labels }]]);
  const priority = { 'f:description': {}, 'f:preemptionPolicy': {}, 'f:value': {} };
  t.deepEqual(await managersOf('/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical'), [
    ['kube-apiserver', 'Update', priority],
  ]);
  const [aggregated, made] = await managersOf('/apis/rbac.authorization.k8s.io/v1/clusterroles/view');
  t.deepEqual(aggregated, ['clusterrole-aggregation-controller', 'Apply', { 'f:rules': {} }]);
  t.is(made?.[0], 'kube-apiserver');
  const { items } = (await ask('GET /apis/coordination.k8s.io/v1/leases')).body as { items: { metadata: object }[] };
  t.like(items, [{ metadata: { namespace: 'kube-system' } }]);
});
