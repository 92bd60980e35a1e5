import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { createCluster } from '../../../../cluster/index.ts';
import { kubeconfigOf } from '../../../../system/real/credentials.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd, start } from '../a-terminal.ts';

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

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test.serial(`${signal} while the API server does not answer ends it with exit code 130 and one word`, async (t) => {
    const asked = Promise.withResolvers<void>();
    const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
    t.teardown(() => silent.close());
    t.teardown(() => silent.closeAllConnections());
    await new Promise((listening) => silent.once('listening', listening));
    const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const folder = await aFolder(t, { kubeconfig: kubeconfigOf({ url: server, ca: '', token: 'none' }) });
    const doctor = start(['doctor', '--kubeconfig', join(folder, 'kubeconfig')]);
    await asked.promise;
    doctor.process.kill(signal);
    t.deepEqual(await doctor.ended, { code: 130, stdout: '', stderr: 'interrupted\n' });
  });
