// Builds the real control plane into the user's cache, unless it is there: `npx node test/system/real/build.ts`.
import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BinaryName,
  binariesFolder,
  binaryNames,
  kubernetesVersion,
  moduleFolder,
  realServerAvailable,
} from './binaries.ts';

const heartbeatInterval = 20_000;
const longestBuild = 20 * 60_000;

/** Linker flags that set the programs' version; a plain `go build` leaves it empty. */
function linkerFlags(): string {
  const version = kubernetesVersion();
  const [major, minor] = version.slice(1).split('.');
  const set = (name: string, value = '') => `-X k8s.io/component-base/version.${name}=${value}`;
  return ['-s -w', set('gitVersion', version), set('gitMajor', major), set('gitMinor', minor)].join(' ');
}

const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1000)} s`;

/** Builds one program. Rejects with advice when Go is missing or the build fails; the compiler's messages are on stderr by then. */
function build(name: BinaryName, folder: string): Promise<void> {
  const args = ['build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', linkerFlags()];
  const started = performance.now();
  console.log(`building ${name}`);
  const heartbeat = setInterval(() => console.log(`building ${name}: ${seconds(started)}`), heartbeatInterval);
  return new Promise<void>((resolve, reject) => {
    const go = spawn('go', [...args, '-o', join(folder, name), `./cmd/${name}`], {
      cwd: moduleFolder,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: longestBuild,
    });
    go.on('error', (cause) => reject(new Error('go does not start: put Go >= 1.24 on the PATH', { cause })));
    go.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`go build ./cmd/${name} ended with ${code ?? signal} after ${seconds(started)}`));
    });
  })
    .then(() => console.log(`built ${name} in ${seconds(started)}`))
    .finally(() => clearInterval(heartbeat));
}

/** Builds all programs and publishes them at once, so that an interrupted build is never taken for a complete one. */
async function buildAll(folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    for (const name of binaryNames) await build(name, unfinished);
    if (realServerAvailable()) return; // a concurrent build was faster
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

if (!realServerAvailable()) await buildAll(binariesFolder());
console.log(`Kubernetes ${kubernetesVersion()}: ${binariesFolder()}`);
