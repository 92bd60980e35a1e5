import { join } from 'node:path';
import test from 'ava';
import { createCluster } from '../../../../cluster/index.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd } from '../a-terminal.ts';

test.serial('without an installation it says what is missing and what helps, and its exit code is 1', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const { kubeconfigYaml } = await cluster.listen();
  const folder = await aFolder(t, { kubeconfig: kubeconfigYaml() });
  const { code, stdout, stderr } = await runToEnd(['doctor', '--kubeconfig', join(folder, 'kubeconfig')]);
  t.deepEqual([code, stderr], [1, '']);
  t.regex(stdout, /^✔ connection +v1\./);
  t.regex(stdout, /\n✔ clock +\d s apart/, 'the server tells its time');
  t.regex(
    stdout,
    /\n✘ definition +workspaces\.se\.quencer\.io is not installed\n +sequencer crds \| kubectl apply -f -\n/,
  );
  t.regex(stdout, /\n✘ leader +there is no Lease sequencer in namespace sequencer-system/);
});
