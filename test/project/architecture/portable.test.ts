import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { packageJsonOf } from '../../../sequencer/cli/scaffold/package-json.ts';
import { shellScripts, unheldPaths, unportable } from './portable.ts';
import { scan } from './source.ts';

const root = join(import.meta.dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('no script of this package or of a new project needs a POSIX shell', (t) => {
  t.deepEqual(shellScripts(manifest.scripts), []);
  for (const what of ['integration', 'controller']) {
    const { scripts } = JSON.parse(packageJsonOf({ what } as never, 'acme', manifest));
    t.true(Object.keys(scripts).length >= 3);
    t.deepEqual(shellScripts(scripts), []);
  }
});

test('a script for a POSIX shell is found', (t) => {
  const scripts = [
    'exec node a.ts',
    'NODE_ENV=test ava',
    "node --test '*.ts'",
    'node a.ts; tsc',
    'node $A',
    'tsc && rm -rf dist',
  ];
  for (const script of scripts) t.is(shellScripts({ script }).length, 1, script);
  t.deepEqual(shellScripts({ a: 'tsc && node --test "**/*.test.ts"' }), []);
});

test('Windows and macOS can hold all files', (t) => {
  const skipped = [
    'node_modules',
    '.git',
    'dist',
    'site/node_modules',
    'site/pages',
    'site/dist',
    'site/.vitepress/cache',
  ];
  const files = globSync('{*,.*}{,/**/*}', {
    cwd: root,
    exclude: (path) => skipped.includes(path.replaceAll('\\', '/')) || path.endsWith('node_modules'),
  });
  t.true(files.length > 2000);
  t.deepEqual(unheldPaths(files.map((path) => path.replaceAll('\\', '/'))), []);
});

test('a name that Windows cannot hold, or takes for another, is found', (t) => {
  for (const name of ['aux.ts', 'lib/CON', 'a:b.json', 'what?.md', 'dot.', 'a'.repeat(151)])
    t.is(unheldPaths([name]).length, 1, name);
  t.is(unheldPaths(['a/Readme.md', 'a/README.md']).length, 1);
  t.deepEqual(unheldPaths(['a/console.ts', 'b/auxiliary.ts']), []);
});

test('lines end with a line feed in each clone: tests and the docs read files by their lines', (t) => {
  t.regex(readFileSync(join(root, '.gitattributes'), 'utf8'), /^\* text=auto eol=lf$/m);
});

test('what Windows lacks is found', (t) => {
  const flawsOf = (text: string): number => unportable([scan({ path: 'a.ts', text })]).length;
  const flawed = [
    "new URL('./a', import.meta.url).pathname;",
    "import { readFile } from 'node:fs/promises'; await readFile(`${folder}/a`);",
    "import { readFileSync } from 'node:fs'; readFileSync(folder + name);",
    "process.on('SIGUSR2', stop);",
    "open('/dev/stdin');",
  ];
  for (const text of flawed) t.is(flawsOf(text), 1, text);
  const right =
    "import { readFile } from 'node:fs/promises'; await readFile(join(folder, 'a')); child.kill('SIGTERM'); get(`${host}/a`);";
  t.is(flawsOf(right), 0);
});
