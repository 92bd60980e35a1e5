import test from 'ava';
import { request } from 'undici';
import { askOf } from './ask.ts';
import { createCluster } from './index.ts';

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

test('streams what happens to a watcher', async (t) => {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  const { body } = await request(
    `${cluster.url}/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=${cluster.revision}`,
    {
      dispatcher: cluster.dispatcher,
    },
  );
  await ask('POST /api/v1/namespaces/default/configmaps', configMap('a'));
  await ask('DELETE /api/v1/namespaces/default/configmaps/a');
  const types: string[] = [];
  for await (const chunk of body) {
    for (const line of String(chunk).trim().split('\n')) types.push(JSON.parse(line).type);
    if (types.length >= 2) break;
  }
  t.deepEqual(types, ['ADDED', 'DELETED']);
});

test('listens over HTTPS with an authority of its own', async (t) => {
  const cluster = await createCluster();
  const listening = await cluster.listen();
  t.regex(listening.kubeconfigYaml(), /certificate-authority-data: \S+/);
  const { Agent } = await import('undici');
  const [, encoded = ''] = /certificate-authority-data: (\S+)/.exec(listening.kubeconfigYaml()) ?? [];
  const dispatcher = new Agent({ connect: { ca: Buffer.from(encoded, 'base64').toString() } });
  const { statusCode, body } = await request(`${listening.url}/version`, { dispatcher });
  t.is(statusCode, 200);
  t.is(((await body.json()) as { gitVersion: string }).gitVersion, 'v1.34.1');
  await dispatcher.close();
  await cluster.close();
});
