import test from 'ava';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { askOf } from '../../fixtures/ask.ts';

async function start(options = {}) {
  const cluster = await createCluster(options);
  return { cluster, ask: askOf(cluster) };
}

test('a cluster starts with four namespaces, each with its ServiceAccount and the root CA', async (t) => {
  const { cluster, ask } = await start();
  const names = cluster.list({ apiVersion: 'v1', kind: 'Namespace' }).map(({ metadata }) => metadata.name);
  t.deepEqual(names, ['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  t.is((await ask('GET /api/v1/namespaces/kube-system/serviceaccounts/default')).status, 200);
  const { body } = await ask('GET /api/v1/namespaces/default/configmaps/kube-root-ca.crt');
  t.regex((body.data as Record<string, string>)['ca.crt']!, /BEGIN CERTIFICATE/);
});

test('a new namespace is active, labelled and held by its finalizer', async (t) => {
  const { ask } = await start();
  const { body } = await ask('POST /api/v1/namespaces', { metadata: { name: 'x' } });
  t.like(body, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
  t.deepEqual((body.metadata as { labels: object }).labels, { 'kubernetes.io/metadata.name': 'x' });
});

test('a deleted namespace is emptied first; what is held holds it, and nothing new is let in', async (t) => {
  const { cluster, ask } = await start();
  const maps = '/api/v1/namespaces/x/configmaps';
  await ask('POST /api/v1/namespaces', { metadata: { name: 'x' } });
  await ask(`POST ${maps}`, { metadata: { name: 'free' } });
  await ask(`POST ${maps}`, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  t.like(await ask('DELETE /api/v1/namespaces/x'), { status: 200, body: { status: { phase: 'Terminating' } } });
  await cluster.settle();
  t.is((await ask(`GET ${maps}/free`)).status, 404);
  const { body } = await ask('GET /api/v1/namespaces/x');
  const { conditions } = body.status as { conditions: { type: string; status: string; message: string }[] };
  t.like(
    conditions.find(({ type }) => type === 'NamespaceFinalizersRemaining'),
    { status: 'True' },
  );
  const refused = await ask(`POST ${maps}`, { metadata: { name: 'late' } });
  t.like(refused, { status: 403, body: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } });
  await ask(`PATCH ${maps}/held`, { metadata: { finalizers: null } });
  await cluster.settle();
  t.is((await ask('GET /api/v1/namespaces/x')).status, 404);
});

test('some namespaces stay for ever, and there is no deleting all at once', async (t) => {
  const { ask } = await start();
  t.is((await ask('DELETE /api/v1/namespaces/default')).status, 403);
  t.is((await ask('DELETE /api/v1/namespaces')).status, 405);
});

test('without the controller a deleted namespace stays until it is finalized', async (t) => {
  const { cluster, ask } = await start({ namespaceController: false });
  await ask('POST /api/v1/namespaces', { metadata: { name: 'x' } });
  await ask('DELETE /api/v1/namespaces/x');
  await cluster.settle();
  t.is((await ask('GET /api/v1/namespaces/x')).status, 200);
  await ask('PUT /api/v1/namespaces/x/finalize', { metadata: { name: 'x' }, spec: { finalizers: [] } });
  t.is((await ask('GET /api/v1/namespaces/x')).status, 404);
});

test('a deleted namespace can take its time', async (t) => {
  const clock = createManualClock();
  const { cluster, ask } = await start({ clock, namespaceController: { delay: 1000 } });
  await ask('POST /api/v1/namespaces', { metadata: { name: 'x' } });
  await ask('DELETE /api/v1/namespaces/x');
  await cluster.settle();
  t.like((await ask('GET /api/v1/namespaces/x')).body, { spec: { finalizers: ['kubernetes'] } });
  await clock.advance(1000);
  t.is((await ask('GET /api/v1/namespaces/x')).status, 404);
});

test('the pods of a deleted namespace go before what they use', async (t) => {
  const { cluster, ask } = await start();
  await ask('POST /api/v1/namespaces', { metadata: { name: 'x' } });
  await ask('POST /api/v1/namespaces/x/configmaps', { metadata: { name: 'used' } });
  await ask('POST /api/v1/namespaces/x/pods', {
    metadata: { name: 'user', finalizers: ['example.com/busy'] },
    spec: { containers: [{ name: 'main', image: 'app:1' }] },
  });
  await ask('DELETE /api/v1/namespaces/x');
  await cluster.settle();
  t.is((await ask('GET /api/v1/namespaces/x/configmaps/used')).status, 200);
  await ask('PATCH /api/v1/namespaces/x/pods/user', { metadata: { finalizers: null } });
  await cluster.settle();
  t.is((await ask('GET /api/v1/namespaces/x')).status, 404);
});

test('the root CA of a namespace is corrected when a client changes or deletes it', async (t) => {
  const { cluster, ask } = await start();
  const path = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt';
  const { body: before } = await ask(`GET ${path}`);
  await ask(`PATCH ${path}`, { data: { 'ca.crt': '' } });
  await cluster.settle();
  t.deepEqual((await ask(`GET ${path}`)).body.data, before.data);
  await ask(`DELETE ${path}`);
  await cluster.settle();
  t.deepEqual((await ask(`GET ${path}`)).body.data, before.data);
});

test('a namespace that a cluster-wide object comes with is ignored, however it is written', async (t) => {
  const ask = askOf(await createCluster());
  const classes = '/apis/storage.k8s.io/v1/storageclasses';
  const body = {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'a', namespace: 'default' } },
    provisioner: 'example.com/p',
  };
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  const merge = { 'content-type': 'application/merge-patch+json' };
  for (const [how, headers] of [
    [`PATCH ${classes}/a?fieldManager=m`, apply],
    [`PATCH ${classes}/a?fieldManager=m`, apply],
    [`PUT ${classes}/a`, {}],
    [`PATCH ${classes}/a`, merge],
  ] as const) {
    const { status, body: made } = await ask(how, body, headers);
    t.true(status < 300, how);
    t.is((made.metadata as { namespace?: string }).namespace, undefined);
  }
});
