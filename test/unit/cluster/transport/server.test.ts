import { once } from 'node:events';
import { connect } from 'node:http2';
import test from 'ava';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import { createCluster, type Listening } from '../../../cluster/index.ts';
import { createAuthority } from '../../../cluster/pki/certificate.ts';

const authorityOf = (listening: Listening): string => {
  const [, encoded = ''] = /certificate-authority-data: (\S+)/.exec(listening.kubeconfigYaml()) ?? [];
  return Buffer.from(encoded, 'base64').toString();
};

async function start() {
  const cluster = await createCluster();
  const listening = await cluster.listen();
  const ca = authorityOf(listening);
  const dispatcher = new Agent({ connect: { ca } });
  const stop = async () => {
    await cluster.close();
    await dispatcher.destroy();
  };
  const [, token = ''] = /token: (\S+)/.exec(listening.kubeconfigYaml()) ?? [];
  return { cluster, listening, ca, dispatcher, headers: { authorization: `Bearer ${token}` }, stop };
}

test('its kubeconfig has a context with a namespace', async (t) => {
  const { listening, stop } = await start();
  t.like(parse(listening.kubeconfigYaml()), {
    'current-context': 'in-memory',
    contexts: [{ name: 'in-memory', context: { cluster: 'in-memory', user: 'user', namespace: 'default' } }],
  });
  await stop();
});

test('serves HTTPS to clients that trust its authority and have its token', async (t) => {
  const { listening, dispatcher, headers, stop } = await start();
  const get = (authorization: string) =>
    request(`${listening.url}/api/v1/namespaces/default`, { dispatcher, headers: { authorization } });
  const { statusCode, body } = await get(headers.authorization);
  t.is(statusCode, 200);
  t.like(await body.json(), { kind: 'Namespace', metadata: { name: 'default' } });
  const refused = await get('Bearer wrong');
  t.is(refused.statusCode, 401);
  t.like(await refused.body.json(), { reason: 'Unauthorized' });
  await stop();
});

test('is not trusted without its authority', async (t) => {
  const { listening, stop } = await start();
  await t.throwsAsync(request(`${listening.url}/version`), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
  await stop();
});

test('speaks HTTP/2', async (t) => {
  const { listening, ca, headers, stop } = await start();
  const session = connect(listening.url, { ca });
  const stream = session.request({ ...headers, ':path': '/version' });
  stream.setEncoding('utf8');
  let text = '';
  for await (const chunk of stream) text += chunk;
  t.is((JSON.parse(text) as { gitVersion: string }).gitVersion, 'v1.34.1');
  session.close();
  await stop();
});

test('streams watches over sockets, and ends them when it closes', async (t) => {
  const { cluster, listening, dispatcher, headers, stop } = await start();
  const url = `${listening.url}/api/v1/configmaps?watch=true&resourceVersion=${cluster.revision}`;
  const { body } = await request(url, { dispatcher, headers });
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } });
  const chunks = body[Symbol.asyncIterator]();
  t.like(JSON.parse(String((await chunks.next()).value)), { type: 'ADDED', object: { metadata: { name: 'a' } } });
  const closing = stop();
  await t.throwsAsync(chunks.next());
  await closing;
});

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
const names = (text: string): string[] => [...text.matchAll(/"name":"([a-z])"/g)].map(([, name]) => name!);

test('many watches see the same events, by both versions of HTTP', async (t) => {
  const { cluster, listening, ca, dispatcher, headers, stop } = await start();
  const path = `/api/v1/configmaps?watch=true&resourceVersion=${cluster.revision}`;
  const watches = await Promise.all([1, 2, 3].map(() => request(`${listening.url}${path}`, { dispatcher, headers })));
  const session = connect(listening.url, { ca });
  const second = session.request({ ...headers, ':path': path }).setEncoding('utf8');
  const readers = [...watches.map(({ body }) => body.setEncoding('utf8')), second];
  const seen = readers.map(async (reader) => {
    let text = '';
    for await (const chunk of reader) {
      text += chunk;
      if (names(text).length === 3) break;
    }
    return names(text);
  });
  await Promise.all(['a', 'b', 'c'].map((name) => cluster.apply(configMap(name))));
  t.deepEqual(await Promise.all(seen), Array(4).fill(['a', 'b', 'c']));
  session.close();
  await stop();
});

test('a HEAD of HTTP/2 has the headers of the answer, and nothing else', async (t) => {
  const { listening, ca, headers, stop } = await start();
  const session = connect(listening.url, { ca });
  const stream = session.request({ ...headers, ':path': '/version', ':method': 'HEAD' }).setEncoding('utf8');
  const [{ 'content-length': length }] = (await once(stream, 'response')) as [{ 'content-length': string }];
  let text = '';
  for await (const chunk of stream) text += chunk;
  t.true(Number(length) > 0);
  t.is(text, '');
  session.close();
  await stop();
});

test('a port that is taken is reported', async (t) => {
  const { cluster, listening, stop } = await start();
  await t.throwsAsync(cluster.listen({ port: listening.port }), { code: 'EADDRINUSE' });
  await stop();
});

test('big answers are compressed for clients that accept gzip', async (t) => {
  const { cluster, listening, dispatcher, headers: credentials, stop } = await start();
  const data = { text: 'x'.repeat(200_000) };
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'big', namespace: 'default' },
    data,
  });
  const { headers, body } = await request(`${listening.url}/api/v1/namespaces/default/configmaps/big`, {
    dispatcher,
    headers: { ...credentials, 'accept-encoding': 'gzip' },
  });
  t.is(headers['content-encoding'], 'gzip');
  t.true((await body.arrayBuffer()).byteLength < 10_000);
  await stop();
});

test('shows the certificate, and trusts the clients, that it is told of', async (t) => {
  const cluster = await createCluster({ issuer: 'https://here', rbac: true });
  const [serving, clients] = [await createAuthority(Date.now()), await createAuthority(Date.now())];
  const identity = serving.issue(['127.0.0.1']);
  const listening = await cluster.listen({ identity, clientAuthorities: clients.certificate });
  const asked = async ({ issueFor }: typeof clients) => {
    const { certificate: cert, key } = issueFor({ name: 'admin', groups: ['system:masters'] });
    const dispatcher = new Agent({ connect: { ca: serving.certificate, cert, key } });
    const { statusCode, body } = await request(`${listening.url}/.well-known/openid-configuration`, { dispatcher });
    t.teardown(() => dispatcher.destroy());
    return { statusCode, body: await body.json() };
  };
  t.like(await asked(clients), { statusCode: 200, body: { issuer: 'https://here' } });
  t.like(await asked(serving), { statusCode: 403, body: { reason: 'Forbidden' } });
  await cluster.close();
});
