/** The command `dev`, in a project folder of its own. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createClient, loadConnection, Workspace } from '../../../../../sdk/index.ts';
import { startCluster } from '../../../../../sequencer/cli/commands/cluster.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd, start } from '../a-terminal.ts';
import { aTenantsProject, tenantManifests, tenantWorkspace } from '../tenants-project.ts';

/** A project folder with a config of its own beside the package. */
function aProject(t: ExecutionContext, config = ''): Promise<string> {
  const door = new URL('../../../../../integrations/memory/dns.ts', import.meta.url).href;
  const text = `import { createMemoryDnsProvider, memoryDns } from '${door}';\n${config || 'export const integrations = [memoryDns()];'}`;
  return aFolder(t, { 'sequencer.config.ts': text });
}
const aWorkspace = (name: string, rules = '[]'): string =>
  `apiVersion: se.quencer.io/v1alpha1\nkind: Workspace\nmetadata: { name: ${name} }\nspec: { networking: { dns: { zone: example.com }, ingress: { rules: ${rules} } } }\n`;
const rules = '[{ name: web, component: web, network: http }]';

test.serial('the example walks to Ready and back, once', async (t) => {
  const { code, stdout, stderr } = await runToEnd(['dev', '--once']);
  t.deepEqual([code, stderr], [0, '']);
  const order = [
    /^cluster +in memory, v1\./m,
    /^kubeconfig +\S+$/m,
    /^try +kubectl --kubeconfig \S+ get workspaces --watch$/m,
    /^Walking 1 workspace to Ready$/m,
    /default\/shop {2}Components {2}Completed/,
    /default\/shop {2}DNS +Completed/,
    /default\/shop {2}Ready +True/,
    /^Deleting what was applied$/m,
    /default\/shop {2}DNS +Terminated/,
    /default\/shop {2}Components {2}Terminated/,
    /default\/shop {2}Ready +Gone/,
    /^Nothing is left$/m,
  ].map((pattern) => stdout.search(pattern));
  t.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
    stdout,
  );
  t.true(
    order.every((place) => place >= 0),
    stdout,
  );
  t.regex(stdout, /default\/shop {2}event: DNSCompleted: published shop\.example\.com/);
  t.false(existsSync(/^kubeconfig +(\S+)$/m.exec(stdout)![1]!), 'the temporary kubeconfig is gone');
});

test.serial('Ctrl-C deletes what was applied, and exits with 0 when nothing is left', async (t) => {
  const command = start(['dev', '-'], {
    cwd: await aProject(t),
    input: `${aWorkspace('one', rules)}---\n${aWorkspace('two', rules)}`,
  });
  await command.printed(/^Ready\. Ctrl-C deletes what was applied\.$/m);
  command.process.kill('SIGINT');
  const { code, stdout, stderr } = await command.ended;
  t.deepEqual([code, stderr], [0, '']);
  for (const name of ['one', 'two']) t.regex(stdout, new RegExp(`default/${name} {2}Ready +Gone`));
  t.regex(stdout, /Nothing is left\n$/);
});

test.serial(
  'changed code is taken up while cluster and objects stay; code that does not parse is reported, and the former continues',
  async (t) => {
    const acme = (reason: string) => `export const acme = { name: 'acme', condition: 'Acme', handles: () => true,
  connect: ({ workspace, controller }: any) => ({
    reconcile: () => controller.updateCondition('Completed', workspace.metadata.uid + ' ${reason}'),
    terminate: () => controller.updateCondition('Terminated', '${reason} parted') }) };`;
    const cwd = await aProject(
      t,
      "import { acme } from './acme.ts';\nexport const integrations = [memoryDns(), acme];",
    );
    const write = (text: string) => writeFile(join(cwd, 'acme.ts'), text);
    await write(acme('one'));
    const command = start(['dev', '-'], { cwd, input: aWorkspace('shop', rules) });
    const [, uid] = await command.printed(/Acme +Completed +(\S+) one$/m);
    await command.printed(/^Ready\./m);
    await write('export const acme = {;');
    await command.printed(
      /^error E#2011: .*\n {2}in .*acme\.ts:1\nnot reloaded: acme\.ts; the previous code keeps running$/m,
    );
    await write(acme('two'));
    await command.printed(/^reloaded {4}acme\.ts$/m);
    const [, same] = await command.printed(/Acme +Completed +(\S+) two$/m);
    t.is(same, uid);
    command.process.kill('SIGINT');
    const { code, stdout, stderr } = await command.ended;
    t.deepEqual([code, stderr], [0, '']);
    t.regex(stdout, /Acme +Terminated +two parted/);
    t.regex(stdout, /Nothing is left\n$/);
  },
);

test.serial('a second Ctrl-C exits at once, with 130', async (t) => {
  const config = 'export const integrations = [memoryDns({ provider: createMemoryDnsProvider({ latency: 3000 }) })];';
  const command = start(['dev', '-'], { cwd: await aProject(t, config), input: aWorkspace('one', rules) });
  await command.printed(/^Ready\./m);
  command.process.kill('SIGINT');
  await command.printed(/^Deleting what was applied\. Ctrl-C again leaves the rest as it is\.$/m);
  await new Promise((resolve) => setTimeout(resolve, 400));
  const before = performance.now();
  command.process.kill('SIGINT');
  t.is((await command.ended).code, 130);
  t.true(performance.now() - before < 1000);
});

test.serial('with --keep, nothing is deleted', async (t) => {
  const kubeconfig = join(await aProject(t), 'kubeconfig');
  await using _ = await startCluster({ kubeconfig });
  const { code } = await runToEnd(
    ['dev', '--once', '--keep', '--kubeconfig', kubeconfig, '--namespace', 'kube-public', '-'],
    { cwd: await aProject(t), input: aWorkspace('kept', rules) },
  );
  t.is(code, 0);
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  t.like(await client.get(Workspace, { namespace: 'kube-public', name: 'kept' }), { status: { phase: 'Healthy' } });
  await client.close();
});

test.serial(
  'a workspace that ends in Error is exit code 1, with the reasons; it is deleted all the same',
  async (t) => {
    const config =
      'const provider = createMemoryDnsProvider(); provider.failNext("refused"); export const integrations = [memoryDns({ provider })];';
    const { code, stdout, stderr } = await runToEnd(['dev', '--once', '-'], {
      cwd: await aProject(t, config),
      input: aWorkspace('one', rules),
    });
    t.is(code, 1);
    t.regex(stdout, /Nothing is left\n$/);
    t.regex(
      stderr,
      /^error E#2031: default\/one is in Error\n {2}default\/one {2}DNS {2}Error: .*refused\n {2}fix the reasons .*\n$/,
    );
  },
);

test.serial('a workspace that is not Ready in time is exit code 1, with what it waits for', async (t) => {
  const cwd = await aProject(t);
  const unready =
    'apiVersion: se.quencer.io/v1alpha1\nkind: Workspace\nmetadata: { name: one, finalizers: [example.com/other] }\nspec: {}\n';
  const config = join(cwd, 'none.ts');
  await writeFile(
    config,
    'export const integrations = [{ name: "slow", condition: "Slow", handles: () => true, connect: () => ({ reconcile: async () => {}, terminate: async () => {} }) }];',
  );
  const { code, stderr } = await runToEnd(['dev', '--once', '--timeout', '500ms', '--config', config, '-'], {
    cwd,
    input: unready,
  });
  t.is(code, 1);
  t.regex(stderr, /error E#203[23]: not (ready|deleted) within 0\.5 s: 1 workspace\n {2}default\/one {2}Slow {2}/);
});

test.serial('a mistake in a plug-in is shown with its line; what no integration looks for is noted', async (t) => {
  const cwd = await aProject(t);
  const config = join(cwd, 'broken.ts');
  await writeFile(
    config,
    `const none: any = undefined;
export const integrations = [{ name: "acme", condition: "Acme", handles: () => true, connect: () => ({ reconcile: async () => {
  none.boom();
}, terminate: async () => {} }) }];`,
  );
  const { stdout } = await runToEnd(['dev', '--once', '--timeout', '2s', '--config', config, '-'], {
    cwd,
    input:
      'apiVersion: se.quencer.io/v1alpha1\nkind: Workspace\nmetadata: { name: one }\nspec: { integrations: { acme: {} } }\n',
  });
  t.regex(stdout, /^note: standard input:1: spec\.integrations\.acme: no registered integration reads it$/m);
  t.regex(stdout, /err=.*reading 'boom'.*\n {4}at .*broken\.ts:3:8/);
});

const bad: readonly (readonly [title: string, input: string, stderr: RegExp])[] = [
  ['YAML that does not parse', 'a: [1\nb: 2\n', /^error E#2003: standard input:2:1: invalid YAML: /],
  [
    'an unknown kind',
    'apiVersion: acme.example/v1\nkind: Gizmo\nmetadata: { name: a }\n',
    /^error E#2023: standard input:1: the server has no kind Gizmo in acme\.example\/v1/,
  ],
  [
    'a spec that breaks the schema',
    aWorkspace('one').replace('example.com', '""'),
    /^error E#2022: standard input:1: Workspace one is invalid\n {2}spec\.networking\.dns\.zone: /,
  ],
  [
    'a field that the kind does not have',
    aWorkspace('one').replace('networking:', 'componants: [], networking:'),
    /^error E#2022: standard input:1: Workspace one is invalid\n {2}spec\.componants: there is no such field; did you mean components\?\n/,
  ],
  [
    'a second document of one name',
    `${aWorkspace('one')}---\n${aWorkspace('one')}`,
    /^error E#2004: standard input:\d+: there is a second Workspace one; the first is at standard input:1\n/,
  ],
];
for (const [title, input, message] of bad)
  test.serial(`${title} is one message and exit code 1`, async (t) => {
    const { code, stderr } = await runToEnd(['dev', '--once', '-'], { cwd: await aProject(t), input });
    t.is(code, 1);
    t.regex(stderr, message);
    t.notRegex(stderr, /^\s+at /m);
  });

test.serial('two integrations of one name are one message and exit code 1', async (t) => {
  const cwd = await aProject(t, 'export const integrations = [memoryDns(), memoryDns()];');
  const { code, stderr } = await runToEnd(['dev', '--once', '-'], { cwd, input: aWorkspace('one') });
  t.is(code, 1);
  t.regex(stderr, /^error E#3001: config sequencer\.config\.ts: .*"memory-dns"/);
});

test.serial('a walkthrough is played with the runnables of its config, unless files are named', async (t) => {
  const config = `export const integrations = [memoryDns()];
let runs = 0;
const run = async (signal) => {
  runs += 1;
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
};
export const runnables = [{ name: 'acme', permissions: [], create: () => ({ name: 'acme', run }) }];
export const walkthrough = {
  begin: async ({ say }) => say('begun with runnables ' + runs),
  end: async ({ say }) => ({ things: process.env.LEFT ? 1 : 0 }),
};`;
  const cwd = await aProject(t, config);
  const played = await runToEnd(['dev', '--once'], { cwd });
  t.deepEqual([played.code, played.stderr], [0, '']);
  t.regex(played.stdout, /^begun with runnables 1$[\s\S]*^Ending the walkthrough$[\s\S]*^Nothing is left: things 0$/m);
  const left = await runToEnd(['dev', '--once'], { cwd, env: { LEFT: 'yes' } });
  t.regex(left.stderr, /^error E#2033: objects are left\n {2}things 1\n/);
  const files = await runToEnd(['dev', '--once', '-'], { cwd, input: aWorkspace('shop', rules) });
  t.deepEqual([files.code, files.stderr], [0, '']);
  t.notRegex(files.stdout, /begun/);
});

test.serial('configs of tenants are served, and what was made under them goes before they do', async (t) => {
  const cwd = await aTenantsProject(t);
  const input = ['team-a', 'team-b'].map((one) => `${tenantManifests(one)}${tenantWorkspace(one)}`).join('');
  const { code, stdout, stderr } = await runToEnd(['dev', '--once', '-'], { cwd, input });
  t.deepEqual([code, stderr], [0, ''], stdout);
  for (const namespace of ['team-a', 'team-b']) {
    t.regex(stdout, new RegExp(`${namespace}/shop {2}DNS +Completed +published shop\\.${namespace}\\.example\\.com`));
    t.regex(stdout, new RegExp(`${namespace}/shop {2}DNS +Terminated`));
  }
  t.regex(stdout, /^Nothing is left$/m);
});
