/** Locates the programs of the real control plane. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Programs that `build.ts` builds, by the name of their folder under `cmd`. */
export const binaryNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl', 'upstream'] as const;

/** One program of the real control plane. */
export type BinaryName = (typeof binaryNames)[number];

/** Go module that the programs are built from. */
export const moduleFolder = import.meta.dirname;

/** Version of Kubernetes that go.mod requires, such as `v1.34.1`. */
export function kubernetesVersion(): string {
  const found = /^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(moduleFolder, 'go.mod'), 'utf8'));
  if (found === null) throw new Error('test/system/real/go.mod does not require k8s.io/kubernetes');
  return found[1]!;
}

/** Returns the linker flags that set the programs' version; a plain `go build` leaves it empty. */
export function linkerFlags(version: string): string {
  const [major, minor] = version.slice(1).split('.');
  const set = (name: string, value = '') => `-X k8s.io/component-base/version.${name}=${value}`;
  return ['-s -w', set('gitVersion', version), set('gitMajor', major), set('gitMinor', minor)].join(' ');
}

/** Folder in which the programs of exactly this go.mod, go.sum and sources are cached, built or not. */
export function binariesFolder(): string {
  const files = readdirSync(join(moduleFolder, 'cmd'), { recursive: true, encoding: 'utf8' }).sort();
  const sources = [
    'go.mod',
    'go.sum',
    ...files.filter((file) => file.endsWith('.go')).map((file) => join('cmd', file)),
  ];
  const hash = createHash('sha256');
  for (const source of sources) hash.update(`${source}\0`).update(readFileSync(join(moduleFolder, source)));
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'workspace-sequencer', 'real', `${kubernetesVersion()}-${hash.digest('hex').slice(0, 12)}`);
}

/** Path of one program, which may not exist. */
export const binaryPath = (name: BinaryName): string => join(binariesFolder(), name);

/** Reports whether every program has been built. */
export const realServerAvailable = (): boolean => binaryNames.every((name) => existsSync(binaryPath(name)));
