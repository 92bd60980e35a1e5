/** Bundles the page that `sequencer dev` and `sequencer run --page` serve. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'sequencer/page/browser');

/** Bundles the page with its library, and returns its files by name. @throws the errors of esbuild */
export async function bundlePage(): Promise<Readonly<Record<string, string>>> {
  const license = await readFile(join(root, 'node_modules/preact/LICENSE'), 'utf8');
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [
      { in: 'main.tsx', out: 'page' },
      { in: 'page.css', out: 'page' },
    ],
    outdir: folder,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: `/*! preact\n${license}*/` },
    logLevel: 'silent',
  });
  const texts = outputFiles.map(({ path, text }) => [path.split(/[\\/]/).at(-1) ?? '', text]);
  const fixed = ['index.html', 'icon.svg'].map(async (name) => [name, await readFile(join(folder, name), 'utf8')]);
  return Object.fromEntries([...texts, ...(await Promise.all(fixed))]);
}
