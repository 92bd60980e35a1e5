import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { aFolder } from '../../unit/a-folder.ts';
import { mistakes, plugIn } from './mistakes.ts';

const root = join(import.meta.dirname, '../../..');

/** Returns the options that a new project has, for the sources of the package. */
function optionsOfScaffold(): object {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'templates/project/tsconfig.json'), 'utf8'));
  return { ...compilerOptions, customConditions: ['source'], skipLibCheck: true };
}

/** Compiles texts as the modules of a project, each by itself. @returns the errors of each, in lines */
async function compiled(
  t: ExecutionContext,
  texts: readonly string[],
): Promise<readonly (readonly (readonly string[])[])[]> {
  const files = texts.map((text, index) => [`m${index}.ts`, text] as const);
  const tsconfig = JSON.stringify({ compilerOptions: optionsOfScaffold(), include: ['*.ts'] });
  const folder = await aFolder(t, {
    ...Object.fromEntries(files),
    'package.json': '{"type":"module"}',
    'tsconfig.json': tsconfig,
  });
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/workspace-sequencer'));
  for (const name of ['@types', 'zod'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', folder];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, compiler, { cwd: folder, timeout: 50_000 }, (_error, stdout) => resolve(stdout));
  });
  const errors = output.split(/^(?=\S)/m).map((error) => error.trimEnd().split('\n'));
  return files.map(([name]) => errors.filter(([first = '']) => first.startsWith(`${name}(`)));
}

test('each of the commonest mistakes is a compile error that names it, in three lines at most', async (t) => {
  const texts = mistakes.map(({ from, to }) => plugIn.replace(from, to));
  for (const [index, text] of texts.entries()) t.not(text, plugIn, mistakes[index]!.title);
  const [right, ...wrong] = await compiled(t, [plugIn, ...texts]);
  t.deepEqual(right, [], 'the plug-in without a mistake compiles');
  for (const [index, { title, told }] of mistakes.entries()) {
    const first = wrong[index]![0] ?? [];
    t.regex(first.join('\n'), told, title);
    t.true(first.length <= 3, `${title}: ${first.join('\n')}`);
  }
});
