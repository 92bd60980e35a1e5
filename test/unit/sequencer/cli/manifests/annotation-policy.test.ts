import test, { type ExecutionContext } from 'ava';
import { createClient, ensureCrds, type KubeObject, Workspace } from '../../../../../sdk/index.ts';
import { annotationPolicy } from '../../../../../sequencer/cli/manifests/annotation-policy.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { tellOfAnnotations, type Writers } from '../../../../system/stories/access/annotations.ts';

const operator = 'system:serviceaccount:ops:sequencer';
const groups = ['system:authenticated'];
const rbac = 'rbac.authorization.k8s.io';

async function guarded(t: ExecutionContext): Promise<Writers> {
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
  for (const object of annotationPolicy({ name: 'annotations', operator })) await cluster.apply(object);
  await cluster.settle();
  return { operator: as(operator), tenant: as('tenant'), oncall: as('oncall') };
}

test('ids and outcomes are the operator’s, answers are for users who may resolve', async (t) => {
  await tellOfAnnotations(t, await guarded(t));
});
