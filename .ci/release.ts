// Makes the files of a release of the current commit: the package, its SBOM and their checksums. `--publish` gives the package to the npm registry, with provenance.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addressOf, obstacles, releasedManifest } from './release-plan.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { publish: { type: 'boolean', default: false }, out: { type: 'string', default: join(root, 'release') } },
});
const out = resolve(values.out);

const read = (path: string): string => readFileSync(path, 'utf8');
const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

function npm(folder: string, ...args: readonly string[]): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: [...stdio], maxBuffer: 1e8 });
}

/** Makes the files in a clone of the commit, so that nothing else gets into them. @returns the name of the package's file */
function make(clone: string, address: string | undefined): string {
  execFileSync('git', ['clone', '--quiet', root, clone]);
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
  npm(clone, 'run', '--silent', 'build');
  const manifest = releasedManifest(JSON.parse(read(join(clone, 'package.json'))), address);
  writeFileSync(join(clone, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  npm(clone, 'pack', '--silent', '--ignore-scripts', '--pack-destination', out);
  const sbom = npm(clone, 'sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx');
  writeFileSync(join(out, 'sbom.cdx.json'), sbom);
  const names = readdirSync(out).sort();
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  return names.find((name) => name.endsWith('.tgz'))!;
}

const remote = git('remote').split('\n').includes('origin') ? git('remote', 'get-url', 'origin') : '';
const address = addressOf(process.env, remote);
const { version } = JSON.parse(read(join(root, 'package.json'))) as { readonly version: string };
const against = obstacles({
  version,
  changelog: read(join(root, 'CHANGELOG.md')),
  tags: git('tag', '--points-at', 'HEAD').split('\n'),
  isChanged: git('status', '--porcelain') !== '',
  address,
  env: process.env,
});
if (values.publish && against.length > 0) {
  console.error(against.map((sentence) => `not published: ${sentence}`).join('\n'));
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'release-'));
try {
  const tarball = make(join(folder, 'clone'), address);
  console.log(`${out}: ${readdirSync(out).join(', ')}`);
  if (values.publish) npm(folder, 'publish', join(out, tarball), '--provenance', '--access', 'public');
  for (const sentence of against) console.log(`before it can be published: ${sentence}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
