/**
 * Detects the end of the npm process that runs this program as a script. npm forwards signals to the shell between them only, and shells such as dash do
 * not forward them.
 */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../clock.ts';

/** Reports whether the npm script is a single command that runs this program, and so is not meant to outlive npm. */
function isOneCommand({ script = '', program }: ProcessTree): boolean {
  const [command = '', ...args] = script.replaceAll("'", '').split(' '); // npx has 'sequencer' in quotes
  const isOurs = command === 'sequencer' || (command === 'node' && args.some((arg) => basename(arg) === program));
  return isOurs && !/[&|;]/.test(script);
}

/** ms between two checks of the ancestor processes. */
const pollInterval = 250;

/** Ancestors of this process. */
export interface ProcessTree {
  /** Text of the script that npm runs; undefined outside of npm. */
  readonly script: string | undefined;
  /** File name of this program, such as `operator.ts`. */
  readonly program: string;
  /** Returns the current parent's pid. */
  parent(): number;
  /** Reports whether a process exists. */
  isAlive(pid: number): boolean;
  /** Reports whether a process is an init, which adopts orphans, rather than npm or its shell. */
  isInit(pid: number): boolean;
  /** Returns the parent of a shell that runs one command (`sh -c`); undefined for other processes, and without `/proc`. */
  parentOfShell(pid: number): number | undefined;
}

/** Reads a file of `/proc/<pid>`; empty if it does not exist. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(join('/proc', String(pid), file), 'utf8');
  } catch {
    return '';
  }
}

/** Programs that run scripts; as pid 1 of a container they are not an init. */
const scriptRunners = /^(npm|npx|pnpm|yarn|bun|bunx|node|\w*sh)$/;

/** Process tree of this machine. */
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
  isInit: (pid) => pid === 1 && !scriptRunners.test(basename(readProc(pid, 'cmdline').split(/[\0 ]/, 1)[0] ?? '')),
  parentOfShell(pid) {
    if (readProc(pid, 'cmdline').split('\0')[1] !== '-c') return undefined;
    const [, parent] = /^.*\) \S (\d+) /s.exec(readProc(pid, 'stat')) ?? [];
    return parent === undefined ? undefined : Number(parent);
  },
};

/** Calls `onExit` once when npm or the shell between it and this program has ended, possibly before this call. Returns a function that stops the checks. */
export function watchNpm(tree: ProcessTree, clock: Clock, onExit: () => void): () => void {
  if (!isOneCommand(tree)) return () => {};
  const shell = tree.parent();
  const npm = tree.parentOfShell(shell);
  const isOrphan = tree.isInit(shell) || (npm !== undefined && tree.isInit(npm));
  const isRunning = (): boolean =>
    !isOrphan &&
    tree.parent() === shell &&
    tree.isAlive(shell) &&
    (npm === undefined || tree.parentOfShell(shell) === npm);
  const poll = (): void => {
    if (isRunning()) cancel = clock.after(pollInterval, poll);
    else onExit();
  };
  let cancel = clock.after(pollInterval, poll);
  return () => cancel();
}
