import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { root, run } from '../stories/programs.ts';
import { built, kubectls } from './recipes.ts';
import { startInMemory } from './servers.ts';

/** Recorded output of kubectl on real servers, and a program that compares; both lie beside the checkout, if present. */
const replayer = join(root, '../shared/conformance/kubectl-replay.mjs');

for (const { version } of kubectls) {
  const folder = built(`kubectl-${version}`);
  const isThere = folder !== undefined && existsSync(replayer);
  (isThere ? test.serial : test.skip)(`kubectl ${version} prints what it prints on a real server`, async (t) => {
    const server = await startInMemory([]);
    t.teardown(() => server.close());
    const args = ['--kubectl', join(folder ?? '', 'kubectl'), '--kubeconfig', server.kubeconfigPath];
    const { code, stdout, stderr } = await run('node', [
      realpathSync(replayer),
      ...args,
      '--version',
      version,
      '--jobs',
      '2',
    ]);
    t.is(code, 0, stdout + stderr);
    t.regex(stdout, /\b[1-9]\d* passed, 0 failed$/m);
  });
}
