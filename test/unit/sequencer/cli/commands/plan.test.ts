import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../../sdk/host/index.ts';
import { createClient, ensureCrds, type KubeObject, Namespace, Workspace } from '../../../../../sdk/index.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { putClusterConfig, putConfig, putToken } from '../../../../system/stories/tenancy/a-tenant.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd, start } from '../a-terminal.ts';
import { aTenantsProject, tenantManifests, tenantWorkspace } from '../tenants-project.ts';

const rules = '[{ name: web, component: web, network: http }]';
const yaml = (name: string, zone = 'example.com'): string =>
  `apiVersion: se.quencer.io/v1alpha1\nkind: Workspace\nmetadata: { name: ${name} }\nspec: { networking: { dns: { zone: ${zone} }, ingress: { rules: ${rules} } } }\n`;

/** A listening cluster with or without the Workspace kind. */
async function aServer(t: ExecutionContext, { knowsWorkspaces = true } = {}) {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  if (knowsWorkspaces) await cluster.apply((await Workspace.crd?.()) as KubeObject);
  const kubeconfig = join(await aFolder(t), 'kubeconfig');
  await writeFile(kubeconfig, (await cluster.listen()).kubeconfigYaml());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  return { client, plan: (input: string) => runToEnd(['plan', '--kubeconfig', kubeconfig, '-'], { input }) };
}

test('without a cluster, a plan is for an empty one in memory; 2 says that something would be done', async (t) => {
  const { code, stdout, stderr } = await runToEnd(['plan', '-'], { input: `${yaml('one')}---\n${yaml('two')}` });
  t.deepEqual([code, stderr], [2, '']);
  t.regex(stdout, /^default\/one {2}memory-dns {3}\+ create {2}publishing one\.example\.com$/m);
  t.regex(stdout, /^default\/two {2}memory-dns {3}\+ create {2}publishing two\.example\.com$/m);
  t.regex(stdout, /\n\n2 create\n$/);
});

test('against a cluster, what is there counts, and nothing is written; 0 says that nothing would be done', async (t) => {
  const { client, plan } = await aServer(t);
  const key = { namespace: 'default', name: 'shop' };
  const paused = { 'se.quencer.io/paused': 'true' };
  const made = await client.create(Workspace, { metadata: { ...key, annotations: paused }, spec: {} });
  const { code, stdout } = await plan(yaml('shop'));
  t.is(code, 0);
  t.regex(stdout, /^default\/shop {2}memory-dns {5}nothing {2}the workspace is paused$/m);
  t.deepEqual(await client.get(Workspace, key), made);
  t.is((await plan(yaml('new'))).code, 2);
  t.is((await client.list(Workspace)).items.length, 1);
});

test('as JSON, for programs', async (t) => {
  const { code, stdout } = await runToEnd(['plan', '-o', 'json', '-'], { input: yaml('one') });
  t.is(code, 2);
  t.like(JSON.parse(stdout), { code: 2, rows: [{ workspace: 'default/one', action: 'create', policy: 'manage' }] });
});

const bad: readonly (readonly [title: string, args: readonly string[], input: string, stderr: RegExp])[] = [
  ['no file', [], '', /^error E#2001: sequencer plan: needs a file\n/],
  [
    'an unknown format',
    ['-o', 'yaml', '-'],
    yaml('a'),
    /^error E#2001: sequencer plan: -o is one of table, json; found "yaml"/,
  ],
  [
    'no workspace',
    ['-'],
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
    /^error E#2051: there is no Workspace in -, only ConfigMap\n/,
  ],
  [
    'a spec that breaks the schema',
    ['-'],
    yaml('one', '""'),
    /^error E#2022: standard input:1: Workspace default\/one is invalid\n {2}spec\.networking\.dns\.zone: /,
  ],
];
for (const [title, args, input, message] of bad)
  test(`${title} is one message and exit code 1`, async (t) => {
    const { code, stderr } = await runToEnd(['plan', ...args], { input });
    t.is(code, 1);
    t.regex(stderr, message);
  });

test('what no integration looks for is noted beside the plan', async (t) => {
  const input =
    'apiVersion: se.quencer.io/v1alpha1\nkind: Workspace\nmetadata: { name: a }\nspec: { integrations: { uptime: {} } }\n';
  const { code, stdout, stderr } = await runToEnd(['plan', '-'], { input });
  t.deepEqual(
    [code, stdout, stderr],
    [
      0,
      'nothing would be done\n',
      'note: standard input:1: spec.integrations.uptime: no registered integration reads it\n',
    ],
  );
});

test('a server without our kind is told apart, and is not given it', async (t) => {
  const { client, plan } = await aServer(t, { knowsWorkspaces: false });
  const { code, stderr } = await plan(yaml('one'));
  t.is(code, 1);
  t.regex(stderr, /^error E#2050: .* serves no workspaces: /);
  await t.throwsAsync(client.list(Workspace), { name: 'NotFoundError' });
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`${signal} ends a plan that waits for an integration which does not answer, and holds the process`, async (t) => {
    const door = new URL('../../../../../sdk/index.ts', import.meta.url).href;
    const config = `import { defineIntegration } from '${door}';
const hang = () => new Promise(() => {
  setInterval(() => {}, 1_000);
  process.stdout.write('asked\\n');
});
const connect = () => ({ reconcile: hang, terminate: hang });
export const integrations = [defineIntegration({ name: 'slow', condition: 'Slow', handles: () => true, connect })];`;
    const cwd = await aFolder(t, { 'sequencer.config.ts': config, 'shop.yaml': yaml('shop') });
    const running = start(['plan', '--config', 'sequencer.config.ts', 'shop.yaml'], { cwd });
    await running.printed(/asked/);
    running.process.kill(signal);
    const { code, stdout, stderr } = await running.ended;
    t.deepEqual([code, stdout, stderr], [130, 'asked\n', '']);
  });

test('configs and Secrets of the files count as applied; without one, the row says what is missing', async (t) => {
  const cwd = await aTenantsProject(t);
  const input = `${tenantManifests('team-a')}${tenantWorkspace('team-a')}${tenantWorkspace('team-b')}`;
  const { code, stdout, stderr } = await runToEnd(['plan', '-'], { cwd, input });
  t.deepEqual([code, stderr], [3, '']);
  t.regex(stdout, /^team-a\/shop {2}memory-dns\.dns\.\w+ +\+ create +publishing shop\.team-a\.example\.com$/m);
  t.regex(
    stdout,
    /^team-b\/shop {2}memory-dns\.none +\? unknown {2}no IntegrationConfig of type memory-dns is the default here/m,
  );
});

test('against a cluster, its configs are read and its Secrets, and nothing is written, no finalizer either', async (t) => {
  const cwd = await aTenantsProject(t);
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  for (const namespace of ['team-a', 'ops']) {
    await client.create(Namespace, { metadata: { name: namespace } });
    await putToken(client, { namespace, name: 'dns' }, `token-of-${namespace}`);
  }
  await putClusterConfig(client, 'dns', { allowedNamespaces: ['*'], default: true });
  const kubeconfig = join(await aFolder(t), 'kubeconfig');
  await writeFile(kubeconfig, (await cluster.listen()).kubeconfigYaml());
  const plan = (...more: readonly string[]) =>
    runToEnd(['plan', '--kubeconfig', kubeconfig, ...more, '-'], { cwd, input: tenantWorkspace('team-a') });

  const elsewhere = await plan();
  t.is(elsewhere.code, 3);
  t.regex(
    elsewhere.stdout,
    /ClusterIntegrationConfig dns cannot be used: spec\.secretRefs\.token: Secret dns does not/,
  );
  const { code, stdout, stderr } = await plan('--operator-namespace', 'ops');
  t.deepEqual([code, stderr], [2, '']);
  t.regex(stdout, /\+ create +publishing shop\.team-a\.example\.com$/m);

  await putConfig(client, { namespace: 'team-a', name: 'dns' }, { default: true });
  t.is((await plan()).code, 2, 'its own comes first');
  t.is((await client.get(IntegrationConfig, { namespace: 'team-a', name: 'dns' })).metadata.finalizers, undefined);
  t.deepEqual((await client.list(Workspace)).items, []);
});
