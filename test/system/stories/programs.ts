/** Runs the product's commands as processes. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, startProcess } from '../real/owned-process.ts';
import { HopelessError, until } from '../real/until.ts';

/** Root of the checkout. */
export const root = join(import.meta.dirname, '../../..');

/** Arguments of node that run a command of the product from its sources. */
export const sequencerArguments = (command: string, ...args: readonly string[]): readonly string[] => [
  '--conditions=source',
  '--disable-warning=ExperimentalWarning',
  join(root, 'sequencer/cli/main.ts'),
  command,
  ...args,
];

/** An in-memory cluster in a process of its own. */
export interface ClusterProgram {
  readonly kubeconfigPath: string;
  close(): Promise<void>;
}

/** Runs `sequencer cluster`, ready when it resolves; runs pods unless other flags are given. */
export async function startClusterProgram(flags: readonly string[] = ['--kubelet']): Promise<ClusterProgram> {
  const { folder, remove } = createScratch('cluster');
  const kubeconfigPath = join(folder, 'kubeconfig');
  const args = sequencerArguments('cluster', ...flags, '--kubeconfig', kubeconfigPath);
  const program = await startProcess({ name: 'cluster', command: process.execPath, args, folder });
  const ready = async () => {
    if (program.ending !== undefined) throw new HopelessError(`the cluster ${program.ending}:\n${program.lastWords()}`);
    return existsSync(kubeconfigPath) || undefined;
  };
  await until(ready, { message: () => `no cluster within a minute:\n${program.lastWords()}` });
  return {
    kubeconfigPath,
    async close() {
      await program.kill();
      remove();
    },
  };
}

/** Output of a program that has ended. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment of a program. */
export interface Surroundings {
  /** Variables beside those of this process. @default {} */
  readonly env?: NodeJS.ProcessEnv;
  /** Working directory. @default the checkout */
  readonly cwd?: string;
  /** Longest duration in ms. @default 300_000 */
  readonly timeout?: number;
}

/** Runs a program to its end or its timeout; rejects only when it cannot be started. */
export const run = (
  command: string,
  args: readonly string[],
  { env, cwd = root, timeout = 300_000 }: Surroundings = {},
): Promise<Said> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout, maxBuffer: 64 * 2 ** 20 };
    execFile(command, args, options, (error, stdout, stderr) => {
      const { code = 0 } = (error ?? {}) as { readonly code?: number | string | null };
      if (typeof code === 'string') reject(error);
      else resolve({ code: code ?? -1, stdout, stderr });
    });
  });

/** Runs `sequencer run` with these options, working when it resolves. */
export async function startSequencerProgram(
  kubeconfig: string,
  config: string,
  options: readonly string[] = [],
): Promise<{ close(): Promise<void> }> {
  const { folder, remove } = createScratch('sequencer');
  const args = sequencerArguments('run', '--kubeconfig', kubeconfig, '--config', join(root, config), ...options);
  const program = await startProcess({ name: 'sequencer', command: process.execPath, args, folder });
  const ready = async () => {
    if (program.ending !== undefined)
      throw new HopelessError(`the sequencer ${program.ending}:\n${program.lastWords()}`);
    return /running/.test(program.lastWords()) || undefined;
  };
  await until(ready, { message: () => `no sequencer within a minute:\n${program.lastWords()}` });
  return {
    async close() {
      await program.kill();
      remove();
    },
  };
}
