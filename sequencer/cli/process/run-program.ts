/** Runs a program as a child process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { processTree, watchNpm } from '../../../sdk/host/index.ts';
import { messageOf, systemClock, UserError } from '../../../sdk/index.ts';

/** Program to run in place of this one. */
export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to this process's environment. */
  readonly env: NodeJS.ProcessEnv;
  /** True when the terminal sends Ctrl-C to the program itself, so that it is not passed on. */
  readonly hasTerminal: boolean;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const hints: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program on the PATH; on Windows scripts are run by cmd /c',
  EACCES: 'it is not executable',
};

/** Forwards signals and the end of npm to a program, and keeps this process alive, until the returned function is called. */
function forwardSignals(child: ChildProcess, hasTerminal: boolean): () => void {
  const listeners = signals.map((signal) => {
    const forward = (): void => {
      if (signal !== 'SIGINT' || !hasTerminal) child.kill(signal);
    };
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  const leave = watchNpm(processTree, systemClock, () => child.kill('SIGTERM'));
  return () => {
    for (const stop of [leave, ...listeners]) stop();
  };
}

/**
 * Runs a program with this process's input, output and signals. Resolves with its exit code, or 128 plus the signal's number. @throws UserError
 * E#2036 if it cannot be started
 */
export async function runProgram({ command, args, env, hasTerminal }: ProgramOptions): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  const leave = forwardSignals(child, hasTerminal);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  } catch (error) {
    const { code = '' } = error as { readonly code?: string };
    const hint = Object.hasOwn(hints, code) ? { hint: hints[code]! } : {};
    throw new UserError('E#2036', `cannot run ${command}: ${messageOf(error)}`, { ...hint, cause: error });
  } finally {
    leave();
  }
}
