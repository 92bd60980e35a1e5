import { readFileSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aFolder } from '../a-folder.ts';
import { runToEnd } from '../sequencer/cli/a-terminal.ts';
import { blocksOf } from './blocks.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
const codes = [...page.matchAll(/^\| (E#\d{4}) \|/gm)].map(([, code = '']) => code);

/** Codes that no command makes in a folder alone, each with what it needs; their messages are held by the tests of what throws them. */
const elsewhere: Readonly<Record<string, string>> = {
  'E#1008': 'a pod without a service account',
  'E#1011': 'a server that refuses rights',
  'E#1012': 'a server with another definition',
  'E#1013': 'a server with a newer definition',
  'E#1014': 'a server that does not establish a definition',
  'E#1015': 'a server with an older definition, and no right to change it',
  'E#1016': 'a server that refuses rights',
  'E#2000': 'a defect',
  'E#2005': 'an older Node',
  'E#2021': 'a server that refuses rights',
  'E#2024': 'an object that is being deleted',
  'E#2030': 'a port in use',
  'E#2033': 'a claim that nothing ends',
  'E#2035': 'a folder that may not be written to',
  'E#2050': 'a server without the definition',
  'E#2060': 'a second replica',
  'E#2061': 'a walk that does not end',
  'E#2062': 'a port in use',
  'E#2070': 'a server of hooks',
  'E#3010': 'a server with a wrong Secret',
  'E#3011': 'a server without the Secret',
  'E#3020': 'a newer release',
};

const sections = page.split(/^### (?=E#\d{4}$)/m).slice(1);

test('every code has an example, or a reason why it has none', (t) => {
  const shown = sections.map((section) => section.slice(0, 6));
  t.deepEqual([...shown, ...Object.keys(elsewhere)].sort(), codes.toSorted());
});

for (const section of sections) {
  const code = section.slice(0, 6);
  test.serial(`the example of ${code} prints what the page says: what has happened, and what to do`, async (t) => {
    const blocks = blocksOf(section);
    const named = blocks.flatMap(({ words, text }) => {
      const file = words.find((word) => word.startsWith('file='))?.slice('file='.length);
      return file === undefined ? [] : [[file, text] as const];
    });
    // A folder for a new project has no package.json; one with a config has.
    const files = Object.fromEntries([...named, ...(named.length > 0 ? [['package.json', '{"type":"module"}']] : [])]);
    const cwd = await realpath(await aFolder(t, files));
    await mkdir(join(cwd, 'node_modules'));
    await symlink(root, join(cwd, 'node_modules/workspace-sequencer'));
    const commands = blocks
      .find(({ language }) => language === 'sh')!
      .text.trimEnd()
      .split('\n');
    let stderr = '';
    for (const command of commands) ({ stderr } = await runToEnd(command.split(' ').slice(1), { cwd }));
    t.is(stderr.replaceAll(cwd, '/app'), blocks.find(({ language }) => language === 'text')!.text);
    t.regex(stderr, new RegExp(`^error ${code}: .+\\n {2}.+`));
  });
}
