import test from 'ava';
import { createClient, ensureCrds, loadConnection, systemClock, Workspace } from '../../../../sdk/index.ts';
import { followEvents } from '../../../../sequencer/page/event-follower.ts';
import { accessByReview } from '../../../../sequencer/page/review-access.ts';
import { startRealServer } from '../../../system/real/server.ts';
import { anEvent } from './a-page.ts';

const server = await startRealServer({ controllers: false });
test.after.always('kube-apiserver stops', () => server.close());

test('kube-apiserver: tokens, rights and events are reviewed and followed as in memory', async (t) => {
  const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
  t.teardown(() => client.close());
  await ensureCrds(client, [Workspace]);
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await client.raw('POST', accounts, { metadata: { name: 'alice' } });
  const answer = await client.raw('POST', `${accounts}/alice/token`, { spec: { expirationSeconds: 600 } });
  const { token } = (answer as { status: { token: string } }).status;
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const rules = [{ apiGroups: [Workspace.group], resources: ['workspaces'], verbs: ['list'] }];
  await client.raw('POST', `${roles}/roles`, { metadata: { name: 'look' }, rules });
  await client.raw('POST', `${roles}/rolebindings`, {
    metadata: { name: 'look' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'look' },
    subjects: [{ kind: 'ServiceAccount', name: 'alice', namespace: 'default' }],
  });
  const access = accessByReview({ client, clock: systemClock });
  const viewer = await access.admit(token);
  t.is(viewer?.name, 'system:serviceaccount:default:alice');
  t.deepEqual(
    [await viewer?.mayList('default'), await viewer?.mayList('kube-system'), await viewer?.mayList(undefined)],
    [true, false, false],
  );
  t.false(await viewer?.mayListEvents('default'));
  t.is(await access.admit(`${token.slice(0, -3)}xyz`), undefined);
  t.is(await access.admit('not-a-token-at-all'), undefined);

  const heard = Promise.withResolvers<void>();
  using followed = followEvents('default/shop', {
    client,
    clock: systemClock,
    redact: (text) => text,
    onChange: () => heard.resolve(),
  });
  await anEvent(client, 'other', 1);
  await anEvent(client, 'shop', 2);
  await heard.promise;
  t.deepEqual(
    followed.latest().map(({ message, from }) => [message, from]),
    [['hunter2 2', 'sequencer']],
  );
});
