import test, { type ExecutionContext } from 'ava';
import { Agent, request } from 'undici';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { type Cluster, createCluster } from '../../../cluster/index.ts';
import { type Ask, askOf } from '../fixtures/ask.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';
const jane = { name: 'jane', groups: ['devs', 'system:authenticated'] };

const as = (cluster: Cluster, user = jane): Ask => askOf({ url: cluster.url, dispatcher: cluster.dispatcherAs(user) });

async function start(t: ExecutionContext, options = {}) {
  const cluster = await createCluster({ rbac: true, ...options });
  t.teardown(() => cluster.close());
  return { cluster, ask: askOf(cluster) };
}

const bind = (name: string, subject: Fields): Fields => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
});

test('without RBAC all users may do everything', async (t) => {
  const { cluster } = await start(t, { rbac: false });
  t.is((await as(cluster)(`GET ${maps}`)).status, 200);
  const review = { spec: { resourceAttributes: { verb: 'delete', resource: 'nodes' } } };
  const { body } = await as(cluster)('POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review);
  t.deepEqual(body.status, { allowed: true });
});

test('without RBAC an anonymous client over the wire may do nothing, as with AlwaysAllow upstream', async (t) => {
  const { cluster } = await start(t, { rbac: false });
  const listening = await cluster.listen();
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  t.teardown(() => dispatcher.close());
  const statusWith = async (headers: Record<string, string>, path = maps) => {
    const { statusCode, body } = await request(listening.url + path, { dispatcher, headers });
    await body.dump();
    return statusCode;
  };
  const [, token = ''] = /token: (\S+)/.exec(listening.kubeconfigYaml()) ?? [];
  t.is(await statusWith({}), 401);
  t.is(await statusWith({ authorization: 'Basic YWRtaW46' }), 401);
  t.is(await statusWith({ authorization: 'Bearer in-memory-admin' }), 401);
  t.is(await statusWith({ authorization: `Bearer ${token}` }), 200);
});

test('each cluster has a token of its own for its administrator, unless one is chosen', async (t) => {
  const tokenOf = async (options = {}) => {
    const { cluster } = await start(t, options);
    return /token: (\S+)/.exec((await cluster.listen()).kubeconfigYaml())?.[1];
  };
  const [first, second] = [await tokenOf(), await tokenOf()];
  t.regex(first!, /^[0-9a-f]{32}$/);
  t.not(first, second);
  t.is(await tokenOf({ adminToken: 'mine' }), 'mine');
});

test('with RBAC no user may do what no binding gives', async (t) => {
  const { cluster, ask } = await start(t);
  const { status, body } = await as(cluster)(`GET ${maps}/a`);
  t.is(status, 403);
  t.is(
    body.message,
    'configmaps "a" is forbidden: User "jane" cannot get resource "configmaps" in API group "" in the namespace "default"',
  );
  t.is((await as(cluster)('GET /version')).status, 200);
  t.is((await ask(`GET ${maps}`)).status, 200);
});

test('a binding to a group opens what its role names, in its namespace', async (t) => {
  const { cluster, ask } = await start(t);
  await ask(`POST ${rbac}/namespaces/default/rolebindings`, bind('view', { kind: 'Group', name: 'devs' }));
  t.is((await as(cluster)(`GET ${maps}`)).status, 200);
  t.is((await as(cluster)(`POST ${maps}`, { metadata: { name: 'a' } })).status, 403);
  t.is((await as(cluster)('GET /api/v1/namespaces/kube-system/configmaps')).status, 403);
});

test('roles that select others follow them', async (t) => {
  const { cluster, ask } = await start(t);
  const label = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
  const rules = [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }];
  await ask(`POST ${rbac}/clusterroles`, { metadata: { name: 'things', labels: label }, rules });
  await cluster.settle();
  for (const name of ['view', 'edit', 'admin']) {
    const { body } = await ask(`GET ${rbac}/clusterroles/${name}`);
    t.true(
      (body.rules as typeof rules).some(({ resources }) => resources.includes('things')),
      name,
    );
  }
});

test('tokens given as an option stand for their users', async (t) => {
  const { cluster } = await start(t, { tokens: { secret: jane } });
  const ask = askOf(cluster);
  const who = (authorization: string) =>
    ask('POST /apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { authorization });
  t.deepEqual((await who('Bearer secret')).body.status, { userInfo: { username: 'jane', groups: jane.groups } });
  t.is((await who('Bearer other')).status, 401);
});

test('a token of a service account holds until it expires or its account is gone', async (t) => {
  const clock = createManualClock();
  const { ask } = await start(t, { clock });
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const tokenOf = async (name: string): Promise<string> => {
    await ask(`POST ${accounts}`, { metadata: { name } });
    const { body } = await ask(`POST ${accounts}/${name}/token`, { spec: { expirationSeconds: 600 } });
    return String((body.status as Fields).token);
  };
  const statusWith = async (token: string) =>
    (await ask(`GET ${maps}`, undefined, { authorization: `Bearer ${token}` })).status;
  const [first, second] = [await tokenOf('first'), await tokenOf('second')];
  t.is(await statusWith(first), 403);
  const altered = first.at(-10) === 'x' ? 'y' : 'x';
  t.is(await statusWith(`${first.slice(0, -10)}${altered}${first.slice(-9)}`), 401);
  await ask(`DELETE ${accounts}/first`);
  t.is(await statusWith(first), 401);
  t.is(await statusWith(second), 403);
  await clock.advance(600_000);
  t.is(await statusWith(second), 401);
});

test('a token for another audience is no good to the server', async (t) => {
  const { ask } = await start(t);
  const { body } = await ask('POST /api/v1/namespaces/default/serviceaccounts/default/token', {
    spec: { audiences: ['vault'] },
  });
  const { token } = body.status as { token: string };
  t.is((await ask(`GET ${maps}`, undefined, { authorization: `Bearer ${token}` })).status, 401);
  const review = (spec: Fields) => ask('POST /apis/authentication.k8s.io/v1/tokenreviews', { spec });
  t.like((await review({ token, audiences: ['vault'] })).body.status, { authenticated: true, audiences: ['vault'] });
  const { error } = (await review({ token })).body.status as { readonly error: string };
  t.regex(error, /^\[invalid bearer token, token audiences \["vault"\] is invalid for the target audiences \["/);
});

test('no user grants rights that it does not have, by no way of writing', async (t) => {
  const { cluster, ask } = await start(t);
  const rules = [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['*'] }];
  await ask(`POST ${rbac}/clusterroles`, {
    metadata: { name: 'keeper' },
    rules: [{ ...rules[0], verbs: ['create', 'patch'] }],
  });
  await ask(`POST ${rbac}/clusterrolebindings`, bind('keeper', { kind: 'User', name: 'jane' }));
  const more = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
  const created = await as(cluster)(`POST ${rbac}/clusterroles`, { metadata: { name: 'more' }, rules: more });
  t.regex(String(created.body.message), /attempting to grant RBAC permissions not currently held:\n\{APIGroups:\[""\]/);
  const patched = await as(cluster)(`PATCH ${rbac}/clusterroles/keeper`, { rules: more });
  t.is(patched.status, 403);
  const bound = bind('cluster-admin', { kind: 'User', name: 'jane' });
  t.is((await as(cluster)(`POST ${rbac}/namespaces/default/rolebindings`, bound)).status, 403);
  t.is((await as(cluster)(`PATCH ${rbac}/clusterroles/keeper`, { metadata: { labels: { a: 'b' } } })).status, 200);
});

test('a client certificate says who its owner is', async (t) => {
  const { cluster } = await start(t);
  const listening = await cluster.listen();
  const yaml = listening.kubeconfigYaml({ name: 'jane', groups: ['devs', 'ops'] });
  const [ca, cert, key] = ['certificate-authority-data', 'client-certificate-data', 'client-key-data'].map((name) =>
    Buffer.from(new RegExp(`${name}: (\\S+)`).exec(yaml)![1]!, 'base64').toString(),
  );
  for (const allowH2 of [false, true]) {
    const dispatcher = new Agent({ allowH2, connect: { ca: ca!, cert: cert!, key: key! } });
    const { statusCode, body } = await request(`${listening.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    t.is(statusCode, 201);
    t.like(await body.json(), {
      status: { userInfo: { username: 'jane', groups: ['devs', 'ops', 'system:authenticated'] } },
    });
    await dispatcher.destroy();
  }
});

test('a client without credentials over the wire is anonymous', async (t) => {
  const { cluster } = await start(t);
  const listening = await cluster.listen();
  const [, ca = ''] = /certificate-authority-data: (\S+)/.exec(listening.kubeconfigYaml()) ?? [];
  const dispatcher = new Agent({ connect: { ca: Buffer.from(ca, 'base64').toString() } });
  const get = async (path: string) => (await request(listening.url + path, { dispatcher })).statusCode;
  t.deepEqual(
    [await get('/healthz'), await get('/version'), await get('/api'), await get('/api/v1/pods')],
    [200, 200, 403, 403],
  );
  await dispatcher.destroy();
});
