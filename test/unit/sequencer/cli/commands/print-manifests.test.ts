import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../../../../sdk/index.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd } from '../a-terminal.ts';

test.serial(
  'what is printed fits the config of this folder, and is made for the namespaces that were named',
  async (t) => {
    const config = `export const integrations = [{
    name: 'maps', condition: 'Maps', handles: () => true, connect: () => ({}),
    permissions: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
  }];`;
    const cwd = await aFolder(t, { 'sequencer.config.js': config, 'package.json': '{"type":"module"}' });
    const { code, stdout } = await runToEnd(['manifests', '--namespace', 'team-a', '--operator-namespace', 'ops'], {
      cwd,
    });
    t.is(code, 0);
    t.false(stdout.includes('Egress'));
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
    const role = objects.find(({ metadata }) => metadata.namespace === 'team-a') as
      | { rules?: readonly unknown[] }
      | undefined;
    t.like(role?.rules?.at(-1), { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] });
    const deployment = JSON.stringify(objects.at(-1));
    t.true(deployment.includes('"namespace":"ops"') && deployment.includes('"--namespace=team-a"'));
  },
);

test.serial(
  'with --egress the operator connects to the API server, DNS and what the config tells of alone',
  async (t) => {
    const config = `const one = { condition: 'Maps', handles: () => true, connect: () => ({}) };
export const integrations = [{ ...one, name: 'maps', endpoints: ['tcp://192.0.2.7:5432'] }, { ...one, name: 'other' }];`;
    const cwd = await aFolder(t, { 'sequencer.config.js': config, 'package.json': '{"type":"module"}' });
    const { code, stdout, stderr } = await runToEnd(['manifests', '--egress', '203.0.113.10:6443'], { cwd });
    t.is(code, 0);
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
    const policy = JSON.stringify(objects.find(({ kind }) => kind === 'NetworkPolicy'));
    for (const cidr of ['203.0.113.10/32', '192.0.2.7/32']) t.true(policy.includes(cidr));
    t.regex(stderr, /--egress: these connect to undeclared addresses, .*: integration other\n/);
  },
);

test.serial('a namespace that the operator does not have to itself is left as it is, with a word', async (t) => {
  const cwd = await aFolder(t, {
    'sequencer.config.js': 'export const integrations = [];',
    'package.json': '{"type":"module"}',
  });
  const printed = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runToEnd(['manifests', ...args], { cwd });
    t.is(code, 0, stderr);
    const kinds = parseAllDocuments(stdout).map((document) => (document.toJS() as KubeObject).kind);
    return { isPrinted: kinds.includes('Namespace'), stderr };
  };
  t.true((await printed()).isPrinted);
  const team = await printed('--namespace', 'team-a', '--operator-namespace', 'team-a');
  t.false(team.isPrinted);
  t.is(team.stderr, 'namespace team-a is left as it is: the operator does not have it to itself\n');
  t.deepEqual(await printed('--existing-namespace'), { isPrinted: false, stderr: '' });
});

test.serial('the options beside --chart are the values of the chart', async (t) => {
  const cwd = await aFolder(t, {
    'sequencer.config.js': 'export const integrations = [];',
    'package.json': '{"type":"module"}',
  });
  const valuesWith = async (folder: string, ...args: readonly string[]) => {
    const { code, stderr } = await runToEnd(['manifests', '--chart', folder, ...args], { cwd });
    t.is(code, 0, stderr);
    return parse(await readFile(join(cwd, folder, 'values.yaml'), 'utf8')) as object;
  };
  const usual = await valuesWith('usual');
  t.like(usual, { image: 'sequencer:local', replicas: 2, class: '', definitions: true, monitoring: false });
  const given = ['--class', 'blue', '--selector', 'tier in (gold)', '--shards', 'ring', '--image', 'registry/it:1'];
  const more = ['--webhooks', 'Fail', '--credentials', 'acme', '--egress', '203.0.113.10:6443', '--no-definitions'];
  t.deepEqual(await valuesWith('given', ...given, ...more, '--monitoring'), {
    ...usual,
    ...{ class: 'blue', selector: 'tier in (gold)', shards: 'ring', replicas: 3, image: 'registry/it:1' },
    ...{ webhooks: 'Fail', credentials: ['acme'], egress: ['203.0.113.10:6443'], definitions: false, monitoring: true },
  });
  t.like(await valuesWith('one', '--namespace', 'team-a'), { namespace: 'team-a', definitions: true });
});

for (const [args, message] of [
  [['--page', '8080'], /--page needs another port: 8080 is that of the metrics/],
  [['--page', '9443', '--webhooks', 'Fail'], /--page needs another port: 9443 is that of the webhook/],
  [['--operator-namespace', 'Ops_A'], /--operator-namespace needs a name of at most 63/],
  [['--namespace', 'Team_A'], /--namespace needs a name of at most 63/],
] as const)
  test.serial(`${args.join(' ')} is refused, since its pods or objects would be`, async (t) => {
    const { code, stdout, stderr } = await runToEnd(['manifests', ...args]);
    t.is(code, 1);
    t.is(stdout, '');
    t.regex(stderr, message);
  });
