import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { blocksOf, docCommentsOf, fileOf, linksOf } from './blocks.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
/** Sources with an `@example` in a doc comment. */
const sources = globSync('{sdk,sequencer,integrations,test/cluster,test/compliance}/**/*.ts', { cwd: root })
  .filter((file) => textOf(file).includes(' * @example'))
  .sort();
const pages = ['README.md', ...globSync('{docs,integrations}/**/*.md', { cwd: root }).sort(), ...sources];
const contentOf = (page: string): string => (page.endsWith('.ts') ? docCommentsOf(textOf(page)) : textOf(page));
const codeOf = (page: string) => blocksOf(contentOf(page)).filter(({ language }) => language === 'ts');
const folderOf = (page: string): string => page.replaceAll(/\W/g, '-');

/** Writes a project that depends on the package: one folder per page, one file per block. */
function writeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/workspace-sequencer'));
  for (const name of ['@types', '@kubernetes', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, rootDir: undefined, outDir: undefined } }),
  );
  for (const page of pages) {
    mkdirSync(join(folder, folderOf(page)));
    for (const block of codeOf(page)) writeFileSync(join(folder, folderOf(page), fileOf(block)), block.text);
  }
  return folder;
}

const project = writeProject();
test.after.always(() => rmSync(project, { recursive: true }));

test('every example compiles against the public doors', async (t) => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '--pretty', 'false'], { cwd: project }).catch(
    (error) => error,
  );
  const complaints = String(stdout)
    .split('\n')
    .filter((line) => line.includes('error TS'));
  t.deepEqual(
    complaints.filter((line) => !line.startsWith('../')),
    [],
    'not counting the package’s own sources',
  );
});

/** Examples to run, each with its page and its file. */
const examples = pages.flatMap((page) =>
  codeOf(page)
    .filter(({ words }) => words.includes('run'))
    .map((block) => ({ page, block, file: join(project, folderOf(page), fileOf(block)) })),
);

/** Output of each example, up to the first that failed, and the error of that one. */
const told = run(
  process.execPath,
  ['--conditions=source', join(import.meta.dirname, 'one-after-another.ts'), ...examples.map(({ file }) => file)],
  { timeout: 120_000 },
).then(
  ({ stdout }) => ({ printed: stdout.split('\0').slice(1), complaint: '', failed: examples.length }),
  ({ stdout, stderr, message }: { stdout: string; stderr: string; message: string }) => {
    const printed = stdout.split('\0').slice(1);
    return { printed, complaint: stderr || message, failed: printed.length - 1 };
  },
);

for (const [index, { page, block }] of examples.entries())
  test.serial(`the example in line ${block.line} of ${page} runs and prints what the page says`, async (t) => {
    const blocks = blocksOf(contentOf(page));
    const next = blocks[blocks.findIndex(({ line }) => line === block.line) + 1];
    const { printed, complaint, failed } = await told;
    t.true(index < failed, index === failed ? complaint : 'it was not run: one before it failed');
    if (next?.language === 'text') t.is(printed[index], next.text);
  });

test('the ten functions that people use most have an example', (t) => {
  const named = (text: string): readonly string[] =>
    [...text.matchAll(/ \* @example\n(?: \*.*\n)+?export (?:async )?function (\w+)/g)].map(([, name]) => name!);
  t.deepEqual(sources.flatMap((file) => named(textOf(file))).toSorted(), [
    'createClient',
    'createCluster',
    'createMetrics',
    'createSequencer',
    'defineIntegration',
    'defineKind',
    'runOperator',
    'runSequencer',
    'testIntegration',
    'testSteps',
  ]);
});

for (const page of pages)
  test(`every file that ${page} links to exists`, (t) => {
    const dead = linksOf(contentOf(page)).filter((target) => !existsSync(resolve(root, dirname(page), target)));
    t.deepEqual(dead, []);
  });

test('no page or example names what was left out: every option that a page shows exists', async (t) => {
  const correct = pages.filter((page) => page !== 'docs/errors.md'); // which shows mistakes
  const shown = new Set(
    correct.flatMap((page) =>
      [...contentOf(page).matchAll(/(?:npm start --|sequencer (?:dev|run|cluster|crds)) [^`\n]*?(--[a-z-]+)/g)].map(
        ([, option]) => option!,
      ),
    ),
  );
  const main = join(root, 'sequencer/cli/main.ts');
  const helps = await Promise.all(
    ['dev', 'run', 'cluster', 'crds'].map((command) =>
      run(process.execPath, ['--conditions=source', main, command, '--help']),
    ),
  );
  const all = helps.map(({ stdout }) => stdout).join();
  t.deepEqual(
    [...shown].filter((option) => !all.includes(option)),
    [],
  );
});
