/** Runs a sequencer in a process of its own and kills it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type OwnedProcess, startProcess } from '../../real/owned-process.ts';
import type { KilledOptions } from './sequencer.ts';

/** A sequencer in a process of its own. */
export interface Victim {
  /** Sends SIGKILL and starts another one. */
  killAndRestart(): Promise<void>;
  /** Exit status and last output of a process that ended by itself; undefined while it runs. */
  ending(): string | undefined;
  close(): Promise<void>;
}

/** Starts the process; it may take a second until it works. @param source program in this folder, which reads its options from the file that is its argument */
export async function startVictim<T extends object = KilledOptions>(
  options: T,
  source = 'sequencer.ts',
): Promise<Victim> {
  const { folder, remove } = createScratch('killed');
  const file = join(folder, 'options.json');
  writeFileSync(file, JSON.stringify(options), { mode: 0o600 });
  const program = join(import.meta.dirname, source);
  const args = ['--conditions=source', '--disable-warning=ExperimentalWarning', program, file];
  const start = (): Promise<OwnedProcess> =>
    startProcess({ name: 'sequencer', command: process.execPath, args, folder });
  let running = await start();
  let last = Promise.resolve();
  return {
    killAndRestart() {
      last = last.then(async () => {
        await running.kill();
        running = await start();
      });
      return last;
    },
    ending: () => running.ending && `the sequencer ${running.ending}:\n${running.lastWords()}`,
    async close() {
      await last;
      await running.kill();
      remove();
    },
  };
}
