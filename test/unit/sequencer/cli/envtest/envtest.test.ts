import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd } from '../a-terminal.ts';

test('the programs are written, executable, and a shell can take over where they are', async (t) => {
  const folder = join(await aFolder(t), "new one's");
  const { code, stdout, stderr } = await runToEnd(['envtest', folder, '--controllers', 'namespace']);
  t.deepEqual([code, stderr], [0, '']);
  t.is(execFileSync('sh', ['-c', 'eval "$0"; printf %s "$KUBEBUILDER_ASSETS"', stdout], { encoding: 'utf8' }), folder);
  t.deepEqual((await readdir(folder)).sort(), ['etcd', 'kube-apiserver']);
  for (const file of await readdir(folder)) t.is((await stat(join(folder, file))).mode & 0o777, 0o755);
  t.regex(
    await readFile(join(folder, 'kube-apiserver'), 'utf8'),
    /^exec .* 'kube-apiserver' '--controllers=namespace' --/m,
  );
});

test('no folder, a controller that there is not, or a place that cannot be written to is reported', async (t) => {
  const said = async (...args: readonly string[]) => (await runToEnd(['envtest', ...args])).stderr;
  t.regex(await said(), /^error E#2001: sequencer envtest: name one folder\n/);
  const folder = await aFolder(t, { file: '' });
  t.regex(
    await said(folder, '--controllers', 'cron'),
    /^error E#2001: sequencer envtest: there is no controller "cron"/,
  );
  t.deepEqual(await readdir(folder), ['file']);
  t.regex(await said(join(folder, 'file')), /^error E#2035: cannot write into .*file: /);
});
