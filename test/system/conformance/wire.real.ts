import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { startInMemory } from '../clients/servers.ts';
import { root, run, sequencerArguments } from '../stories/programs.ts';

/** A program that sends the recorded requests to a server over HTTPS; it lies beside the checkout, if present. */
const replayer = join(root, '../shared/conformance/replay.mjs');

(existsSync(replayer) ? test.serial : test.skip)('sequencer cluster answers over HTTPS as was recorded', async (t) => {
  const server = await startInMemory(['--control']);
  t.teardown(() => server.close());
  const compact = [...sequencerArguments('control'), '--kubeconfig', server.kubeconfigPath, 'compact'];
  const command = [process.execPath, ...compact].map((part) => `'${part}'`).join(' ');
  const args = ['--kubeconfig', server.kubeconfigPath, '--compact-cmd', command, '--jobs', '4'];
  const { stdout, stderr } = await run('node', [realpathSync(replayer), ...args]);
  const failed = [...stdout.matchAll(/^FAIL (\S+)/gm)].map(([, id]) => id);
  t.deepEqual(failed, [], stdout + stderr); // for the hashes in D16 it compares their presence only
  t.regex(stdout, /\b[1-9]\d* passed, \d+ failed$/m);
  t.notRegex(stdout, /\bskipped\b(?! +seconds)/, 'nothing is left out');
});
