import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { makePrivate, writePrivate } from '../../../../../sequencer/cli/output/private-file.ts';
import { aFolder } from '../../../a-folder.ts';

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

test('a file that is there is replaced by one that only its owner may read, also behind a link', async (t) => {
  const folder = await aFolder(t, { 'old.json': 'old', 'linked.json': 'old', 'record.jsonl': '' });
  const [old, linked, link, fresh] = ['old.json', 'linked.json', 'link', 'new.json'].map((one) => join(folder, one));
  await symlink(linked!, link!);
  for (const file of [old!, link!, fresh!]) await writePrivate(file, 'secret');
  await makePrivate(join(folder, 'record.jsonl'));
  for (const file of [old!, linked!, fresh!])
    t.deepEqual([await readFile(file, 'utf8'), await modeOf(file)], ['secret', 0o600]);
  t.is(await modeOf(join(folder, 'record.jsonl')), 0o600);
  t.deepEqual((await readdir(folder)).sort(), ['link', 'linked.json', 'new.json', 'old.json', 'record.jsonl']);
});

test('a file that cannot be put in place leaves nothing behind', async (t) => {
  const folder = await aFolder(t, { 'old.json/in-it': '' });
  await t.throwsAsync(writePrivate(join(folder, 'old.json'), 'secret'), { code: 'EISDIR' });
  await t.throwsAsync(writePrivate(join(folder, 'none/new.json'), 'secret'), { code: 'ENOENT' });
  t.deepEqual(await readdir(folder), ['old.json']);
});

test('a device keeps its rights', async (t) => {
  const before = await modeOf('/dev/null');
  await writePrivate('/dev/null', 'secret');
  await makePrivate('/dev/null');
  t.is(await modeOf('/dev/null'), before);
});
