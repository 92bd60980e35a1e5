import test from 'ava';
import { ConfigMap, Pod } from '../../../../../sdk/api/kinds.ts';
import { loadConnection } from '../../../../../sdk/client/config/load-connection.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { UnreachableError } from '../../../../../sdk/errors.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { expires, tellClientStory } from '../client-story.ts';
import { answer, podNamed, setUp } from '../scripted-server.ts';

async function inProcess() {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const close = async () => {
    await client.close();
    await cluster.close();
  };
  return { cluster, client, close };
}

async function overHttps() {
  const cluster = await createCluster();
  const listening = await cluster.listen();
  const connection = await loadConnection({ kubeconfig: { yaml: listening.kubeconfigYaml() } });
  const client = createClient({ connection });
  const close = async () => {
    await client.close();
    await cluster.close();
  };
  return { client, close };
}

tellClientStory(test, 'in process', inProcess);
tellClientStory(test, 'over HTTPS', overHttps);

test('a list of metadata has all pages, of the kind that was asked for, and no more than metadata', async (t) => {
  const { client, close } = await inProcess();
  for (const name of ['a', 'b', 'c'])
    await client.create(ConfigMap, {
      metadata: { namespace: 'default', name, labels: { of: 'test' } },
      data: { a: 'b' },
    });
  const { items } = await client.list(ConfigMap, { labels: 'of=test', answer: 'metadata', pageSize: 2 });
  t.deepEqual(
    items.map(({ apiVersion, kind, metadata, data }) => [apiVersion, kind, metadata.name, metadata.labels, data]),
    ['a', 'b', 'c'].map((name) => ['v1', 'ConfigMap', name, { of: 'test' }, undefined]),
  );
  await close();
});

test('a watch from a version that is forgotten throws an ExpiredError', async (t) => {
  const { cluster, client, close } = await inProcess();
  t.teardown(close);
  await expires(t, client, () => cluster.compact());
});

test('a request names its user agent and its field manager', async (t) => {
  const { server, client } = await setUp(t, (_, response) => answer(response, 200, podNamed('p')), {
    userAgent: 'sequencer/1.0',
    fieldManager: 'sequencer',
  });
  const key = { namespace: 'a', name: 'p' };
  await client.patch(Pod, key, { type: 'apply', value: { spec: {} }, force: true });
  await client.patch(Pod, key, { type: 'json', operations: [] }, { fieldManager: 'other', subresource: 'status' });
  const [applied, patched] = server.arrivals;
  t.is(applied?.path, '/api/v1/namespaces/a/pods/p?fieldManager=sequencer&force=true');
  t.is(applied?.headers['content-type'], 'application/apply-patch+yaml');
  t.deepEqual(JSON.parse(applied?.body ?? ''), { apiVersion: 'v1', kind: 'Pod', spec: {} });
  t.is(applied?.headers['user-agent'], 'sequencer/1.0');
  t.is(patched?.path, '/api/v1/namespaces/a/pods/p/status?fieldManager=other');
  t.is(patched?.headers['content-type'], 'application/json-patch+json');
});

test('a delete says what it depends on', async (t) => {
  const { server, client } = await setUp(t, (_, response) =>
    answer(response, 200, { kind: 'Status', status: 'Success' }),
  );
  const options = {
    propagation: 'Foreground',
    gracePeriodSeconds: 0,
    preconditions: { resourceVersion: '7' },
  } as const;
  t.is(await client.delete(ConfigMap, { namespace: 'a', name: 'c' }, options), 'gone');
  t.deepEqual(JSON.parse(server.arrivals[0]?.body ?? ''), {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Foreground',
    gracePeriodSeconds: 0,
    preconditions: { resourceVersion: '7' },
  });
});

for (const [what, answered, expected] of [
  ['a pod in its grace period', { metadata: { deletionTimestamp: 'now', deletionGracePeriodSeconds: 30 } }, 'deleting'],
  [
    'an object with finalizers',
    { metadata: { deletionTimestamp: 'now', deletionGracePeriodSeconds: 0, finalizers: ['f'] } },
    'deleting',
  ],
  [
    'a namespace that is emptied',
    { metadata: { deletionTimestamp: 'now' }, spec: { finalizers: ['kubernetes'] } },
    'deleting',
  ],
  ['a pod deleted without grace', { metadata: { deletionTimestamp: 'now', deletionGracePeriodSeconds: 0 } }, 'gone'],
  ['an object as it was', { metadata: { uid: 'u' } }, 'gone'],
  ['a Status', { kind: 'Status', metadata: {}, status: 'Success' }, 'gone'],
] as const)
  test(`a delete answered by ${what} means ${expected}`, async (t) => {
    const { client } = await setUp(t, (_, response) => answer(response, 200, answered));
    t.is(await client.delete(Pod, { namespace: 'a', name: 'p' }), expected);
  });

for (const [what, body, type] of [
  ['a JSON that is not an object', '[]', 'application/json'],
  ['an object of another server', '{"login":"please"}', 'application/json'],
  ['null', 'null', 'application/json'],
  ['a text', 'please log in', 'text/plain'],
] as const)
  test(`a success with ${what} is not an answer: nothing counts as read, written, listed or gone`, async (t) => {
    const { client } = await setUp(t, (_, response) => response.writeHead(200, { 'content-type': type }).end(body));
    const key = { namespace: 'a', name: 'p' };
    const unusable = {
      instanceOf: UnreachableError,
      message: /: no answer \((answered no object|Unexpected token .*)\)$/,
    };
    await t.throwsAsync(client.get(Pod, key), unusable);
    await t.throwsAsync(client.patch(Pod, key, { type: 'merge', value: {} }), unusable);
    await t.throwsAsync(client.list(Pod), unusable);
    await t.throwsAsync(client.delete(Pod, key), unusable);
    t.deepEqual(await client.raw('GET', '/'), type === 'text/plain' ? body : JSON.parse(body));
  });
