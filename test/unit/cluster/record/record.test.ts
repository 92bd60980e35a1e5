import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  createManualClock,
  replayRecording,
} from '../../../cluster/index.ts';
import { askOf, watchOf } from '../fixtures/ask.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';

async function start(t: ExecutionContext, options: ClusterOptions = {}) {
  const cluster = await createCluster({ clock: createManualClock(), ...options });
  t.teardown(() => cluster.close());
  const lines: string[] = [];
  return { cluster, ask: askOf(cluster), lines, stop: cluster.record((line) => lines.push(line)) };
}

const replayOn = (cluster: Cluster, lines: readonly string[]) =>
  replayRecording(lines.join('\n'), { server: cluster.url, dispatcher: cluster.dispatcher, quiet: 50 });

/** Sends a mix of requests to a cluster. */
async function story(cluster: Cluster): Promise<void> {
  const ask = askOf(cluster);
  const watch = await watchOf(cluster, `${maps}?watch=true&resourceVersion=${cluster.revision}`);
  const made = await ask(`POST ${maps}`, { metadata: { generateName: 'x-' }, data: { a: '1' } });
  const { name, uid, resourceVersion } = made.body.metadata as Record<string, string>;
  await ask(`PATCH ${maps}/${name}`, { metadata: { resourceVersion }, data: { a: '2' } });
  await ask(`PATCH ${maps}/${name}`, { metadata: { resourceVersion }, data: { a: '3' } });
  await ask(`PUT ${maps}/nobody`, { metadata: { name: 'nobody' } });
  await ask(`GET ${maps}?limit=1`);
  const page = await ask('GET /api/v1/namespaces?limit=1');
  await ask(`GET /api/v1/namespaces?limit=1&continue=${(page.body.metadata as { continue: string }).continue}`);
  await ask('GET /api/v1/nodes', undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  await ask('POST /api/v1/namespaces/default/services', { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
  await ask(
    `PATCH ${maps}/second?fieldManager=me&force=true`,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: second}\n',
    {
      'content-type': 'application/apply-patch+yaml',
    },
  );
  await ask(`DELETE ${maps}/${name}`, { preconditions: { uid } });
  await ask('GET /nowhere');
  await watch.take(4);
  watch.close();
}

test('what was recorded is answered so again, with other uids, versions and names', async (t) => {
  const { cluster, lines } = await start(t);
  await story(cluster);
  const { cluster: other } = await start(t, { seed: 99 });
  await other.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'first', namespace: 'default' } });
  const { requests, differences } = await replayOn(other, lines);
  t.deepEqual(differences, []);
  t.is(requests, 13);
});

test('what is said in protobuf is recorded and replayed as JSON, secrets as well', async (t) => {
  const protobuf = 'application/vnd.kubernetes.protobuf';
  const accept = `${protobuf},application/json`;
  const { cluster, ask, lines } = await start(t);
  const watch = await watchOf(cluster, `${maps}?watch=true&resourceVersion=${cluster.revision}`, { accept });
  await ask(`POST ${maps}`, { metadata: { name: 'a' }, data: { a: '1' } }, { accept });
  const secret = { metadata: { name: 's' }, data: { word: 'aHVzaCE=' } };
  await ask(`POST ${secrets}`, secret, { accept });
  const headers = { accept, 'content-type': protobuf };
  const stored = await request(`${cluster.url}${secrets}/s`, { dispatcher: cluster.dispatcher, headers });
  const body = Buffer.from(await stored.body.arrayBuffer());
  await request(`${cluster.url}${secrets}/s`, { dispatcher: cluster.dispatcher, headers, method: 'PUT', body });
  await ask(`GET ${secrets}`, undefined, { accept });
  await ask('GET /apis', undefined, { accept });
  await ask(`GET ${maps}/nobody`, undefined, { accept });
  watch.close();
  const text = lines.join('\n');
  t.false(text.includes('aHVzaCE') || text.includes('hush!') || text.includes('bodyBase64'));
  const { cluster: other } = await start(t);
  const { requests, differences } = await replayOn(other, lines);
  t.deepEqual(differences, []);
  t.is(requests, 8);
});

test('what differs is reported, with the line of the recording and the path', async (t) => {
  const { cluster, lines } = await start(t);
  await story(cluster);
  const { cluster: other } = await start(t, { seed: 5 });
  other.faults.on('update', 'configmaps').answer(503);
  other.faults.watches('configmaps').lose({ times: 1 });
  other.intercept(async (request, next) => {
    const response = await next(request);
    if (request.method !== 'PATCH') return response;
    return { ...response, body: String(response.body).replace('"a":"2"', '"a":"7"') };
  });
  const { differences } = await replayOn(other, lines);
  t.deepEqual(differences.map(({ request, what }) => `${request.split(' ')[0]} ${what}`).slice(0, 2), [
    'PATCH body.data.a: expected "2", got "7"',
    'PUT status: expected 404, got 503 a fault was injected: HTTP 503',
  ]);
  t.true(differences.some(({ what }) => what === 'events: expected 4 items, got 3'));
});

test('a recording holds no secrets, and can be replayed all the same', async (t) => {
  const { cluster, ask, lines } = await start(t, { adminToken: 'of-the-admin' });
  const hidden = 'c2VjcmV0LXZhbHVl';
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { key: hidden } };
  const watch = await watchOf(cluster, `${secrets}?watch=true&resourceVersion=${cluster.revision}`);
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(body) };
  await ask(`POST ${secrets}`, { ...body, metadata: { name: 's', annotations } });
  await ask(`PATCH ${secrets}/s`, { stringData: { other: 'secret-value' } });
  await ask(`PATCH ${secrets}/s`, [{ op: 'replace', path: '/data/key', value: hidden }]);
  await ask(`GET ${secrets}`);
  await ask('POST /api/v1/namespaces/default/serviceaccounts/default/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  });
  await ask(`GET ${secrets}/s`, undefined, { authorization: 'Bearer of-the-admin' });
  await watch.take(2);
  watch.close();
  const text = lines.join('\n');
  for (const secret of [hidden, 'secret-value', 'of-the-admin', 'eyJhbGciOi']) t.false(text.includes(secret), secret);
  t.true(text.includes('"key":"cmVkYWN0ZWQ="'));
  const { cluster: other } = await start(t);
  const { differences } = await replayOn(other, lines);
  t.deepEqual(
    differences.map(({ what }) => what).filter((what) => !/data|events|resourceVersion|managedFields/.test(what)),
    [],
  );
});

test('a replay impersonates all users but administrators', async (t) => {
  const { cluster, ask, lines } = await start(t, { rbac: true });
  const { request } = await import('undici');
  await ask('POST /apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'a, b' }],
  });
  for (const name of ['jane', 'system:anonymous']) {
    const groups = name === 'jane' ? ['devs', 'a, b'] : ['system:unauthenticated'];
    const dispatcher = cluster.dispatcherAs({ name, groups });
    await (await request(`${cluster.url}${maps}`, { dispatcher })).body.text();
  }
  const steps = lines
    .slice(2)
    .map((line) => JSON.parse(line) as { request: { headers: object }; response: { status: number } });
  t.deepEqual(
    steps.map(({ request: { headers }, response: { status } }) => [headers, status]),
    [
      [{ 'impersonate-user': 'jane', 'impersonate-group': ['devs', 'a, b'] }, 200],
      [{ authorization: null }, 403],
    ],
  );
  const { cluster: other } = await start(t, { rbac: true });
  t.deepEqual((await replayOn(other, lines.slice(0, 3))).differences, [], 'no user is anonymous in process');
});

test('nothing is written any more when recording has stopped', async (t) => {
  const { ask, lines, stop } = await start(t);
  await ask(`GET ${maps}`);
  stop();
  await ask(`GET ${maps}`);
  t.is(lines.length, 2);
});

test('what is not a recording is refused, with the line', async (t) => {
  const { cluster } = await start(t);
  await t.throwsAsync(replayOn(cluster, ['{}']), { instanceOf: TypeError, message: /not a recording of a cluster/ });
  await t.throwsAsync(replayOn(cluster, ['{"kind":"ClusterRecording","formatVersion":1}', '{']), {
    message: /^line 2 /,
  });
});
