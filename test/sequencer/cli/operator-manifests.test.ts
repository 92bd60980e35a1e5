import test from 'ava';
import { operatorManifests, program } from '../../../sequencer/cli/operator-manifests.ts';
import { stopsWithin } from '../../../sequencer/run/serving.ts';

const options = {
  integrations: [],
  operatorNamespace: 'ops',
  definitions: true,
  image: 'registry.example/sequencer:1',
};
const kinds = (more: object) =>
  operatorManifests({ ...options, ...more }).map(({ kind, metadata: { name, namespace } }) =>
    [kind, namespace, name].filter(Boolean).join(' '),
  );

test('for all namespaces it has ClusterRoles, and one Role in its own namespace', (t) => {
  t.deepEqual(kinds({}), [
    'Namespace ops',
    'ServiceAccount ops sequencer',
    'ClusterRole sequencer-definitions',
    'ClusterRoleBinding sequencer-definitions',
    'ClusterRole sequencer-workspaces',
    'ClusterRoleBinding sequencer-workspaces',
    'Role ops sequencer',
    'RoleBinding ops sequencer',
    'ValidatingAdmissionPolicy sequencer-annotations.ops',
    'ValidatingAdmissionPolicyBinding sequencer-annotations.ops',
    'Deployment ops sequencer',
  ]);
});

test('for one namespace it has Roles, and no right on definitions where somebody else installs them', (t) => {
  const roles = kinds({ namespace: 'team-a', definitions: false }).filter((one) => one.includes('Role'));
  t.deepEqual(roles, [
    'Role team-a sequencer-workspaces',
    'RoleBinding team-a sequencer-workspaces',
    'Role ops sequencer',
    'RoleBinding ops sequencer',
  ]);
  const [policy] = operatorManifests({ ...options, namespace: 'team-a' }).filter(({ kind }) => /Policy$/.test(kind));
  t.true(
    JSON.stringify(policy).includes('"kubernetes.io/metadata.name":"team-a"'),
    'the policy leaves other namespaces to their operators',
  );
});

test('a kubelet waits longer than the process takes to stop', (t) => {
  const deployment = operatorManifests(options).at(-1) as unknown as {
    readonly spec: { readonly template: { readonly spec: { readonly terminationGracePeriodSeconds: number } } };
  };
  t.true(deployment.spec.template.spec.terminationGracePeriodSeconds * 1000 > stopsWithin());
});

test('the program of the container is the bin of the installed package', async (t) => {
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
  t.is(program, `node_modules/${manifest.name}/${manifest.bin.sequencer.replace('./', '')}`);
});
