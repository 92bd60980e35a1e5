import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { ApiError, createClient, loadConnection } from '../../../sdk/index.ts';
import { startCluster } from '../../../sequencer/cli/cluster.ts';
import { runToEnd } from './a-terminal.ts';

const aFile = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), 'control-')), 'kubeconfig');

test('a cluster is told to forget its history', async (t) => {
  const kubeconfig = await aFile();
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
  const kubeconfig = await aFile();
  await using _cluster = await startCluster({ kubeconfig });
  const { code, stderr } = await runToEnd(['control', '--kubeconfig', kubeconfig, 'compact']);
  t.is(code, 1);
  t.regex(stderr, /404/);
});

test('what it cannot do is refused before anybody is asked', async (t) => {
  const { code, stderr } = await runToEnd(['control', 'explode']);
  t.is(code, 1);
  t.regex(stderr, /E#2001: sequencer control: what to do is one of compact/);
});
