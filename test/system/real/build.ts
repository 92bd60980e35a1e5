// Builds the real control plane into the user's cache, or the programs that are named, unless they are there: `npx node test/system/real/build.ts`.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BinaryName,
  binariesFolder,
  binaryNames,
  binaryPath,
  kubernetesVersion,
  linkerFlags,
  moduleFolder,
} from './binaries.ts';

const heartbeatInterval = 20_000;
const maxBuildMs = 20 * 60_000;

const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1000)} s`;

/** Builds one program. Rejects with advice when Go is missing or the build fails; the compiler's messages are on stderr by then. */
function build(name: BinaryName, folder: string): Promise<void> {
  const args = ['build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', linkerFlags(kubernetesVersion())];
  const started = performance.now();
  console.log(`building ${name}`);
  const heartbeat = setInterval(() => console.log(`building ${name}: ${seconds(started)}`), heartbeatInterval);
  return new Promise<void>((resolve, reject) => {
    const go = spawn('go', [...args, '-o', join(folder, name), `./cmd/${name}`], {
      cwd: moduleFolder,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: maxBuildMs,
    });
    go.on('error', (cause) =>
      reject(new Error('go does not start: put Go on the PATH, of the version that go.mod names or later', { cause })),
    );
    go.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`go build ./cmd/${name} ended with ${code ?? signal} after ${seconds(started)}`));
    });
  })
    .then(() => console.log(`built ${name} in ${seconds(started)}`))
    .finally(() => clearInterval(heartbeat));
}

/** Builds a program and publishes it at once, so that an interrupted build is never taken for a complete one. */
async function publish(name: BinaryName): Promise<void> {
  const unfinished = join(binariesFolder(), `unfinished.${process.pid}`);
  mkdirSync(unfinished, { recursive: true });
  try {
    await build(name, unfinished);
    renameSync(join(unfinished, name), binaryPath(name));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !binaryNames.some((known) => known === name));
if (unknown.length > 0) throw new Error(`there is no program ${unknown.join()}: there are ${binaryNames.join(', ')}`);
for (const name of binaryNames) {
  if ((chosen.length === 0 || chosen.includes(name)) && !existsSync(binaryPath(name))) await publish(name);
}
console.log(`Kubernetes ${kubernetesVersion()}: ${binariesFolder()}`);
