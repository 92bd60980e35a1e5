import test from 'ava';
import { operatorManifests, program } from '../../../../../sequencer/cli/commands/operator-manifests.ts';
import { shutdownTimeout } from '../../../../../sequencer/run/shutdown.ts';

const options = {
  integrations: [],
  operatorNamespace: 'ops',
  definitions: true,
  image: 'registry.example/sequencer:1',
};
interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly volumes?: readonly object[];
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly ports: readonly { readonly containerPort: number }[];
    readonly volumeMounts?: readonly object[];
  }[];
}

const podOf = (objects: readonly object[]): Pod =>
  (objects.at(-1) as { readonly spec: { readonly template: { readonly spec: Pod } } }).spec.template.spec;

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
    'Service ops sequencer',
    'NetworkPolicy ops sequencer',
    'PodDisruptionBudget ops sequencer',
    'Deployment ops sequencer',
  ]);
});

test('for one namespace it has Roles, and no right on definitions where another account installs them', (t) => {
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

test('of another class or selector it shares nothing with one without, but its namespace', (t) => {
  const own = (more: object) => kinds(more).filter((one) => !one.startsWith('Namespace '));
  const [plain, blue] = [own({}), own({ className: 'blue' })];
  t.deepEqual(
    blue,
    plain.map((one) => one.replace('sequencer', 'sequencer-blue')),
  );
  const selector = 'tier=gold';
  const gold = own({ className: 'blue', selector }).filter((one) => !blue.includes(one));
  t.deepEqual(
    gold.map((one) => one.replace(/[0-9a-f]{8}$/, 'DIGEST')),
    ['Role', 'RoleBinding', 'Service', 'NetworkPolicy', 'PodDisruptionBudget', 'Deployment'].map(
      (kind) => `${kind} ops sequencer-blue-DIGEST`,
    ),
    'of another selector it has the same account, and a Lease of its own',
  );
  const text = JSON.stringify(operatorManifests({ ...options, className: 'blue', selector }));
  t.true(text.includes('"--class=blue","--selector=tier=gold"'));
  t.regex(text, /"resourceNames":\["sequencer-blue-[0-9a-f]{8}"\]/);
});

test('the config is mounted where its packages are found, and Secrets are named', (t) => {
  const config = { name: 'sequencer.config.ts', text: 'export const integrations = [];' };
  const objects = operatorManifests({ ...options, config, credentials: ['acme'], monitoring: true });
  t.like(
    objects.find(({ kind }) => kind === 'ConfigMap'),
    { metadata: { name: 'sequencer-config', namespace: 'ops' }, data: { [config.name]: config.text } },
  );
  const pod = podOf(objects);
  t.like(pod.volumes, [{ configMap: { name: 'sequencer-config' } }]);
  const [container] = pod.containers;
  t.like(container, { workingDir: '/app', envFrom: [{ secretRef: { name: 'acme' } }] });
  t.like(container!.volumeMounts, [{ mountPath: '/app/config', readOnly: true }]);
  t.is(container!.args.at(-1), '--config=config/sequencer.config.ts');
  t.deepEqual(
    objects.slice(-3, -1).map(({ kind }) => kind),
    ['ServiceMonitor', 'PrometheusRule'],
  );
});

test('ports of runnables are open, and no others but the metrics', (t) => {
  const runnable = {
    name: 'hooks',
    permissions: [],
    ports: [8090],
    create: () => ({ name: 'hooks', run: async () => {} }),
  };
  const objects = operatorManifests({ ...options, runnables: [runnable, runnable] });
  const ports = podOf(objects).containers[0]!.ports;
  t.deepEqual(
    ports.map(({ containerPort }) => containerPort),
    [8080, 8090],
  );
  t.like(
    objects.find(({ kind }) => kind === 'NetworkPolicy'),
    { spec: { ingress: [{ ports: [{ port: 'metrics' }] }, { ports: [{ port: 8090 }] }] } },
  );
});

test('a kubelet waits longer than the process takes to stop', (t) => {
  t.true(podOf(operatorManifests(options)).terminationGracePeriodSeconds * 1000 > shutdownTimeout());
});

test('the program of the container is the bin of the installed package', async (t) => {
  const { default: manifest } = await import('../../../../../package.json', { with: { type: 'json' } });
  t.is(program, `node_modules/${manifest.name}/${manifest.bin.sequencer.replace('./', '')}`);
});

test('operators of one namespace each, with the page and the webhook, share nothing of the cluster', (t) => {
  const [a, b] = ['a', 'b'].map((name) =>
    kinds({
      namespace: `team-${name}`,
      operatorNamespace: `ops-${name}`,
      definitions: false,
      page: 8090,
      webhooks: 'Fail',
    }),
  );
  t.deepEqual(
    a!.filter((one) => b!.includes(one)),
    [],
  );
});

test('with the page it has a ClusterRole for the reviews of users, also for one namespace', (t) => {
  t.true(kinds({ namespace: 'team-a', page: 8090 }).includes('ClusterRole sequencer-page.ops'));
  const deployment = operatorManifests({ ...options, page: 8090 }).find(({ kind }) => kind === 'Deployment');
  t.true(JSON.stringify(deployment).includes('"--page=8090"'));
});

test('of shards there are three, with rights on all Leases of the operator’s namespace and a look at their ring', (t) => {
  const [plain, sharded] = [options, { ...options, ring: 'blue' }].map((given) =>
    JSON.stringify(operatorManifests(given)),
  );
  t.true(plain!.includes('"--leader-elect"') && plain!.includes('"replicas":2'));
  t.true(
    sharded!.includes('"--shards=blue"') && sharded!.includes('"replicas":3') && !sharded!.includes('--leader-elect'),
  );
  t.true(sharded!.includes('"resources":["controllerrings"],"verbs":["get"],"resourceNames":["blue"]'));
  const more = kinds({ ring: 'blue' }).filter((one) => !kinds({}).includes(one));
  t.deepEqual(more, ['ClusterRole sequencer-ring.ops', 'ClusterRoleBinding sequencer-ring.ops']);
});

test('of two selectors, each with a ring, none takes the right on the ring of the other', (t) => {
  const [gold, silver] = ['gold', 'silver'].map((tier) =>
    operatorManifests({ ...options, selector: `tier=${tier}`, ring: tier }).filter(
      ({ kind }) => kind === 'ClusterRole',
    ),
  );
  for (const { metadata, rules } of gold!) {
    const other = silver!.find((one) => one.metadata.name === metadata.name);
    if (other !== undefined) t.deepEqual(other.rules, rules, metadata.name);
  }
  t.is(gold!.length, 3);
});

test('with a webhook it has its configuration and rights, an open port, and pods that end a little later', (t) => {
  const all = kinds({ namespace: 'team-a', webhooks: 'Fail' });
  for (const one of ['ValidatingWebhookConfiguration sequencer-webhooks.ops', 'ClusterRole sequencer-webhooks.ops'])
    t.true(all.includes(one), one);
  const pod = podOf(operatorManifests({ ...options, webhooks: 'Fail' }));
  t.true(pod.containers[0]!.args.includes('--webhook-port=9443'));
  t.deepEqual(
    pod.containers[0]!.ports.map(({ containerPort }) => containerPort),
    [8080, 9443],
  );
  t.is(pod.terminationGracePeriodSeconds, podOf(operatorManifests(options)).terminationGracePeriodSeconds + 5);
  const policy = operatorManifests({ ...options, webhooks: 'Fail' }).find(({ kind }) => kind === 'NetworkPolicy');
  t.true(JSON.stringify(policy).includes('9443'));
});
