/** Builds the program `upstream` with the modules of another version of Kubernetes, in the cache. */

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { binariesFolder, binaryPath, kubernetesVersion, linkerFlags, moduleFolder } from '../binaries.ts';

const run = promisify(execFile);
const maxBuildMs = 20 * 60_000;
const program = 'upstream';

/** Returns the text of a go.mod with another version of Kubernetes; `go mod tidy` adds what follows from it. */
export function moduleOf(text: string, version: string): string {
  const [, own = ''] = /^\s*k8s\.io\/kubernetes v1\.(\S+)$/m.exec(text) ?? [];
  const other = version.replace(/^v1\./, '');
  const [, replaced = ''] = /^replace (\(\n.*?^\)\n)/ms.exec(text) ?? [];
  const [head = ''] = text.split(/^require /m);
  return `${head}require k8s.io/kubernetes ${version}\n\nreplace ${replaced.replaceAll(` v0.${own}\n`, ` v0.${other}\n`)}`;
}

/** Returns the path of the program of another version such as `v1.35.4`; undefined where it is not built. */
export function builtProgramOf(version: string): string | undefined {
  const path = join(binariesFolder(), version, program);
  return existsSync(path) ? path : undefined;
}

/** Returns the path of the program for a version such as `v1.35.4`; it is built first if need be, in minutes. */
export async function programOf(version: string): Promise<string> {
  if (version === kubernetesVersion()) return binaryPath(program);
  const former = builtProgramOf(version);
  if (former !== undefined) return former;
  const cwd = join(binariesFolder(), `${version}.${process.pid}`);
  mkdirSync(join(cwd, 'cmd'), { recursive: true });
  try {
    cpSync(join(moduleFolder, 'cmd', program), join(cwd, 'cmd', program), { recursive: true });
    writeFileSync(join(cwd, 'go.mod'), moduleOf(readFileSync(join(moduleFolder, 'go.mod'), 'utf8'), version));
    const args = ['-trimpath', '-buildvcs=false', '-ldflags', linkerFlags(version), '-o', program, `./cmd/${program}`];
    await run('go', ['mod', 'tidy'], { cwd, timeout: maxBuildMs });
    await run('go', ['build', ...args], { cwd, timeout: maxBuildMs });
    mkdirSync(join(binariesFolder(), version), { recursive: true });
    renameSync(join(cwd, program), join(binariesFolder(), version, program));
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  return join(binariesFolder(), version, program);
}
