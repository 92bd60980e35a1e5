/** Creation of a scaffold: a project with its first plug-in, or a plug-in in a project. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { camelOf, pascalOf } from './names.ts';
import { type OwnManifest, packageJsonOf } from './package-json.ts';
import { contentOf, plugInFiles, projectFiles, type Scaffold, stemOf } from './templates.ts';
import { exists, type NewFile, writeFiles } from './write-files.ts';

const ownManifest = (): OwnManifest =>
  createRequire(import.meta.url)('workspace-sequencer/package.json') as OwnManifest;

/** Reports whether a folder is a project that depends on this package. */
export async function isProject(folder: string): Promise<boolean> {
  try {
    const { dependencies, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return Object.hasOwn({ ...dependencies, ...devDependencies }, ownManifest().name);
  } catch {
    return false;
  }
}

const fillTemplates = (files: ReturnType<typeof plugInFiles>, scaffold: Scaffold): Promise<readonly NewFile[]> =>
  Promise.all(files.map(async (file) => ({ path: file.to, content: await contentOf(file, scaffold) })));

const pathLines = (files: readonly NewFile[]): readonly string[] => files.map(({ path }) => `  ${path}`);

/**
 * Writes a project with its first plug-in. An existing README.md or .gitignore, as in a new clone, is kept.
 * @returns lines for the user
 * @throws UserError E#2037 when any other of its files exists, E#2035
 */
export async function makeProject(scaffold: Scaffold, folder: string): Promise<readonly string[]> {
  const [hasReadme, hasIgnored] = await Promise.all(
    ['README.md', '.gitignore'].map((name) => exists(join(folder, name))),
  );
  const page = hasReadme ? `${stemOf(scaffold)}.md` : 'README.md';
  const around = projectFiles(scaffold).filter(({ to }) => to !== '.gitignore' || !hasIgnored);
  const templates = [...around, ...plugInFiles(scaffold, page)];
  const manifest = { path: 'package.json', content: packageJsonOf(scaffold, stemOf(scaffold), ownManifest()) };
  const files = [manifest, ...(await fillTemplates(templates, scaffold))];
  await writeFiles(folder, files);
  return [
    `wrote into ${folder}:`,
    ...pathLines(files),
    '',
    'next',
    ...(folder === '.' ? [] : [`  cd ${folder}`]),
    '  npm install',
    '  npm test       proves it',
    '  npm start      shows it at work',
    `  ${page.padEnd(13)}  says where your own code goes`,
  ];
}

/** Describes where a new plug-in has to be named. */
function registration(scaffold: Scaffold): readonly string[] {
  const stem = stemOf(scaffold);
  if (scaffold.what === 'controller') {
    const create = `create${scaffold.kind}Controller`;
    return [
      'in your program',
      `  import { ${create} } from './${stem}-controller.ts';`,
      `  runOperator({ controllers: [${create}(client)], signal })`,
    ];
  }
  const name = camelOf(pascalOf(stem));
  return [
    'in sequencer.config.ts',
    `  import { ${name} } from './${stem}.ts';`,
    `  export const integrations = [${name}({ url, token })];`,
  ];
}

/** Writes a plug-in into a project. @returns lines for the user @throws UserError E#2037 when a file exists, E#2035 */
export async function makePlugIn(scaffold: Scaffold, folder: string): Promise<readonly string[]> {
  const files = await fillTemplates(plugInFiles(scaffold, `${stemOf(scaffold)}.md`), scaffold);
  await writeFiles(folder, files);
  return ['wrote', ...pathLines(files), '', ...registration(scaffold), '', 'then', '  npm test'];
}
