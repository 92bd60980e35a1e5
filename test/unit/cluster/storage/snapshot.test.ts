import test, { type ExecutionContext } from 'ava';
import {
  type Cluster,
  createCluster,
  createManualClock,
  readSnapshot,
  type SnapshotFile,
} from '../../../cluster/index.ts';
import { aDefinition } from '../fixtures/a-definition.ts';
import { askOf, watchOf } from '../fixtures/ask.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const map = (name: string, data: Record<string, string> = {}) => ({
  ...ConfigMap,
  metadata: { name, namespace: 'default' },
  data,
});
const names = (cluster: Cluster): string[] => cluster.list(ConfigMap, 'default').map(({ metadata }) => metadata.name);
const gadgets = aDefinition({
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } },
});
const Gadget = { apiVersion: 'example.com/v1', kind: 'Gadget' };
const gadget = (name: string) => ({ ...Gadget, metadata: { name, namespace: 'default' }, spec: {} });

async function start(t: ExecutionContext, options = {}): Promise<Cluster> {
  const cluster = await createCluster({ clock: createManualClock(), ...options });
  t.teardown(() => cluster.close());
  return cluster;
}

/** Writes a snapshot as JSON and reads it again. */
const filed = async (cluster: Cluster) =>
  readSnapshot(JSON.parse(JSON.stringify(await cluster.snapshot())) as SnapshotFile);

test('what came after a snapshot is gone when it is restored, and what had gone is back', async (t) => {
  const cluster = await start(t);
  await cluster.apply(map('a', { x: '1' }));
  const { metadata } = await cluster.apply(map('b'));
  const snapshot = await cluster.snapshot();
  await cluster.apply(map('a', { x: '2' }));
  await cluster.apply(map('c'));
  await askOf(cluster)(`DELETE ${maps}/b`);
  await cluster.restore(snapshot);
  t.deepEqual(names(cluster), ['a', 'b', 'kube-root-ca.crt']);
  t.deepEqual(cluster.get(ConfigMap, { namespace: 'default', name: 'b' })?.metadata, metadata);
  t.deepEqual(cluster.get(ConfigMap, { namespace: 'default', name: 'a' })?.data, { x: '1' });
});

test('a restored cluster ends open watches as too late, and answers a client that resumes the same', async (t) => {
  const cluster = await start(t);
  const snapshot = await cluster.snapshot();
  const { metadata } = await cluster.apply(map('a'));
  const watch = await watchOf(cluster, `${maps}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  await cluster.restore(snapshot);
  const [ended, ...more] = await watch.take(2);
  t.like(ended, { type: 'ERROR', object: { code: 410 } });
  t.deepEqual(more, []);
  t.true(cluster.revision > Number(metadata.resourceVersion));
  const resumed = await watchOf(cluster, `${maps}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  t.like((await resumed.take(1))[0], { type: 'ERROR', object: { code: 410, reason: 'Expired' } });
});

test('a revision that returns brings its history back: later ones are not known yet', async (t) => {
  const cluster = await start(t);
  const before = cluster.revision;
  await cluster.apply(map('a'));
  const snapshot = await cluster.snapshot();
  await cluster.apply(map('b'));
  await cluster.restore(snapshot, { revision: 'return' });
  t.is(cluster.revision, snapshot.revision);
  const watch = await watchOf(cluster, `${maps}?watch=true&resourceVersion=${before}`);
  t.deepEqual(
    (await watch.take(1)).map(({ type, object }) => [type, object.metadata.name]),
    [['ADDED', 'a']],
  );
  watch.close();
});

test('forks continue by themselves', async (t) => {
  const cluster = await start(t);
  await cluster.apply(map('a'));
  const fork = await cluster.fork();
  t.teardown(() => fork.close());
  await fork.apply(map('in-fork'));
  await cluster.apply(map('in-origin'));
  t.deepEqual(names(fork), ['a', 'in-fork', 'kube-root-ca.crt']);
  t.deepEqual(names(cluster), ['a', 'in-origin', 'kube-root-ca.crt']);
  t.is(fork.audit.length, 0);
});

test('a fork does what its origin would have done, down to uids, versions and generated names', async (t) => {
  const cluster = await start(t, { seed: 9 });
  await cluster.apply(map('a'));
  const fork = await cluster.fork();
  t.teardown(() => fork.close());
  const body = { ...ConfigMap, metadata: { generateName: 'x-' } };
  const service = { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
  const made = async (one: Cluster) => [
    (await askOf(one)(`POST ${maps}`, body)).body,
    (await askOf(one)('POST /api/v1/namespaces/default/services', service)).body,
  ];
  t.deepEqual(await made(fork), await made(cluster));
});

test('a fork resumes watches from the history of its origin', async (t) => {
  const cluster = await start(t);
  const { revision } = cluster;
  await cluster.apply(map('a'));
  const fork = await cluster.fork();
  t.teardown(() => fork.close());
  const watch = await watchOf(fork, `${maps}?watch=true&resourceVersion=${revision}`);
  t.is((await watch.take(1))[0]?.object.metadata.name, 'a');
  watch.close();
});

test('definitions, owners and addresses are in force after a restore', async (t) => {
  const cluster = await start(t);
  await cluster.apply(gadgets);
  const { metadata } = await cluster.apply(gadget('owner'));
  const ownerReferences = [{ ...Gadget, name: 'owner', uid: metadata.uid! }];
  await cluster.apply({ ...map('a-part'), metadata: { name: 'a-part', namespace: 'default', ownerReferences } });
  const spec = { clusterIP: '10.96.0.77', ports: [{ port: 80 }] };
  const ask = askOf(cluster);
  await ask('POST /api/v1/namespaces/default/services', { metadata: { name: 's' }, spec });
  const snapshot = await filed(cluster);
  const other = await start(t);
  await other.restore(snapshot);
  t.deepEqual((await other.apply(gadget('new'))).spec, { size: 3 });
  t.true(names(other).includes('a-part'));
  const again = await askOf(other)('POST /api/v1/namespaces/default/services', { metadata: { name: 't' }, spec });
  t.is(again.status, 422);
  await askOf(other)('DELETE /apis/example.com/v1/namespaces/default/gadgets/owner');
  await other.settle();
  t.false(names(other).includes('a-part'));
  t.true(names(cluster).includes('a-part'));
});

test('what was not served when the snapshot was taken is not served after it', async (t) => {
  const cluster = await start(t);
  const snapshot = await cluster.snapshot();
  await cluster.apply(gadgets);
  await cluster.restore(snapshot);
  t.is((await askOf(cluster)('GET /apis/example.com/v1/gadgets')).status, 404);
});

test('tokens of service accounts hold in forks and where a file was restored', async (t) => {
  const cluster = await start(t);
  const { body } = await askOf(cluster)('POST /api/v1/namespaces/default/serviceaccounts/default/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  });
  const { token } = body.status as { token: string };
  const whoIs = async (one: Cluster) => {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const url = 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews';
    return (await askOf(one)(url, review, { authorization: `Bearer ${token}` })).status;
  };
  const other = await start(t);
  t.is(await whoIs(other), 401);
  await other.restore(await filed(cluster));
  const fork = await cluster.fork();
  t.teardown(() => fork.close());
  t.deepEqual([await whoIs(cluster), await whoIs(other), await whoIs(fork)], [201, 201, 201]);
});

test('what was applied before a snapshot is removed by what is applied after it', async (t) => {
  const cluster = await start(t);
  await cluster.apply(map('a', { x: '1', y: '2' }));
  await cluster.restore(await filed(cluster));
  t.deepEqual((await cluster.apply(map('a', { x: '1' }))).data, { x: '1' });
});

test('a snapshot costs no more for many objects, and a file has each of them once', async (t) => {
  const cluster = await start(t);
  for (let count = 0; count < 20; count += 1) await cluster.apply(map('a', { x: String(count) }));
  const file = (await cluster.snapshot()).toJSON();
  t.is(new Set(file.objects).size, file.objects.length);
  const [one, other] = [await cluster.snapshot(), await cluster.snapshot()];
  await cluster.apply(map('b'));
  t.deepEqual(one.toJSON(), other.toJSON());
});

test('what is not a snapshot is refused, with what is wrong', async (t) => {
  const cluster = await start(t);
  const restore = (file: object) => cluster.restore(file as SnapshotFile);
  await t.throwsAsync(restore({}), { instanceOf: TypeError, message: /kind is not ClusterSnapshot/ });
  const file = (await cluster.snapshot()).toJSON();
  await t.throwsAsync(restore({ ...file, formatVersion: 2 }), { message: /only 1 is known/ });
  await t.throwsAsync(restore({ ...file, objects: [] }), { message: /there is no object 0/ });
  t.true(names(cluster).includes('kube-root-ca.crt'));
});
