/** The page of an operator in a cluster with two teams, and a user who may list the workspaces of one of them. */

import type { ExecutionContext } from 'ava';
import { createClient, ensureCrds, Namespace, SecretRegistry, systemClock, Workspace } from '../../../../sdk/index.ts';
import { createOperatorPage } from '../../../../sequencer/page/operator-page.ts';
import { createCluster } from '../../../cluster/index.ts';
import { idle } from './a-page.ts';

/** Starts the page; returns its address, and the bearer token of the user. */
export async function anOperatorPage(t: ExecutionContext) {
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
  t.teardown(async () => {
    stop.abort();
    await running;
    await client.close();
    await cluster.close();
  });
  return { address: `http://127.0.0.1:${await page.listening}`, token };
}
