import test from 'ava';
import { createClient, ensureCrds, Namespace, SecretRegistry, systemClock, Workspace } from '../../../sdk/index.ts';
import { createOperatorPage } from '../../../sequencer/page/operator-page.ts';
import { createCluster } from '../../cluster/index.ts';
import { idle, messagesOf, told } from './a-page.ts';

test('a user sees the workspaces of namespaces that may be listed, and changes nothing', async (t) => {
  const cluster = await createCluster({ rbac: true });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace]);
  for (const name of ['team-a', 'team-b']) {
    await client.create(Namespace, { metadata: { name } });
    await client.create(Workspace, { metadata: { name: 'shop', namespace: name }, spec: {} });
  }
  const accounts = '/api/v1/namespaces/team-a/serviceaccounts';
  await client.raw('POST', accounts, { metadata: { name: 'alice' } });
  const answer = await client.raw('POST', `${accounts}/alice/token`, { spec: {} });
  const { token } = (answer as { status: { token: string } }).status;
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/team-a';
  const rules = [{ apiGroups: [Workspace.group], resources: ['workspaces'], verbs: ['list'] }];
  await client.raw('POST', `${roles}/roles`, { metadata: { name: 'look' }, rules });
  await client.raw('POST', `${roles}/rolebindings`, {
    metadata: { name: 'look' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'look' },
    subjects: [{ kind: 'ServiceAccount', name: 'alice', namespace: 'team-a' }],
  });
  const page = createOperatorPage({
    port: 0,
    client,
    clock: systemClock,
    integrations: [idle('DNS')],
    selection: {},
    isShown: () => true,
    secrets: new SecretRegistry(),
    state: () => ({ health: undefined, limits: [], problems: [] }),
  });
  const stop = new AbortController();
  const running = page.run(stop.signal);
  const address = `http://127.0.0.1:${await page.listening}`;
  const headers = { authorization: `Bearer ${token}` };

  const messages = messagesOf(await fetch(`${address}/api/live?workspace=team-b%2Fshop`, { headers }));
  t.like(await told(messages, 'session'), { mode: 'run', controls: [], plans: false });
  t.is(await told(messages, 'workspace'), null, 'as if it were not there');
  const rows = await told(messages, 'rows');
  t.deepEqual(
    rows.changed.map(({ key }) => key),
    ['team-a/shop'],
  );
  await messages.return(undefined);
  const own = messagesOf(await fetch(`${address}/api/live?workspace=team-a%2Fshop`, { headers }));
  t.like(await told(own, 'workspace'), { key: 'team-a/shop', events: undefined }, 'events need a right of their own');
  await own.return(undefined);
  for (const action of ['plan', 'control/kill', 'control/wipe-status'])
    t.is((await fetch(`${address}/api/${action}`, { method: 'POST', headers })).status, 404);
  t.is((await fetch(`${address}/api/live`, { headers: { authorization: 'Bearer no-token-of-this' } })).status, 401);
  stop.abort();
  await running;
  await client.close();
  await cluster.close();
});
