import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseAllDocuments } from 'yaml';
import { deployedOptions } from '../../../.ci/deployed.ts';
import type { KubeObject } from '../../../sdk/index.ts';
import { type OperatorManifestOptions, operatorManifests } from '../../../sequencer/cli/commands/operator-manifests.ts';
import { binaryPath, realServerAvailable } from '../real/binaries.ts';
import { createScratch } from '../real/owned-process.ts';
import { until } from '../real/until.ts';
import { root, run } from '../stories/programs.ts';
import { type StoryServer, serversUnderTest } from '../stories/servers.ts';
import { built } from './recipes.ts';

const deploy = join(root, 'deploy');
const helm = join(built('helm') ?? '', 'helm');
const kubectl = binaryPath('kubectl');
const declareHelm = built('helm') === undefined ? test.skip : test.serial;
const declareKubectl = realServerAvailable() ? test.serial : test.skip;
const kube = ['--kube-version', '1.34.1'];
/** A deletion that does not end fails, instead of holding up the suite. */
const deletion = ['delete', '--timeout=3m'];

const parsed = (text: string): readonly KubeObject[] =>
  parseAllDocuments(text).flatMap((document) => (document.contents === null ? [] : [document.toJS() as KubeObject]));

const nameOf = ({ kind, metadata: { name, namespace = '' } }: KubeObject): string => `${kind} ${namespace} ${name}`;
const sorted = (objects: readonly object[], except: RegExp): readonly KubeObject[] =>
  (JSON.parse(JSON.stringify(objects)) as KubeObject[])
    .filter(({ kind }) => !except.test(kind))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

async function output(t: ExecutionContext, command: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(command, args);
  t.is(code, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Values of the chart, with the options of `sequencer manifests` that say the same. */
const installations: readonly (readonly [readonly string[], Partial<OperatorManifestOptions>])[] = [
  [[], {}],
  [['definitions=false'], { definitions: false }],
  [
    ['monitoring=true', 'image=registry.example/sequencer:1'],
    { monitoring: true, image: 'registry.example/sequencer:1' },
  ],
  [['class=blue'], { className: 'blue' }],
  [['selector=tier in (gold\\,silver)'], { selector: 'tier in (gold,silver)' }],
  [['selector=rank > 3'], { selector: 'rank > 3' }],
  [['namespace=team-a'], { namespace: 'team-a', definitions: false }],
  [['webhooks=Ignore'], { webhooks: 'Ignore' }],
  [
    ['webhooks=Fail', 'class=blue', 'selector=tier in (gold)', 'namespace=team-a', 'definitions=false'],
    { webhooks: 'Fail', className: 'blue', selector: 'tier in (gold)', namespace: 'team-a', definitions: false },
  ],
  [['egress={203.0.113.10:6443,203.0.113.11:6443}'], { egress: ['203.0.113.10:6443', '203.0.113.11:6443'] }],
  [
    ['egress={[2001:db8::1]:6443,203.0.113.10:443,203.0.113.10:443}', 'webhooks=Fail', 'class=blue'],
    {
      egress: ['[2001:db8::1]:6443', '203.0.113.10:443', '203.0.113.10:443'],
      ...{ webhooks: 'Fail', className: 'blue' },
    },
  ],
  [['shards=ring', 'replicas=3', 'monitoring=true'], { ring: 'ring', monitoring: true }],
  [['shards=1e3', 'replicas=3', 'class=blue'], { ring: '1e3', className: 'blue' }],
  [
    ['namespace=123', 'class=1e3', 'selector=a!=b', 'credentials={acme,b.c}', 'monitoring=true'],
    {
      ...{ namespace: '123', className: '1e3', selector: 'a!=b', credentials: ['acme', 'b.c'], monitoring: true },
      definitions: false,
    },
  ],
];

for (const [values, more] of installations)
  declareHelm(
    `helm template prints what \`sequencer manifests\` prints: ${values.join(' ') || 'by default'}`,
    async (t) => {
      const operatorNamespace = 'ops';
      const flags = values.flatMap((value) => [
        /^(namespace|class|shards)=/.test(value) ? '--set-string' : '--set',
        value,
      ]);
      const text = await output(
        t,
        helm,
        'template',
        'any',
        join(deploy, 'chart'),
        '-n',
        operatorNamespace,
        ...kube,
        ...flags,
      );
      const wanted = operatorManifests({ ...(await deployedOptions()), operatorNamespace, ...more });
      t.deepEqual(sorted(parsed(text), /^$/), sorted(wanted, /^Namespace$/));
    },
  );

declareHelm('helm lint finds nothing, and values of another form are refused', async (t) => {
  t.regex(await output(t, helm, 'lint', '--strict', join(deploy, 'chart'), ...kube), /0 chart\(s\) failed/);
  const wrong = ['selector=a: b', 'class=Blue', 'shards=a_b', 'namespace=a\nb', 'unknown=1', 'replicas=two'];
  for (const value of [...wrong, 'egress={api.example.com:6443}', 'egress={203.0.113.10}'])
    t.not(spawnSync(helm, ['template', 'any', join(deploy, 'chart'), ...kube, '--set', value]).status, 0, value);
});

declareHelm('further fields of the pods, and numbers of replicas and resources, are values of the chart', async (t) => {
  const sets = ['replicas=3', 'pod.priorityClassName=high', 'pod.nodeSelector.disk=ssd', 'resources.limits.memory=1Gi'];
  const flags = sets.flatMap((value) => ['--set', value]);
  const text = await output(t, helm, 'template', 'any', join(deploy, 'chart'), ...kube, ...flags);
  const found = parsed(text).find(({ kind }) => kind === 'Deployment');
  t.like(found, {
    spec: { replicas: 3, template: { spec: { priorityClassName: 'high', nodeSelector: { disk: 'ssd' } } } },
  });
  t.true(JSON.stringify(found).includes('"limits":{"memory":"1Gi"}'));
});

declareKubectl(
  'kubectl kustomize prints the base, and the overlays of one namespace and of shards, as `sequencer manifests` does',
  async (t) => {
    const options = await deployedOptions();
    const built = async (folder: string) =>
      sorted(parsed(await output(t, kubectl, 'kustomize', join(deploy, folder))), /^CustomRes/);
    t.deepEqual(await built('base'), sorted(operatorManifests(options), /^$/));
    const one = operatorManifests({ ...options, namespace: 'team-a', definitions: false });
    t.deepEqual(await built('overlays/one-namespace'), sorted(one, /^$/));
    const sharded = operatorManifests({ ...options, ring: 'sequencer' });
    t.deepEqual(await built('overlays/sharded'), sorted(sharded, /^$/));
  },
);

/** Names of all objects of a server but those that come and go by themselves. */
async function objectsOf(t: ExecutionContext, { kubeconfigPath }: StoryServer): Promise<readonly string[]> {
  const lines = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await output(t, kubectl, '--kubeconfig', kubeconfigPath, ...args)).trim().split('\n');
  const resources = await lines('api-resources', '--verbs=list', '-o', 'name');
  const lasting = resources.filter((name) => !/^(events|leases|endpoints|endpointslices|componentstatuses)/.test(name));
  return lines('get', lasting.join(), '-A', '-o', 'name', '--ignore-not-found');
}

for (const { name, start } of serversUnderTest()) {
  const scene = async (t: ExecutionContext) => {
    const server = await start();
    const scratch = createScratch('deploy');
    t.teardown(async () => {
      await server.close();
      scratch.remove();
    });
    const env = { HOME: scratch.folder, KUBECONFIG: server.kubeconfigPath };
    const good = async (command: string, ...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(command, args, { env });
      t.is(code, 0, `${args.join(' ')}: ${stderr}`);
      return stdout + stderr;
    };
    /** Waits until nothing is there that was not there before. */
    const leavesNothing = async (before: readonly string[]): Promise<void> => {
      let left: readonly string[] = [];
      await until(
        async () => {
          left = (await objectsOf(t, server)).filter((one) => !before.includes(one));
          return left.length === 0 || undefined;
        },
        { message: () => `left behind: ${left.join(', ')}` },
      );
    };
    return { server, good, leavesNothing };
  };

  if (realServerAvailable())
    declareHelm(`${name}: Helm installs, upgrades and uninstalls the chart, and leaves nothing`, async (t) => {
      const { server, good, leavesNothing } = await scene(t);
      const before = await objectsOf(t, server);
      const release = ['sequencer', join(deploy, 'chart'), '--namespace', 'ops'];
      await good(helm, 'install', ...release, '--create-namespace');
      const installed = await objectsOf(t, server);
      for (const one of [
        'deployment.apps/sequencer',
        'poddisruptionbudget.policy/sequencer',
        'clusterrole.rbac.authorization.k8s.io/sequencer-workspaces',
      ])
        t.true(installed.includes(one), one);
      await good(kubectl, 'create', 'namespace', 'team-a');
      await good(helm, 'upgrade', ...release, '--set', 'namespace=team-a');
      const upgraded = await objectsOf(t, server);
      t.false(upgraded.includes('clusterrole.rbac.authorization.k8s.io/sequencer-workspaces'), 'Roles instead');
      await good(helm, 'uninstall', 'sequencer', '--namespace', 'ops', '--wait');
      await good(kubectl, ...deletion, '-k', join(deploy, 'crds'));
      await good(kubectl, ...deletion, 'namespace', 'ops', 'team-a');
      await leavesNothing(before);
    });

  declareKubectl(`${name}: kubectl applies the base and its overlays, and deletes all of it`, async (t) => {
    const { server, good, leavesNothing } = await scene(t);
    const before = await objectsOf(t, server);
    await good(kubectl, 'create', 'namespace', 'team-a');
    for (const folder of ['base', 'overlays/one-namespace', 'overlays/sharded']) {
      await good(kubectl, 'apply', '--server-side', '-k', join(deploy, folder));
      await objectsOf(t, server); // a definition that is deleted before its storage is ready stays for minutes
      await good(kubectl, ...deletion, '--ignore-not-found', '-k', join(deploy, folder));
    }
    await good(kubectl, ...deletion, 'namespace', 'team-a');
    await leavesNothing(before);
  });
}

declareKubectl('the pods are of the Pod Security Standard restricted, to which the namespace holds them', async (t) => {
  const { name, start } = serversUnderTest().at(-1)!;
  if (name !== 'kube-apiserver') return t.pass('only the real server has this admission');
  const server = await start();
  t.teardown(() => server.close());
  const flags = ['--kubeconfig', server.kubeconfigPath];
  await output(t, kubectl, ...flags, 'apply', '--server-side', '-f', join(deploy, 'base/sequencer.yaml'));
  const { template } = JSON.parse(
    await output(t, kubectl, ...flags, '-n', 'sequencer-system', 'get', 'deployment', 'sequencer', '-o', 'json'),
  ).spec;
  const create = (spec: object) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', namespace: 'sequencer-system' }, spec };
    const args = [...flags, 'create', '--dry-run=server', '-f', '-'];
    return spawnSync(kubectl, args, { encoding: 'utf8', input: JSON.stringify(pod) });
  };
  t.like(create(template.spec), { status: 0, stderr: '' });
  t.regex(create({ ...template.spec, securityContext: {} }).stderr, /violates PodSecurity "restricted:latest"/);
});
