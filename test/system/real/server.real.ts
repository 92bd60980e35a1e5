import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { createApi } from './api.ts';
import { kubernetesVersion } from './binaries.ts';
import { startKubelet } from './kubelet.ts';
import { startRealServer } from './server.ts';
import { until } from './until.ts';

const server = await startRealServer();
test.after.always(() => server.close());

const { api } = server;
const configMaps = '/api/v1/namespaces/default/configmaps';
const message = (what: string) => ({ message: (error: unknown) => `${what} within a minute (${error})` });

test('the real server answers as the version that go.mod names, and kubectl agrees', async (t) => {
  const { body } = await api.ask({ path: '/version' });
  const gitVersion = kubernetesVersion();
  const [major, minor] = gitVersion.slice(1).split('.');
  t.like(body, { gitVersion, major, minor });
  const { stdout } = await promisify(execFile)(server.kubectl, [
    '--kubeconfig',
    server.kubeconfigPath,
    'version',
    '-o',
    'json',
  ]);
  t.like(JSON.parse(stdout), { clientVersion: { gitVersion }, serverVersion: { gitVersion } });
});

test('the restricted user is refused until a role allows it', async (t) => {
  const restricted = createApi({ url: server.url, token: server.restrictedToken, ca: server.ca });
  t.teardown(() => restricted.close());
  const refused = await restricted.ask({ path: configMaps });
  t.is(refused.status, 403);
  t.like(refused.body, { reason: 'Forbidden' });

  const bound = await api.ask({
    method: 'POST',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
    body: {
      metadata: { name: 'restricted-views' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'restricted' }],
    },
  });
  t.is(bound.status, 201);
  await until(
    async () => (await restricted.ask({ path: configMaps })).status === 200 || undefined,
    message('no right'),
  );
});

test('the kubelet brings pods to Ready, and they vanish when deleted', async (t) => {
  const kubelet = startKubelet(api);
  t.teardown(() => kubelet.stop());
  for (const nodeName of [undefined, 'node-1']) {
    const spec = { nodeName, containers: [{ name: 'main', image: 'example.test/main' }] };
    const name = `pod-on-${nodeName ?? 'nothing'}`;
    const path = `/api/v1/namespaces/default/pods/${name}`;
    const made = await api.ask({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      body: { metadata: { name }, spec },
    });
    t.is(made.status, 201);
    const conditions = await until(
      async () => {
        const { status } = (await api.ask({ path })).body as {
          status: { phase: string; conditions: { type: string; status: string }[] };
        };
        return status.phase === 'Running' ? status.conditions : undefined;
      },
      message(`${name} does not run`),
    );
    t.is(conditions.find(({ type }) => type === 'Ready')?.status, 'True');
    await api.ask({ method: 'DELETE', path });
    await until(async () => (await api.ask({ path })).status === 404 || undefined, message(`${name} is not gone`));
  }
});

test('what an owner owned is collected when the owner is deleted', async (t) => {
  const owner = await api.ask({ method: 'POST', path: configMaps, body: { metadata: { name: 'owner' } } });
  const { uid } = (owner.body as { metadata: { uid: string } }).metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  await api.ask({ method: 'POST', path: configMaps, body: { metadata: { name: 'owned', ownerReferences } } });
  t.is((await api.ask({ method: 'DELETE', path: `${configMaps}/owner` })).status, 200);
  const owned = async () => (await api.ask({ path: `${configMaps}/owned` })).status === 404 || undefined;
  t.true(await until(owned, message('the owned one is not collected')));
});

test('a deleted namespace goes, with what was in it', async (t) => {
  const path = '/api/v1/namespaces/short-lived';
  await api.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'short-lived' } } });
  await api.ask({ method: 'POST', path: `${path}/configmaps`, body: { metadata: { name: 'inside' } } });
  t.is((await api.ask({ method: 'DELETE', path })).status, 200);
  t.true(
    await until(
      async () => (await api.ask({ path })).status === 404 || undefined,
      message('the namespace is not gone'),
    ),
  );
});

test('a restart keeps what was stored, and old history is gone after a compaction', async (t) => {
  const made = await api.ask({ method: 'POST', path: configMaps, body: { metadata: { name: 'kept' } } });
  const { resourceVersion } = (made.body as { metadata: { resourceVersion: string } }).metadata;
  const watch = `${configMaps}?watch=true&resourceVersion=${resourceVersion}`;
  const rename = { metadata: { labels: { seen: 'no' } } };
  t.is((await api.ask({ method: 'PATCH', path: `${configMaps}/kept`, body: rename })).status, 200);

  await server.kill();
  await t.throwsAsync(api.ask({ path: configMaps }));
  t.is(server.pids()['kube-apiserver'], undefined);
  await server.compact();
  await server.restart();

  t.is((await api.ask({ path: `${configMaps}/kept` })).status, 200);
  const lines = api.watch(watch, AbortSignal.timeout(20_000))[Symbol.asyncIterator]();
  t.like((await lines.next()).value, { type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  t.true((await lines.next()).done);
});

test('a paused server keeps its connections and answers once it continues', async (t) => {
  await server.pause();
  await t.throwsAsync(api.ask({ path: '/version', signal: AbortSignal.timeout(300) }));
  server.resume();
  t.is((await api.ask({ path: '/version' })).status, 200);
  t.true(server.cpuMs()['kube-apiserver']! > 0);
});
