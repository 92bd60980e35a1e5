import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { type KubeObject, Workspace } from '../../../../sdk/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { subjectOf } from '../../../system/flawed-plug-ins/flaw.ts';
import { verdictOf } from '../../integrations/flawed/verdict.ts';

test('a cluster that answers late does not make what follows Completed look as if it were written again', async (t) => {
  t.timeout(60_000);
  const cluster = await createCluster({ controllers: 'all' });
  const folder = mkdtempSync(join(tmpdir(), 'late-cluster-'));
  t.teardown(async () => {
    await cluster.close();
    rmSync(folder, { recursive: true });
  });
  await cluster.apply((await Workspace.crd?.()) as KubeObject);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, (await cluster.listen()).kubeconfigYaml());
  cluster.faults.on('patch', 'workspaces/status').after('commit').delay(250);
  const subject = { ...subjectOf(), time: 'real', kubeconfig } as const;
  t.deepEqual(await verdictOf(subject, 'changes nothing when walked again, nor by a fresh sequencer'), {});
});
