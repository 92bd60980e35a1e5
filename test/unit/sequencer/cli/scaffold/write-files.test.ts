import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { exists, writeFiles } from '../../../../../sequencer/cli/scaffold/write-files.ts';
import { aFolder } from '../../../a-folder.ts';

test('files are written into a folder that need not be there', async (t) => {
  const folder = join(await aFolder(t), 'new/one');
  await writeFiles(folder, [{ path: 'a.ts', content: 'a' }]);
  t.is(await readFile(join(folder, 'a.ts'), 'utf8'), 'a');
  t.true(await exists(join(folder, 'a.ts')));
});

test('nothing is written where one of them exists: all that do are named', async (t) => {
  const folder = await aFolder(t, { 'b.ts': 'mine', 'c.ts': 'mine' });
  const files = ['a.ts', 'b.ts', 'c.ts'].map((path) => ({ path, content: 'new' }));
  await t.throwsAsync(writeFiles(folder, files), {
    code: 'E#2037',
    message: `${folder} already contains b.ts, c.ts; nothing was written`,
  });
  t.false(existsSync(join(folder, 'a.ts')));
  t.is(await readFile(join(folder, 'b.ts'), 'utf8'), 'mine');
});

test('a folder that cannot be written is reported', async (t) => {
  const folder = join(await aFolder(t, { file: '' }), 'file/below');
  await t.throwsAsync(writeFiles(folder, [{ path: 'a', content: '' }]), {
    code: 'E#2035',
    message: /cannot write into/,
  });
});
