// Builds dist as it is published: declarations by the compiler, JavaScript in few bundled files.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { bundlePage } from './bundle-page.ts';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly source: string }>>;
}

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

const doors = Object.values(exports).flatMap((door) => (typeof door === 'string' ? [] : [door.source]));
const programs = Object.values(bin).map((path) => path.replace('./dist/', '').replace(/\.js$/, '.ts'));
const examples = globSync('examples/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
await bundle({ entries: [...doors, ...programs, ...examples], folder: dist });
mkdirSync(join(dist, 'page'));
for (const [name, text] of Object.entries(await bundlePage())) writeFileSync(join(dist, 'page', name), text);
