import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createCluster } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';

const maps = '/api/v1/namespaces/default/configmaps';

async function start(t: ExecutionContext) {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  return { cluster, ask: askOf(cluster) };
}

const answers: readonly (readonly [string, number, string])[] = [
  ['GET /api/v1/watch', 500, 'unable to determine kind and namespace from url, /api/v1/watch'],
  ['GET /api/v1//namespaces', 404, 'the server could not find the requested resource'],
  [`GET ${maps}/%zz`, 400, '400 Bad Request'],
  [`GET ${maps}/a%2Fb`, 404, 'the server could not find the requested resource'],
  [`GET ${maps}%2F`, 200, '"kind":"ConfigMapList"'],
  ['GET /api/v1/namespaces//configmaps', 200, '"kind":"ConfigMapList"'],
  ['GET /apis/apps/v9/deployments', 404, 'the server could not find the requested resource'],
  ['POST /api/v1', 405, 'the server does not allow this method'],
  ['OPTIONS /version', 405, 'the server does not allow this method'],
  ['OPTIONS /apis/apps', 200, '"kind":"APIGroup"'],
  [`GET ${maps}?timeout=1x`, 400, 'time: unknown unit \\"x\\" in duration \\"1x\\"'],
  [`GET ${maps}?timeout=1.5.2s`, 400, 'time: missing unit in duration'],
  [`GET ${maps}?timeout=-1m30s`, 200, ''],
  ['GET /api/v1/namespaces/default/pods/a/log?tailLines=-1', 422, 'tailLines: Invalid value: -1: must be greater'],
  ['GET /api/v1/namespaces/default/pods/a/log?limitBytes=x', 400, 'strconv.ParseInt: parsing \\"x\\": invalid syntax'],
  ['GET /api/v1/namespaces/default/pods/a/log?sinceSeconds=1&tailLines=2', 404, 'not found'],
  ['GET /index.html', 200, '"/healthz"'],
  ['GET /readyz?verbose&exclude=nope', 200, 'cannot be excluded: no matches for "nope"\nreadyz check passed'],
  ['GET /openapi/v3/apis/nope/v1', 404, ''],
];
for (const [what, status, text] of answers) {
  test(`${what} is a ${status}, as on a real server`, async (t) => {
    const { ask } = await start(t);
    const answer = await ask(what);
    t.is(answer.status, status);
    t.true(answer.text.includes(text), answer.text.slice(0, 300));
  });
}

test('documents of OpenAPI are found by their hashes, and cached for good by clients that ask for the right one', async (t) => {
  const { ask } = await start(t);
  const { headers, status } = await ask('GET /openapi/v3/apis/apps/v1?hash=other');
  t.is(status, 301);
  const right = await ask(`GET ${headers.location}`);
  t.is(right.headers['cache-control'], 'public, immutable');
  t.is(right.body.openapi, '3.0.0');
  const again = await ask(`GET ${headers.location}`, undefined, { 'if-none-match': String(right.headers.etag) });
  t.is(again.status, 304);
  t.is((await ask('GET /openapi/v3/apis/apps/v1', undefined, { accept: 'text/html' })).status, 406);
});

test('tokens are verified by the key that is published', async (t) => {
  const { ask } = await start(t);
  const { body } = await ask('POST /api/v1/namespaces/default/serviceaccounts/default/token', { spec: {} });
  const { token } = body.status as { token: string };
  const configuration = await ask('GET /.well-known/openid-configuration');
  t.true(String(configuration.body.jwks_uri).endsWith('/openid/v1/jwks'));
  const published = await ask('GET /openid/v1/jwks');
  const { keys } = published.body as { keys: [JsonWebKey] };
  const [head, payload, signature] = token.split('.');
  const key = { key: createPublicKey({ key: keys[0], format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  t.true(verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature!, 'base64url')));
});

test('what continues to containers, Services and nodes ends where it would if nothing listened', async (t) => {
  const { ask } = await start(t);
  const container = (name: string) => ({ name, image: 'i' });
  const pod = (name: string, spec: object) =>
    ask('POST /api/v1/namespaces/default/pods', {
      metadata: { name },
      spec: { containers: [container('c')], ...spec },
    });
  const said = async (path: string, headers = {}) => {
    const { status, body } = await ask(`GET /api/v1/${path}`, undefined, headers);
    return `${status} ${body.message}`;
  };
  await pod('waits', { schedulingGates: [{ name: 'example.com/later' }] });
  await pod('two', { nodeName: 'lost', containers: [container('c'), container('d')] });
  const pods = 'namespaces/default/pods';
  t.is(await said(`${pods}/none/exec`), '404 pods "none" not found');
  t.is(await said(`${pods}/waits/exec?command=ls`), '400 pod waits does not have a host assigned');
  t.is(await said(`${pods}/waits/exec?container=x`), '400 container x is not valid for pod waits');
  t.is(await said(`${pods}/two/attach`), '400 a container name must be specified for pod two, choose one of: [c d]');
  t.is(await said(`${pods}/waits/proxy/x`), '400 address not allowed');
  await ask('POST /api/v1/nodes', { metadata: { name: 'lost' } });
  t.is(await said('nodes/lost/proxy/'), '500 no preferred addresses found; known addresses: []');
  t.is(await said('nodes/none/proxy/'), '404 nodes "none" not found');
  t.is(await said('namespaces/default/services/none/proxy/'), '404 services "none" not found');
  const addresses = [{ type: 'InternalIP', address: '10.0.0.9' }];
  await ask('PATCH /api/v1/nodes/lost/status', { status: { addresses } });
  t.is(await said(`${pods}/two/portforward`), '400 Upgrade request required');
  t.is(
    await said(`${pods}/two/portforward`, { upgrade: 'SPDY/3.1' }),
    '500 error dialing backend: dial tcp 10.0.0.9:10250: connect: connection refused',
  );
});
