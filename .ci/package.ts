// Makes the files of a release, installs its tarball in a project, imports every entry point with types and at run time, begins projects, and runs the test kit on other runtimes and under Vitest.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { proveImage } from './image.ts';
import { proveRuntimes } from './runtimes.ts';
import { proveScaffolds } from './scaffold.ts';
import { proveWithVitest } from './vitest.ts';

interface PackageJson {
  readonly name: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const repository = resolve(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as PackageJson;
const project = mkdtempSync(join(tmpdir(), 'package-'));

/** Runs a program with inherited output; throws when it fails or takes longer than five minutes. */
function run(folder: string, command: string, ...args: readonly string[]): void {
  console.log(`> ${[command, ...args].join(' ')}`);
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], timeout: 5 * 60_000 });
}

const write = (name: string, content: unknown): void =>
  writeFileSync(join(project, name), typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));

/** Checks that an older Node, if the machine has one, gets a one-line message and no SyntaxError. */
function tellsOldNode(): void {
  const node = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path) && !path.includes('node_modules'));
  if (node === undefined || !/^v(1\d|20)\./.test(execFileSync(node, ['--version'], { encoding: 'utf8' }))) return;
  const { status, stderr } = spawnSync(node, ['node_modules/.bin/sequencer', 'dev'], {
    cwd: project,
    encoding: 'utf8',
  });
  console.log(stderr);
  if (status !== 1 || !stderr.startsWith('error E#2005: this is Node ')) throw new Error('an old Node is not reported');
}

/** Returns a program that imports every entry point with types and at run time; it fails for an empty one. */
function visitor(): string {
  const doors = Object.entries(manifest.exports).filter(([, target]) => typeof target === 'object');
  const names = doors.map(([door]) => `${manifest.name}${door.slice(1)}`);
  const imports = names.map((name, index) => `import * as door${index} from '${name}';`);
  const entries = names.map((name, index) => `  '${name}': door${index},`);
  return `${imports.join('\n')}
const doors: Readonly<Record<string, object>> = {
${entries.join('\n')}
};
for (const [name, door] of Object.entries(doors)) {
  const exported = Object.keys(door);
  console.log(\`\${name}: \${exported.length} exports\`);
  if (exported.length === 0) throw new Error(\`\${name} exports nothing\`);
}
`;
}

/** Program that asks a PostgreSQL integration for something where its library is not installed; it fails unless it is told what to install. */
const withoutLibrary = `import { postgresDatabase } from '${manifest.name}/integrations/postgres';
const integration = postgresDatabase({ server: { host: '127.0.0.1', user: 'nobody', password: 'password' } });
const workspace = { metadata: { namespace: 'default', name: 'shop', uid: '1' }, spec: {} };
const controller = { workspace, destroy: (resource) => resource.find({ mark: 'a' }, { signal: new AbortController().signal }) };
const provider = await integration.connect({ controller });
const message = await provider.terminate().then(() => 'it answers', (error) => error.message);
if (!message.endsWith('integrations/postgres needs the package pg: npm install pg')) throw new Error(message);
`;

/** Checks that no library of a vendor came along, and that its integration says so. */
function comesWithoutVendors(): void {
  const installed = Object.keys(manifest.peerDependencies).filter((name) =>
    existsSync(join(project, 'node_modules', name)),
  );
  if (installed.length > 0) throw new Error(`libraries of vendors came along: ${installed.join(', ')}`);
  write('without-library.js', withoutLibrary);
  run(project, join(repository, 'node_modules/.bin/node'), 'without-library.js');
}

try {
  const release = join(project, 'release');
  process.env.REPOSITORY_URL ??= 'https://git.example.com/acme/sequencer';
  run(repository, join(repository, 'node_modules/.bin/node'), '.ci/release.ts', '--out', release);
  const tarball = join(release, readdirSync(release).find((name) => name.endsWith('.tgz'))!);
  run(repository, 'npx', 'publint', 'run', tarball, '--strict');

  write('package.json', { name: 'stranger', private: true, type: 'module' });
  run(project, 'npm', 'install', '--no-audit', '--no-fund', tarball);
  write('visitor.ts', visitor());
  const typeRoots = [join(repository, 'node_modules/@types')];
  const shared = { target: 'es2024', strict: true, noEmit: true, types: ['node'], typeRoots };
  for (const module of ['nodenext', 'node16', 'preserve']) {
    // `preserve` resolves as bundlers do.
    write('tsconfig.json', { compilerOptions: { ...shared, module }, files: ['visitor.ts'] });
    run(project, join(repository, 'node_modules/.bin/tsc'), '-p', project);
  }
  run(project, join(repository, 'node_modules/.bin/node'), 'visitor.ts');
  comesWithoutVendors();
  for (const bin of Object.keys(manifest.bin)) {
    run(project, join(repository, 'node_modules/.bin/node'), join(project, 'node_modules/.bin', bin), '--help');
  }
  run(project, join(repository, 'node_modules/.bin/node'), 'node_modules/.bin/sequencer', 'dev', '--once');
  tellsOldNode();
  // The Node of this repository comes first, for npm and for the scripts of the projects.
  process.env.PATH = [join(repository, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  proveScaffolds({ tarball, folder: join(project, 'begun'), run });
  const plugIn = join(project, 'begun/acme-mail');
  proveRuntimes({ tarball, folder: join(project, 'users'), plugIn, run });
  proveWithVitest({ project, repository, run });
  await proveImage(repository, tarball);
} finally {
  rmSync(project, { recursive: true, force: true });
}
