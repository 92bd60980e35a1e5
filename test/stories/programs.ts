import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, startProcess } from '../real/owned-process.ts';
import { HopelessError, until } from '../real/until.ts';

/** The checkout. */
export const root = join(import.meta.dirname, '../..');

/** What node is started with to run a command of the product from its sources. */
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

/** Runs `sequencer cluster`, ready when it resolves. */
export async function startClusterProgram(): Promise<ClusterProgram> {
  const { folder, remove } = createScratch('cluster');
  const kubeconfigPath = join(folder, 'kubeconfig');
  const args = sequencerArguments('cluster', '--kubeconfig', kubeconfigPath);
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
