import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type OwnedProcess, startProcess } from '../../real/owned-process.ts';
import type { KilledOptions } from './sequencer.ts';

/** A sequencer in a process of its own. */
export interface Victim {
  /** SIGKILL, and another one is started. */
  killAndRestart(): Promise<void>;
  /** How it ended by itself, with its last words; undefined while it runs. */
  ending(): string | undefined;
  close(): Promise<void>;
}

/** Starts it; it may take a second to be at work. */
export async function startVictim(options: KilledOptions): Promise<Victim> {
  const { folder, remove } = createScratch('killed');
  const file = join(folder, 'options.json');
  writeFileSync(file, JSON.stringify(options), { mode: 0o600 });
  const program = join(import.meta.dirname, 'sequencer.ts');
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
