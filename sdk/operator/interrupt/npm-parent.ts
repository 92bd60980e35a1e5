/** Notices the end of the npm that runs this program as a script: npm passes signals to the shell between them, and a shell such as dash keeps them. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../clock.ts';

/** Reports whether a script of npm is one command that runs this program: nothing of it can be meant to outlive npm. */
function isOneCommand({ script = '', program }: ProcessTree): boolean {
  const [command = '', ...args] = script.replaceAll("'", '').split(' '); // npx has 'sequencer' in quotes
  const isOurs = command === 'sequencer' || (command === 'node' && args.some((arg) => basename(arg) === program));
  return isOurs && !/[&|;]/.test(script);
}

/** ms between two looks at the processes above this one. */
const lookInterval = 250;

/** Processes above this one. */
export interface ProcessTree {
  /** Text of the script that npm runs; undefined outside of npm. */
  readonly script: string | undefined;
  /** File name of this program, such as `operator.ts`. */
  readonly program: string;
  /** Returns the parent's pid, as of now. */
  parent(): number;
  /** Reports whether there is a process of that pid. */
  isAlive(pid: number): boolean;
  /** Reports whether a process is one that takes over orphans, neither npm nor a shell of it: what npm has started has outlived it. */
  isInit(pid: number): boolean;
  /** Returns the parent of a shell that runs one command (`sh -c`); undefined for other processes, and where no `/proc` tells. */
  parentOfShell(pid: number): number | undefined;
}

/** Reads a file of Linux about a process. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(join('/proc', String(pid), file), 'utf8');
  } catch {
    return '';
  }
}

/** Programs that run scripts: as the first process of a container they are no init. */
const runners = /^(npm|npx|pnpm|yarn|bun|bunx|node|\w*sh)$/;

/** The machine's own processes. */
export const processTree: ProcessTree = {
  script: process.env.npm_lifecycle_script,
  program: basename(process.argv[1] ?? ''),
  parent: () => process.ppid,
  isAlive(pid) {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  },
  isInit: (pid) => pid === 1 && !runners.test(basename(readProc(pid, 'cmdline').split(/[\0 ]/, 1)[0] ?? '')),
  parentOfShell(pid) {
    if (readProc(pid, 'cmdline').split('\0')[1] !== '-c') return undefined;
    const [, parent] = /^.*\) \S (\d+) /s.exec(readProc(pid, 'stat')) ?? [];
    return parent === undefined ? undefined : Number(parent);
  },
};

/** Calls `onGone` once when the npm that runs this program is gone, perhaps before this is called, or the shell between them; returns a function that stops looking. */
export function watchNpm(tree: ProcessTree, clock: Clock, onGone: () => void): () => void {
  if (!isOneCommand(tree)) return () => {};
  const shell = tree.parent();
  const npm = tree.parentOfShell(shell);
  const isOrphan = tree.isInit(shell) || (npm !== undefined && tree.isInit(npm));
  const isThere = (): boolean =>
    !isOrphan &&
    tree.parent() === shell &&
    tree.isAlive(shell) &&
    (npm === undefined || tree.parentOfShell(shell) === npm);
  const look = (): void => {
    if (isThere()) cancel = clock.after(lookInterval, look);
    else onGone();
  };
  let cancel = clock.after(lookInterval, look);
  return () => cancel();
}
