import test from 'ava';
import { createClient, UserError } from '../../../../../sdk/index.ts';
import type { Access } from '../../../../../sequencer/run/preflight/access.ts';
import { questionsOf, requireAccess } from '../../../../../sequencer/run/preflight/access-review.ts';
import { createCluster } from '../../../../cluster/index.ts';

const needed: readonly Access[] = [
  {
    rule: { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'create'] },
    where: 'workspaces',
    by: 'a (A)',
  },
  {
    rule: { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get'], resourceNames: ['sequencer'] },
    where: 'operator',
    by: 'the sequencer',
  },
];
const { signal } = new AbortController();

test('each verb on each resource is a question, with the namespace and the name it is about', (t) => {
  const attributes = questionsOf(needed, { namespace: 'team-a', operatorNamespace: 'ops' }).map(
    (one) => one.attributes,
  );
  const pods = { group: '', resource: 'pods', namespace: 'team-a' };
  t.deepEqual(attributes, [
    { ...pods, verb: 'get' },
    { ...pods, verb: 'create' },
    { ...pods, subresource: 'log', verb: 'get' },
    { ...pods, subresource: 'log', verb: 'create' },
    { group: 'coordination.k8s.io', resource: 'leases', namespace: 'ops', verb: 'get', name: 'sequencer' },
  ]);
});

test('what is missing is named: verbs, resource, place and the part that needs it', async (t) => {
  const cluster = await createCluster({ rbac: true });
  t.teardown(() => cluster.close());
  const user = { name: 'jane', groups: ['system:authenticated'] };
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcherAs(user) });
  const questions = questionsOf(needed, { operatorNamespace: 'ops' });
  const error = await t.throwsAsync(requireAccess(client, questions, { signal }), { instanceOf: UserError });
  t.is(error.code, 'E#1016');
  t.is(
    error.message,
    'missing rights: get, create pods in all namespaces, for a (A); get, create pods/log in all namespaces, for a (A); ' +
      'get leases.coordination.k8s.io "sequencer" in namespace ops, for the sequencer',
  );
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  t.true(await requireAccess(admin, questions, { signal }));
});

test('a server that answers no reviews is told apart from one that says no', async (t) => {
  const cluster = await createCluster({ rbac: true });
  t.teardown(() => cluster.close());
  const stranger = createClient({ server: cluster.url, dispatcher: cluster.dispatcherAs({ name: 'x', groups: [] }) });
  t.false(await requireAccess(stranger, questionsOf(needed, { operatorNamespace: 'ops' }), { signal }));
});
