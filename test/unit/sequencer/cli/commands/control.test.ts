import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseAllDocuments } from 'yaml';
import { ApiError, createClient, loadConnection } from '../../../../../sdk/index.ts';
import { startCluster } from '../../../../../sequencer/cli/commands/cluster.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd } from '../a-terminal.ts';

const aFile = async (t: ExecutionContext): Promise<string> => join(await aFolder(t), 'kubeconfig');

test('a cluster is told to forget its history', async (t) => {
  const kubeconfig = await aFile(t);
  await using _cluster = await startCluster({ kubeconfig, control: true });
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  await client.raw('POST', '/api/v1/namespaces/default/configmaps', body);
  const { code, stdout, stderr } = await runToEnd(['control', '--kubeconfig', kubeconfig, 'compact']);
  t.deepEqual([code, stderr], [0, '']);
  t.true((JSON.parse(stdout) as { revision: number }).revision > 0);
  const error = await t.throwsAsync(
    client.raw('GET', '/api/v1/configmaps?resourceVersion=1&resourceVersionMatch=Exact'),
  );
  t.true(error instanceof ApiError && error.code === 410);
  await client.close();
});

test('a cluster that was not started so cannot be controlled', async (t) => {
  const kubeconfig = await aFile(t);
  await using _cluster = await startCluster({ kubeconfig });
  const { code, stderr } = await runToEnd(['control', '--kubeconfig', kubeconfig, 'compact']);
  t.is(code, 1);
  t.regex(
    stderr,
    /error E#2022: https:.* cannot be controlled .*404.*\n {2}start it with `sequencer cluster --control`/,
  );
});

test('faults are set in words or as JSON, listed, met and removed', async (t) => {
  const kubeconfig = await aFile(t);
  await using _cluster = await startCluster({ kubeconfig, control: true });
  const control = (...words: readonly string[]) => runToEnd(['control', '--kubeconfig', kubeconfig, ...words]);
  const added = await control('faults', 'add', 'list configmaps answer 503, 2 times');
  t.deepEqual([added.code, added.stdout], [0, '1  list configmaps answer 503, 2 times  (hits: 0)\n']);
  const data = { watches: 'secrets', do: { drop: { events: 2 } } };
  t.is(
    (await control('faults', 'add', JSON.stringify(data))).stdout,
    '2  watches secrets drop after 2 events  (hits: 0)\n',
  );
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  await t.throwsAsync(client.raw('GET', '/api/v1/configmaps'), { instanceOf: ApiError });
  await client.close();
  t.regex((await control('faults', 'list')).stdout, /^1 {2}list configmaps .* \(hits: 1\)\n2 {2}watches secrets/);
  t.is((await control('faults', 'remove', '2')).code, 0);
  t.regex((await control('faults', 'clear')).stdout, /^1 {2}list configmaps/);
  t.is((await control('faults', 'list')).stdout, 'no faults\n');
});

test('a fault that can never happen is refused, with what to write instead', async (t) => {
  const kubeconfig = await aFile(t);
  await using _cluster = await startCluster({ kubeconfig, control: true });
  const { code, stderr } = await runToEnd([
    'control',
    '--kubeconfig',
    kubeconfig,
    'faults',
    'add',
    'get configmap drop',
  ]);
  t.is(code, 1);
  t.regex(stderr, /error E#2022: .*serves no "configmap": write "configmaps"/);
});

test('a snapshot is a file that only its owner may read, and brings back what was there', async (t) => {
  const kubeconfig = await aFile(t);
  const file = `${kubeconfig}.json`;
  await using _cluster = await startCluster({ kubeconfig, control: true });
  const control = (...words: readonly string[]) => runToEnd(['control', '--kubeconfig', kubeconfig, ...words]);
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  const maps = '/api/v1/namespaces/default/configmaps';
  const data = { large: 'x'.repeat(900_000) };
  for (const name of ['a', 'b', 'c', 'd'])
    await client.raw('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
  await writeFile(file, 'an earlier one', { mode: 0o644 });
  t.regex((await control('snapshot', file)).stdout, /revision \d+\n$/);
  t.is((await stat(file)).mode & 0o777, 0o600);
  await client.raw('DELETE', `${maps}/a`);
  const { code, stdout } = await control('restore', file);
  t.is(code, 0);
  t.true((JSON.parse(stdout) as { revision: number }).revision > 0);
  t.like(await client.raw('GET', `${maps}/a`), { metadata: { name: 'a' } });
  await client.close();
  t.regex((await control('restore', '/no/such/file')).stderr, /^error E#2002: cannot read/);
  t.regex((await control('snapshot', '/no/such/folder/file')).stderr, /^error E#2035: cannot write/);
});

test('the clock of the cluster is put forward', async (t) => {
  const kubeconfig = await aFile(t);
  await using _cluster = await startCluster({ kubeconfig, control: true });
  const control = (...words: readonly string[]) => runToEnd(['control', '--kubeconfig', kubeconfig, ...words]);
  const timeOf = ({ stdout }: { readonly stdout: string }) => Date.parse((JSON.parse(stdout) as { now: string }).now);
  const before = timeOf(await control('clock', 'now'));
  t.true(timeOf(await control('clock', 'advance', '90m')) >= before + 90 * 60_000);
  t.regex((await control('clock', 'advance', 'soon')).stderr, /E#2001: .*needs a duration/);
});

test('controllers are switched, and take steps', async (t) => {
  const kubeconfig = await aFile(t);
  await using _cluster = await startCluster({ kubeconfig, control: true, controllers: 'namespace=step' });
  const control = (...words: readonly string[]) =>
    runToEnd(['control', '--kubeconfig', kubeconfig, 'controllers', ...words]);
  t.regex((await control('list')).stdout, /^namespace +step +\(waiting: \d+\)$/m);
  t.regex((await control('set', 'job', 'step')).stdout, /^job +step +\(waiting: 0\)$/m);
  t.regex((await control('list')).stdout, /^job +step /m);
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.test/main' }] } };
  await client.raw('POST', '/apis/batch/v1/namespaces/default/jobs', {
    metadata: { name: 'task' },
    spec: { template },
  });
  t.is((await control('step', 'job')).stdout.split(' (')[0], 'job: has written something');
  const { items } = (await client.raw('GET', '/api/v1/namespaces/default/pods')) as { items: readonly object[] };
  t.is(items.length, 1);
  await client.close();
  t.is((await control('step', 'cronJob')).code, 1);
  t.regex((await control('set', 'nothing', 'auto')).stderr, /there is no controller "nothing"/);
  t.regex((await control('set', 'job', 'fast')).stderr, /it must be auto, step or off/);
});

test('the least roles for what was done are printed as YAML', async (t) => {
  const kubeconfig = await aFile(t);
  await using _cluster = await startCluster({ kubeconfig, control: true });
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  await client.raw('GET', '/api/v1/namespaces/default/configmaps');
  await client.close();
  const { stdout } = await runToEnd([
    'control',
    '--kubeconfig',
    kubeconfig,
    'role',
    'reader',
    '--user',
    'kubernetes-admin',
  ]);
  const [role, binding] = parseAllDocuments(stdout).map((document) => document.toJS());
  t.deepEqual(role, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'reader', namespace: 'default' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
  });
  t.like(binding, { kind: 'RoleBinding', subjects: [{ kind: 'User', name: 'kubernetes-admin' }] });
});

test('what it cannot do is refused before any request', async (t) => {
  const { code, stderr } = await runToEnd(['control', 'explode']);
  t.is(code, 1);
  t.regex(stderr, /E#2001: sequencer control: needs an action, one of compact, faults add/);
  const misspelt = await runToEnd(['control', 'clock', 'advnace', '5m']);
  t.regex(misspelt.stderr, /; found "clock advnace 5m"\n {2}did you mean clock advance\?\n/);
  t.regex(
    (await runToEnd(['control', 'compact', 'now'])).stderr,
    /E#2001: sequencer control: usage: sequencer control compact/,
  );
  t.regex((await runToEnd(['control', 'snapshot'])).stderr, /usage: sequencer control snapshot FILE/);
});
