// Begins projects with the packed package, as a new user does: what is written type-checks, passes its tests and walks as it is.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packed package, and a folder for projects. */
export interface Packed {
  readonly tarball: string;
  readonly folder: string;
  run(folder: string, command: string, ...args: readonly string[]): void;
}

/** Seconds that the test of a new project may take: half a minute is the aim, on a machine with nothing else to do; CI's has. */
const maxTestSeconds = 90;

/** Runs the test of a new project, and prints how long it took. @throws when it fails, or takes too long */
function testNewProject(run: Packed['run'], folder: string): void {
  const began = performance.now();
  run(folder, 'npm', 'test');
  const seconds = (performance.now() - began) / 1000;
  console.log(`npm test of a new project: ${seconds.toFixed(1)} s, at most ${maxTestSeconds} s`);
  if (seconds > maxTestSeconds)
    throw new Error(`npm test of a new project took ${seconds.toFixed(1)} s, more than ${maxTestSeconds} s`);
}

/** Throws unless a file of a project holds a text. */
function expect(path: string, text: string): void {
  if (!existsSync(path) || !readFileSync(path, 'utf8').includes(text)) throw new Error(`${path} does not hold ${text}`);
}

/** Makes a project of each kind, with every identity; throws when a command fails. */
export function proveScaffolds({ tarball, folder, run }: Packed): void {
  const plugIns = join(folder, 'acme-mail');
  mkdirSync(plugIns, { recursive: true });
  run(plugIns, 'npm', 'exec', '--yes', `--package=${tarball}`, '--', 'sequencer', 'init', '--yes');
  run(plugIns, 'npm', 'install', '--no-audit', '--no-fund', tarball); // in place of the release that it names
  testNewProject(run, plugIns);
  run(plugIns, 'npm', 'start', '--', '--once');
  for (const identity of ['name', 'key', 'opaque'])
    run(plugIns, 'npx', 'sequencer', 'new', 'integration', `by-${identity}`, '--identity', identity);
  expect(join(plugIns, 'by-opaque.test.ts'), "identity: 'opaque'");
  run(plugIns, 'npx', 'sequencer', 'new', 'controller', '--kind', 'DnsZone', '--model', 'crud');
  run(plugIns, 'npm', 'run', 'check');
  run(plugIns, 'npm', 'test');
  // The oldest Node that is supported; scripts of npm find that of their project first.
  run(plugIns, 'npm', 'install', '--no-audit', '--no-fund', '--no-save', 'node@22.20');
  run(plugIns, 'node_modules/.bin/node', '--test', 'acme-mail.test.ts');
  run(plugIns, 'npm', 'start', '--', '--once');

  run(folder, join(plugIns, 'node_modules/.bin/sequencer'), 'new', 'controller', '--kind', 'Website', '--yes');
  const website = join(folder, 'website');
  run(website, 'npm', 'install', '--no-audit', '--no-fund', tarball);
  for (const script of ['check', 'test', 'start']) run(website, 'npm', 'run', script);
}
