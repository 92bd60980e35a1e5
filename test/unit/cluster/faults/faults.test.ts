import test, { type ExecutionContext } from 'ava';
import { Agent, request } from 'undici';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { type Cluster, createCluster } from '../../../cluster/index.ts';
import { askOf, watchOf } from '../fixtures/ask.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
const exists = (cluster: Cluster, name: string): boolean =>
  cluster.get({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default', name }) !== undefined;

async function start(t: ExecutionContext, options = {}) {
  const cluster = await createCluster(options);
  t.teardown(() => cluster.close());
  return { cluster, ask: askOf(cluster) };
}

test('a request that is dropped before the commit does nothing, after it everything but answer', async (t) => {
  const { cluster, ask } = await start(t);
  const before = cluster.faults.on('create', 'configmaps').before('commit').drop({ times: 1 });
  await t.throwsAsync(ask(`POST ${maps}`, object('a')), { code: 'UND_ERR_SOCKET' });
  t.false(exists(cluster, 'a'));
  const after = cluster.faults.on('create', 'configmaps').after('commit').drop({ times: 1 });
  await t.throwsAsync(ask(`POST ${maps}`, object('a')), { code: 'UND_ERR_SOCKET' });
  t.true(exists(cluster, 'a'));
  t.is((await ask(`POST ${maps}`, object('b'))).status, 201);
  t.deepEqual([before.hits, after.hits], [1, 1]);
});

test('a status is answered in place of the work, with the time to wait', async (t) => {
  const { cluster, ask } = await start(t);
  cluster.faults.on('update', 'configmaps').answer({ code: 429, retryAfter: 2 });
  await ask(`POST ${maps}`, object('a'));
  const { status, headers, body } = await ask(`PUT ${maps}/a`, object('a'));
  t.is(status, 429);
  t.is(headers['retry-after'], '2');
  t.like(body, { kind: 'Status', reason: 'TooManyRequests', details: { retryAfterSeconds: 2 }, code: 429 });
});

test('only what is in scope is hit', async (t) => {
  const { cluster, ask } = await start(t);
  cluster.faults.on('get', 'configmaps', { name: 'a', userAgent: 'operator' }).answer(500);
  const get = async (name: string, agent: string) =>
    (await ask(`GET ${maps}/${name}`, undefined, { 'user-agent': agent })).status;
  t.deepEqual([await get('a', 'operator/1'), await get('a', 'kubectl'), await get('b', 'operator/1')], [500, 404, 404]);
});

test('a fault hits from one request on, so many times', async (t) => {
  const { cluster, ask } = await start(t);
  cluster.faults.on('list', 'configmaps').answer(503, { skip: 1, times: 2 });
  const codes: number[] = [];
  for (let count = 0; count < 5; count += 1) codes.push((await ask(`GET ${maps}`)).status);
  t.deepEqual(codes, [200, 503, 503, 200, 200]);
});

test('chances are the same in every run', async (t) => {
  const codesOf = async () => {
    const { cluster, ask } = await start(t, { seed: 7 });
    cluster.faults.on('*', '*').answer(500, { probability: 0.5 });
    const codes: number[] = [];
    for (let count = 0; count < 20; count += 1) codes.push((await ask(`GET ${maps}`)).status);
    return codes;
  };
  const first = await codesOf();
  t.deepEqual(await codesOf(), first);
  t.true(first.includes(200) && first.includes(500));
});

test('delays pass on the clock of the cluster', async (t) => {
  const clock = createManualClock();
  const { cluster, ask } = await start(t, { clock });
  cluster.faults.on('get', 'namespaces').delay(5000);
  let isDone = false;
  const asked = ask('GET /api/v1/namespaces/default').then(() => {
    isDone = true;
  });
  await clock.advance(4999);
  t.false(isDone);
  await clock.advance(1);
  await asked;
  t.true(isDone);
});

test('faults are removed one by one, or all at once', async (t) => {
  const { cluster, ask } = await start(t);
  const fault = cluster.faults.on('list', 'configmaps').answer(500);
  cluster.faults.on('list', 'secrets').answer(500);
  fault.remove();
  t.is((await ask(`GET ${maps}`)).status, 200);
  t.is((await ask('GET /api/v1/secrets')).status, 500);
  cluster.faults.clear();
  t.is((await ask('GET /api/v1/secrets')).status, 200);
});

test('what could never happen is refused', async (t) => {
  const { faults } = (await start(t)).cluster;
  const refused = (act: () => unknown, message: RegExp) => t.throws(act, { instanceOf: TypeError, message });
  refused(
    () => faults.on('patch', 'workspaces/status'),
    /serves no "workspaces": apply its CustomResourceDefinition first/,
  );
  refused(() => faults.on('get', 'configmap'), /serves no "configmap": write "configmaps"/);
  refused(
    () => faults.on('list', 'deployments/status'),
    /no client can list deployments\/status, but get, patch, update it/,
  );
  refused(() => faults.on('get', 'configmaps/status'), /there is no "configmaps\/status"/);
  refused(() => faults.on('get', 'nodes', { namespace: 'default' }), /nodes are in no namespace/);
  refused(() => faults.on('create', 'configmaps', { name: 'a' }), /a create has no name in its path/);
  refused(() => faults.on('put' as 'update', 'configmaps'), /there is no verb "put"/);
  refused(() => faults.on('get', 'configmaps').drop({ times: 0 }), /times is 0/);
  refused(() => faults.on('get', 'configmaps').drop({ probability: 2 }), /probability is 2/);
});

test('watches are held back, let on step by step, and then for good', async (t) => {
  const { cluster } = await start(t);
  const watch = await watchOf(cluster, `${maps}?watch=true&resourceVersion=${cluster.revision}`);
  const hold = cluster.faults.watches('configmaps').hold();
  for (const name of ['a', 'b', 'c']) await cluster.apply(object(name));
  const names: unknown[] = [];
  const take = async (count: number) => {
    for (const line of await watch.take(count)) names.push((line.object.metadata as { name: string }).name);
  };
  hold.release(1);
  await take(1);
  t.deepEqual(names, ['a']);
  hold.release();
  await cluster.apply(object('d'));
  await take(3);
  t.deepEqual(names, ['a', 'b', 'c', 'd']);
  watch.close();
});

test('watches are told that they are too late', async (t) => {
  const { cluster } = await start(t);
  const watch = await watchOf(cluster, `${maps}?watch=true&resourceVersion=${cluster.revision}`);
  t.is(cluster.faults.watches('configmaps').expire(), 1);
  const [line, ...rest] = await watch.take(2);
  t.like(line, { type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  t.is(rest.length, 0);
});

test('watches lose their connection', async (t) => {
  const { cluster } = await start(t);
  const watch = await watchOf(cluster, `${maps}?watch=true&resourceVersion=${cluster.revision}`);
  t.is(cluster.faults.watches('secrets').drop(), 0);
  t.is(cluster.faults.watches('configmaps').drop(), 1);
  await t.throwsAsync(watch.take(1), { code: 'UND_ERR_SOCKET' });
});

test('over the wire connections close, are reset, and break within an answer', async (t) => {
  const { cluster } = await start(t);
  const listening = await cluster.listen();
  const yaml = listening.kubeconfigYaml();
  const [, ca = ''] = /certificate-authority-data: (\S+)/.exec(yaml) ?? [];
  const [, token = ''] = /token: (\S+)/.exec(yaml) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  for (const allowH2 of [false, true]) {
    const dispatcher = new Agent({ allowH2, connect: { ca: Buffer.from(ca, 'base64').toString() } });
    const list = async () => {
      const { body } = await request(listening.url + maps, { dispatcher, headers });
      return body.json();
    };
    cluster.faults.on('list', 'configmaps').drop({ times: 1 });
    await t.throwsAsync(list(), undefined, `dropped, HTTP/2: ${allowH2}`);
    cluster.faults.on('list', 'configmaps').reset({ times: 1 });
    await t.throwsAsync(list(), undefined, `reset, HTTP/2: ${allowH2}`);
    cluster.faults.on('list', 'configmaps').after('commit').cut({ times: 1 });
    await t.throwsAsync(list(), undefined, `cut, HTTP/2: ${allowH2}`);
    t.like(await list(), { kind: 'ConfigMapList' });
    await dispatcher.destroy();
  }
});
