import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { createClient, loadConnection } from '../../../../../sdk/index.ts';
import { startCluster } from '../../../../../sequencer/cli/commands/cluster.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd } from '../a-terminal.ts';

test('what one cluster has recorded is replayed on another one, and differences make it fail', async (t) => {
  const folder = await aFolder(t);
  const [kubeconfig, record] = [join(folder, 'kubeconfig'), join(folder, 'story.jsonl')];
  const cluster = await startCluster({ kubeconfig, record });
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  await client.raw('POST', '/api/v1/namespaces/default/configmaps', object);
  await client.raw('GET', '/api/v1/namespaces/default/configmaps/a');
  await client.close();
  await cluster[Symbol.asyncDispose]();
  t.is((await stat(record)).mode & 0o777, 0o600);
  const second = join(folder, 'second');
  await using _other = await startCluster({ kubeconfig: second });
  const good = await runToEnd(['replay', record, '--kubeconfig', second]);
  t.deepEqual([good.code, good.stdout, good.stderr], [0, '2 requests, 0 differences\n', '']);
  const bad = await runToEnd(['replay', record, '--kubeconfig', second]);
  t.is(bad.code, 1);
  t.regex(bad.stdout, /^line 2: POST .*\n {2}status: expected 201, got 409 configmaps "a" already exists\n/);
});

test('a file that is none, or no recording, is reported', async (t) => {
  const folder = await aFolder(t);
  const [kubeconfig, record] = [join(folder, 'kubeconfig'), join(folder, 'story.jsonl')];
  await using _cluster = await startCluster({ kubeconfig });
  t.regex((await runToEnd(['replay', record, '--kubeconfig', kubeconfig])).stderr, /^error E#2002: cannot read/);
  await writeFile(record, '{}\n');
  t.regex((await runToEnd(['replay', record, '--kubeconfig', kubeconfig])).stderr, /^error E#2003: .*not a recording/);
  t.regex((await runToEnd(['replay'])).stderr, /^error E#2001: sequencer replay: needs one file/);
  await t.throwsAsync(startCluster({ kubeconfig, record: '/no/such/folder/file' }), { code: 'E#2030' });
});
