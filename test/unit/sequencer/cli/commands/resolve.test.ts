import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadSeal } from '../../../../../sdk/host/index.ts';
import { createClient, type KubeObject, Workspace } from '../../../../../sdk/index.ts';
import { attemptLines, resolutionFrom } from '../../../../../sequencer/cli/commands/resolve.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { aFolder } from '../../../a-folder.ts';
import { anEntry } from '../../../a-workspace.ts';
import { runToEnd } from '../a-terminal.ts';

const entry = anEntry({
  phase: 'unknown',
  token: 7,
  since: '2026-01-01T00:00:00Z',
  cause: 'reset',
  refs: [{ id: 'rec-1' }],
});

async function aQuestion(t: ExecutionContext) {
  const folder = await aFolder(t);
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  await cluster.apply((await Workspace.crd?.()) as KubeObject);
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const key = { namespace: 'default', name: 'shop' };
  await client.create(Workspace, { metadata: key, spec: {} });
  await client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { guards: { DNS: entry } } } },
    { subresource: 'status' },
  );
  await loadSeal(client, 'default'); // as the operator did
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, (await cluster.listen()).kubeconfigYaml());
  return {
    annotations: async () => (await client.get(Workspace, key)).metadata.annotations,
    answered: async () => (await client.get(Workspace, key)).metadata.annotations?.['resolve.se.quencer.io/DNS'] ?? '',
    resolve: (...args: readonly string[]) => runToEnd(['resolve', ...args, '--kubeconfig', kubeconfig]),
  };
}

test('shows what is known, and writes nothing unless told', async (t) => {
  const { resolve, annotations } = await aQuestion(t);
  const { code, stdout } = await resolve('shop', 'DNS');
  t.is(code, 0);
  t.true(stdout.includes('holder     one/a, since 2026-01-01T00:00:00Z'));
  t.true(stdout.includes('known ids  {"id":"rec-1"}'));
  t.is(await annotations(), undefined);
});

test('answers with the token of the question', async (t) => {
  const { resolve, answered } = await aQuestion(t);
  const { code } = await resolve('shop', 'DNS', '--adopt', 'rec-1');
  t.is(code, 0);
  t.regex(await answered(), /^adopt@7=\{"id":"rec-1"\} seal=\w{8}\.[\w-]{43}$/, 'and signs the ids');
});

test('several things are adopted at once, each by its slot', async (t) => {
  const { resolve, answered } = await aQuestion(t);
  await resolve('shop', 'DNS', '--adopt', '{"slot":"a","id":"rec-1"}', '--adopt', '{"slot":"b","id":"rec-2"}');
  t.regex(await answered(), /^adopt@7=\[\{"slot":"a","id":"rec-1"\},\{"slot":"b","id":"rec-2"\}\] seal=/);
});

test('a condition that asks nothing is reported as such, by code', async (t) => {
  const { resolve } = await aQuestion(t);
  const { code, stderr } = await resolve('shop', 'Mail', '--retry');
  t.is(code, 1);
  t.regex(stderr, /E#2040/);
  t.regex(stderr, /Mail of default\/shop has no unknown attempt: its guard is not used yet/);
});

test('two answers at once are refused', (t) => {
  t.throws(() => resolutionFrom({ lists: { adopt: ['x'] }, flags: new Set(['retry']) }, 7), {
    message: /exclude each other/,
  });
  t.is(resolutionFrom({ lists: {}, flags: new Set() }, 7), undefined);
});

test('a lost entry is reported', (t) =>
  t.true(attemptLines('DNS', { ...entry, lost: true }).some((line) => line.includes('journal entry was lost'))));
