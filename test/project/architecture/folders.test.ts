import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { foldersOf, unexplainedFolders } from './folders.ts';
import { readSources } from './source.ts';

const root = join(import.meta.dirname, '../../..');
const roots = ['sdk', 'sequencer', 'integrations', 'test/cluster', 'test/compliance'];

test('every folder with sources begins with one sentence on what it is for', (t) => {
  const sources = readSources(root, roots);
  const readmes = globSync(`{${roots.join()}}/**/README.md`, { cwd: root }).map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(root, path), 'utf8'),
  }));
  const folders = foldersOf(sources, roots);
  t.true(folders.length > 150);
  t.deepEqual(unexplainedFolders(folders, [...sources, ...readmes]), []);
});

test('the folders of files are theirs and those around them', (t) => {
  const files = [{ path: 'sdk/a/b/c.ts', text: '' }];
  t.deepEqual(foldersOf(files, ['sdk']), ['sdk', 'sdk/a', 'sdk/a/b']);
  t.deepEqual(foldersOf(files, ['sdk/a']), ['sdk/a', 'sdk/a/b']);
  t.deepEqual(foldersOf(files, ['sdk/ab']), []);
});

const flawsOf = (name: string, text: string) => unexplainedFolders(['sdk/a'], [{ path: `sdk/a/${name}`, text }]);

test('a folder without a sentence is found', (t) => {
  t.deepEqual(unexplainedFolders(['sdk/a'], []), [
    'sdk/a: no README.md, and no index.ts with @packageDocumentation, says what it is for',
  ]);
  t.is(flawsOf('index.ts', '/** Stores of the objects of a kind. */\n\nexport {};').length, 1);
  t.is(flawsOf('other.ts', '/**\n * Keeps objects in memory.\n * @packageDocumentation\n */').length, 1);
  t.deepEqual(flawsOf('index.ts', '/**\n * Keeps objects in memory.\n *\n * @packageDocumentation\n */'), []);
});

test('a README whose first paragraph is not a sentence, is long or has the title of another folder is found', (t) => {
  const long = `Keeps${' objects'.repeat(25)}.`;
  const flawed = [
    '# sdk/a\n',
    '# sdk/a\n\n- [a.ts](a.ts): a list of files.\n',
    '# sdk/a\n\nKeeps objects in memory\n',
    '# sdk/a\n\nObjects.\n',
    '# sdk/a\n\nKeeps objects in memory. Watches them too.\n',
    '# sdk/b\n\nKeeps objects in memory.\n',
    `# sdk/a\n\n${long}\n`,
    `# A page\n\n${long} More.\n`,
  ];
  for (const text of flawed) t.is(flawsOf('README.md', text).length, 1, text);
  const right = [
    '# sdk/a\n\nKeeps objects in memory.\n\n- [a.ts](a.ts): first\n',
    `# A page\n\nKeeps the objects here. ${long}`,
  ];
  for (const text of right) t.deepEqual(flawsOf('README.md', text), [], text);
});
