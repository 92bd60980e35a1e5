import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test from 'ava';
import { aFolder } from '../../../unit/a-folder.ts';
import { blocksOf } from './blocks.ts';

const root = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
const codes = [...page.matchAll(/^\| (E#\d{4}) \|/gm)].map(([, code = '']) => code);

/** Folder with `sequencer` and `node`, to be on the PATH. */
const programs = mkdtempSync(join(tmpdir(), 'programs-'));
test.after.always(() => rmSync(programs, { recursive: true }));
writeFileSync(
  join(programs, 'sequencer'),
  `#!/bin/sh\nexec "${process.execPath}" --conditions=source "${join(root, 'sequencer/cli/main.ts')}" "$@"\n`,
  { mode: 0o755 },
);
symlinkSync(process.execPath, join(programs, 'node'));

/** Runs a script in a folder. @returns its standard error */
const printedBy = (script: string, cwd: string): Promise<string> => {
  const env = {
    ...process.env,
    HOME: '/nonexistent',
    KUBECONFIG: '',
    NODE_OPTIONS: `--conditions=source ${process.env.NODE_OPTIONS ?? ''}`,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
  };
  return new Promise((resolve) => {
    execFile('sh', ['-c', script], { cwd, env, timeout: 60_000 }, (_error, _stdout, stderr) => resolve(stderr));
  });
};

/** Returns a pattern for a text in which `…` stands for anything but the end of a line. */
const patternOf = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*')}$`);

const sections = page.split(/^### (?=E#\d{4}$)/m).slice(1);

test('every code has an example', (t) => {
  t.deepEqual(
    sections.map((section) => section.slice(0, 6)),
    codes,
  );
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
    const textOf = (wanted: string) => blocks.find(({ language }) => language === wanted)!.text;
    const stderr = await printedBy(textOf('sh'), cwd);
    t.regex(stderr.replaceAll(cwd, '/app'), patternOf(textOf('text')));
    t.regex(stderr, code === 'E#3020' ? /^DNS {2}Error: E#3020: .+: .+/ : new RegExp(`^error ${code}: .+\\n {2}.+`));
  });
}
