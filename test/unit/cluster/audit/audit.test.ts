import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import { AuditError, type Cluster, createCluster, createManualClock, type KindName } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const object = (name: string, data = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

async function start(t: ExecutionContext, options = {}) {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, ...options });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const agent = { 'user-agent': 'operator/1' };
  return { cluster, clock, ask: (what: string, body?: unknown) => ask(what, body, agent), audit: cluster.audit };
}

test('a client that writes the same object again and again is in a loop; one that takes its time is not', async (t) => {
  const { ask, audit, clock } = await start(t);
  await ask(`POST ${maps}`, object('a'));
  for (let count = 0; count < 10; count += 1) await ask(`PATCH ${maps}/a`, { data: { count: String(count) } });
  t.notThrows(() => audit.expectNoWriteLoop());
  await ask(`PATCH ${maps}/a`, { data: { count: 'more' } });
  const error = t.throws(() => audit.expectNoWriteLoop(), { instanceOf: AuditError });
  t.regex(
    error.message,
    /^operator\/1 has written configmaps default\/a 11 times within 10000 ms; at most 10 were expected\n {2}PATCH/,
  );
  t.is(error.entries.length, 11);
  t.notThrows(() => audit.expectNoWriteLoop({ most: 11 }));
  t.notThrows(() => audit.expectNoWriteLoop({ userAgent: 'somebody-else' }));
  t.notThrows(() => audit.expectNoWriteLoop({ except: ['configmaps'] }));
  await clock.advance(60_000);
  const since = clock.now();
  for (let count = 0; count < 20; count += 1) {
    await ask(`PATCH ${maps}/a`, { data: { slow: String(count) } });
    await clock.advance(2000);
  }
  t.notThrows(() => audit.expectNoWriteLoop({ since }));
});

test('writes that change nothing are found, whatever other clients write meanwhile', async (t) => {
  const { ask, audit } = await start(t);
  await ask(`POST ${maps}`, object('a', { x: '1' }));
  await ask(`PATCH ${maps}/a`, { data: { x: '2' } });
  await ask(`PATCH ${maps}/a?dryRun=All`, { data: { x: '3' } });
  t.notThrows(() => audit.expectNoIdleWrites());
  await ask(`PATCH ${maps}/a`, { data: { x: '2' } });
  t.throws(() => audit.expectNoIdleWrites(), { message: /^1 writes have changed nothing/ });
  t.deepEqual(
    audit.map(({ changed }) => changed),
    [true, true, false, false],
  );
});

test('lists without a limit are found', async (t) => {
  const { ask, audit } = await start(t);
  await ask(`GET ${maps}?limit=500`);
  await ask(`GET ${maps}?resourceVersion=0`);
  await ask('GET /apis');
  t.notThrows(() => audit.expectBoundedLists());
  await ask(`GET ${maps}`);
  t.throws(() => audit.expectBoundedLists(), { message: /^1 lists had neither limit nor resourceVersion=0/ });
});

test('a client that tries again at once after a refusal is found, lost connections included', async (t) => {
  const { cluster, ask, audit, clock } = await start(t);
  cluster.faults.on('get', 'configmaps').answer(503, { times: 1 });
  await ask(`GET ${maps}/a`);
  await clock.advance(500);
  await ask(`GET ${maps}/a`);
  t.notThrows(() => audit.expectBackoff());
  cluster.faults.on('get', 'configmaps').after('commit').drop({ times: 1 });
  await ask(`GET ${maps}/a`).catch(() => {});
  t.is(audit.at(-1)?.code, 0);
  await clock.advance(50);
  await ask(`GET ${maps}/a`);
  t.throws(() => audit.expectBackoff(), { message: /tried again 50 ms after no answer; at least 100 were expected/ });
  t.notThrows(() => audit.expectBackoff({ least: 50 }));
});

test('what is asked for by a name that does not exist is refused', async (t) => {
  const { audit } = await start(t);
  t.throws(() => audit.expectNoWriteLoop({ agent: 'x' } as object), { instanceOf: TypeError, message: /no "agent"/ });
});

/** Requests of a typical operator. */
async function operate(cluster: Cluster, name: string): Promise<readonly number[]> {
  const dispatcher = cluster.dispatcherAs({ name, groups: ['system:authenticated'] });
  const codes: number[] = [];
  const call = async (what: string, body?: object, type = 'application/json') => {
    const [method = '', path = ''] = what.split(' ');
    const headers = { 'user-agent': 'operator', 'content-type': type };
    const sent = {
      dispatcher,
      method: method as 'GET',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    };
    const response = await request(cluster.url + path, sent);
    codes.push(response.statusCode);
    response.body.destroy();
    response.body.on('error', () => {});
  };
  await call('GET /api/v1/configmaps?limit=500');
  await call('GET /api/v1/configmaps?watch=true');
  await call('GET /api/v1/namespaces/default');
  await call(`POST ${maps}`, object('a'));
  await call(`PATCH ${maps}/b?fieldManager=me&force=true`, object('b'), 'application/apply-patch+yaml');
  await call(`DELETE ${maps}/a`);
  await call('POST /api/v1/namespaces/kube-public/secrets', { metadata: { name: 's' } });
  await call('GET /apis/apps/v1/namespaces/default/deployments/d/status');
  await call('GET /version');
  return codes;
}

test('the roles for what was done are enough, and each verb of them is needed', async (t) => {
  const { cluster } = await start(t);
  const expected = await operate(cluster, 'jane');
  const roles = cluster.audit.roles({ name: 'operator', user: 'jane', subject: { user: 'jane' } });
  t.deepEqual(
    roles.map(({ kind, metadata }) => [kind, metadata.namespace]),
    [
      ['ClusterRole', undefined],
      ['ClusterRoleBinding', undefined],
      ['Role', 'default'],
      ['RoleBinding', 'default'],
      ['Role', 'kube-public'],
      ['RoleBinding', 'kube-public'],
    ],
  );
  const strict = await createCluster({ clock: createManualClock(), rbac: true });
  t.teardown(() => strict.close());
  const bound = await strict.fork();
  t.teardown(() => bound.close());
  for (const role of roles) await bound.apply(role);
  const whole = await bound.snapshot();
  t.deepEqual(await operate(bound, 'jane'), expected);
  const removals = roles.flatMap(({ metadata: { namespace }, ...role }) =>
    ('rules' in role ? role.rules : []).flatMap(({ verbs, resources }, index) =>
      verbs.map((verb) => ({
        what: `${verb} of ${resources}`,
        path: `/apis/rbac.authorization.k8s.io/v1/${namespace ? `namespaces/${namespace}/roles` : 'clusterroles'}/operator`,
        patch:
          verbs.length === 1
            ? { op: 'remove', path: `/rules/${index}` }
            : { op: 'replace', path: `/rules/${index}/verbs`, value: verbs.filter((one) => one !== verb) },
      })),
    ),
  );
  for (const { what, path, patch } of removals) {
    await bound.restore(whole);
    t.is((await askOf(bound)(`PATCH ${path}`, [patch])).status, 200);
    t.true((await operate(bound, 'jane')).includes(403), `${what} is not needed`);
  }
});

test('verbs are reported by resource and namespace', async (t) => {
  const { ask, audit } = await start(t);
  await ask(`POST ${maps}`, object('a'));
  await ask(`PATCH ${maps}/a`, { data: {} });
  await ask('GET /apis/apps/v1/deployments');
  t.deepEqual(audit.verbsUsed({ userAgent: 'operator' }), [
    { apiGroup: 'apps', resource: 'deployments', namespace: undefined, verbs: ['list'] },
    { apiGroup: '', resource: 'configmaps', namespace: 'default', verbs: ['create', 'patch'] },
  ]);
  const kinds: readonly KindName[] = audit.roles({ name: 'x' });
  t.deepEqual(
    kinds.map(({ kind }) => kind),
    ['ClusterRole', 'Role'],
  );
});
