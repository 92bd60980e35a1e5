import { execFile } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { aFolder } from '../a-folder.ts';

const sdk = join(import.meta.dirname, '../../../sdk/index.ts');

/** Imports the SDK in a process that says it is of this version. @returns its standard error, in lines */
const importedBy = (folder: string, version: string): Promise<readonly string[]> => {
  const as = `Object.defineProperty(process, 'version', { value: '${version}' }); await import(process.argv[1]);`;
  const args = ['--conditions=source', '--input-type=module', '--eval', as, sdk];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, timeout: 30_000 }, (_error, _stdout, stderr) =>
      resolve(stderr.split('\n').filter((line) => line !== '')),
    );
  });
};

test('a program on an old Node is reported in one line, without a stack', async (t) => {
  const lines = await importedBy(await aFolder(t, {}), 'v20.20.2');
  const told = lines.filter((line) => line.includes('E#2005: workspace-sequencer: this is Node 20.20.2 ('));
  t.is(told.length, 1, lines.join('\n'));
  t.false(lines.some((line) => /^ +at /.test(line)));
});

test('a program on a Node that is new enough is told nothing', async (t) => {
  t.deepEqual(await importedBy(await aFolder(t, {}), 'v26.0.0'), []);
});
