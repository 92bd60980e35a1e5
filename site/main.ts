// `npm run docs` builds the site to site/dist, `npm run docs:dev` serves it and takes up what changes. `-- --base /0.1/` is the path that it is served under.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brokenLinks } from './broken-links.ts';

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string', default: '/' } },
});
const { base } = values;
const serves = positionals[0] === 'dev';
if (!/^\/(.*\/)?$/.test(base))
  throw new Error(`--base ${base}: expected a path that begins and ends with a slash, such as /0.1/`);
process.env.SITE_BASE = base;
const { pages, releases, stage } = await import('./stage.ts');

/** Runs a program in this folder; when it fails, it has said why, and this process ends too. */
function run(command: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: here, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs the packages of the site, unless those of its lockfile are there. */
function install(): void {
  const installed = join(here, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs) return;
  // npm is a script: not all systems start it by its name.
  run(process.execPath, process.env.npm_execpath ?? '', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
}

install();
run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.');
mkdirSync(pages, { recursive: true });
stage();
if (!serves || !existsSync(join(pages, 'api'))) run(process.execPath, '.vitepress/api.ts');
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', serves ? 'dev' : 'build', '--base', base);
if (!serves) {
  const broken = brokenLinks(join(here, 'dist'), { base, beside: releases.map(({ link }) => link) });
  for (const sentence of broken) console.error(sentence);
  if (broken.length > 0) process.exitCode = 1;
}
