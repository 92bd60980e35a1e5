import test, { type ExecutionContext } from 'ava';
import {
  createClient,
  ensureCrds,
  type InvalidError,
  type KubeObject,
  mirrorAnnotation,
  outcomeAnnotation,
  resolveAnnotation,
  Workspace,
} from '../../../sdk/index.ts';
import { annotationPolicy } from '../../../sequencer/cli/annotation-policy.ts';
import { createCluster } from '../../cluster/index.ts';

const operator = 'system:serviceaccount:ops:sequencer';
const groups = ['system:authenticated'];
const rbac = 'rbac.authorization.k8s.io';

async function guarded(t: ExecutionContext) {
  const cluster = await createCluster({ rbac: true });
  t.teardown(() => cluster.close());
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(admin, [Workspace]);
  const as = (name: string) =>
    createClient({ server: cluster.url, dispatcher: cluster.dispatcherAs({ name, groups }) });
  const grant = async (role: string, users: readonly string[], verbs: readonly string[]) => {
    const apiVersion = `${rbac}/v1`;
    const rules = [{ apiGroups: [Workspace.group], resources: [Workspace.plural], verbs }];
    const subjects = users.map((name) => ({ apiGroup: rbac, kind: 'User', name }));
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: role };
    await cluster.apply({ apiVersion, kind: 'ClusterRole', metadata: { name: role }, rules } as KubeObject);
    await cluster.apply({
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name: role },
      roleRef,
      subjects,
    } as KubeObject);
  };
  await grant('edit-workspaces', [operator, 'tenant', 'oncall'], ['get', 'create', 'patch', 'update']);
  await grant('resolve-workspaces', ['oncall'], ['resolve']);
  for (const object of annotationPolicy(operator)) await cluster.apply(object);
  await cluster.settle();
  return { operator: as(operator), tenant: as('tenant'), oncall: as('oncall') };
}

const key = { namespace: 'default', name: 'shop' };
const annotate = (annotations: Readonly<Record<string, string | null>>) =>
  [Workspace, key, { type: 'merge', value: { metadata: { annotations } } }] as const;
const refusal = async (t: ExecutionContext, writing: Promise<unknown>, message: RegExp) => {
  const error = await t.throwsAsync<InvalidError>(writing);
  t.regex(error.message, message);
};

test('ids and outcomes in annotations are written, changed and removed by the operator alone', async (t) => {
  const { operator, tenant } = await guarded(t);
  const [ids, outcome] = [mirrorAnnotation('Db'), outcomeAnnotation('Db')];
  for (const annotation of [ids, outcome]) {
    const copy = { metadata: { ...key, annotations: { [annotation]: '[{"id":"db-1"}]' } }, spec: {} };
    await refusal(t, tenant.create(Workspace, copy), /written by the sequencer alone; a copy leaves them out: kubectl/);
  }
  await tenant.create(Workspace, { metadata: { ...key, annotations: { mine: 'yes' } }, spec: {} });
  await refusal(t, tenant.patch(...annotate({ [ids]: '[]' })), /written by the sequencer alone/);
  await operator.patch(...annotate({ [ids]: '[{"id":"db-1"}]', [outcome]: 'x' }));
  await tenant.patch(...annotate({ mine: 'no', more: 'too' }));
  await refusal(t, tenant.patch(...annotate({ [ids]: '[]' })), /written by the sequencer alone/);
  await refusal(t, tenant.patch(...annotate({ [outcome]: null })), /removed by the sequencer alone/);
  await operator.patch(...annotate({ [ids]: null, [outcome]: null }));
});

test('answers to the sequencer’s questions are given by who may resolve', async (t) => {
  const { operator, tenant, oncall } = await guarded(t);
  await tenant.create(Workspace, { metadata: key, spec: {} });
  const answer = resolveAnnotation('Db');
  await refusal(t, tenant.patch(...annotate({ [answer]: 'adopt@1=db-1' })), /those who have the verb "resolve"/);
  await oncall.patch(...annotate({ [answer]: 'retry@1' }));
  await tenant.patch(...annotate({ mine: 'yes' }));
  await operator.patch(...annotate({ [answer]: null }));
});
