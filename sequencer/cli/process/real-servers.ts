/** Plays the preview example with real servers, which a checkout can start. */

import { existsSync } from 'node:fs';
import { UserError } from '../../../sdk/index.ts';
import type { Invocation } from '../args/command.ts';
import { packagePath } from '../args/config.ts';
import { runProgram } from './run-program.ts';

/** Options that are valid with `--real`; the example provides the cluster and the config. */
const supportedOptions = ['timeout', 'log-level', 'page'] as const;

/** Returns the arguments for the example. @throws UserError E#2001 for unsupported options */
export function realArguments({ values, flags, operands }: Invocation): readonly string[] {
  const names = Object.keys(values).filter((name) => values[name] !== undefined);
  const other =
    names.find((name) => !supportedOptions.some((one) => one === name)) ??
    (flags.has('control') ? 'control' : undefined);
  if (other !== undefined || operands.length > 0)
    throw new UserError(
      'E#2001',
      `sequencer dev: ${other === undefined ? operands[0] : `--${other}`} has no meaning with --real`,
      {
        hint: '--real runs examples/preview with its own servers and config',
      },
    );
  return [
    ...['once', 'keep'].filter((name) => flags.has(name)).map((name) => `--${name}`),
    ...supportedOptions.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]])),
  ];
}

/** Starts real servers, plays the preview example with them, and resolves with its exit code. @throws UserError E#2001 outside of a checkout */
export async function playWithRealServers(
  invocation: Invocation,
  program: string = packagePath('test/system/real/preview.ts'),
): Promise<number> {
  const args = realArguments(invocation);
  if (!existsSync(program))
    throw new UserError('E#2001', 'sequencer dev: --real needs a checkout of the repository', {
      hint: 'only the repository can start the servers: clone it, then npm ci and npx node test/system/real/build.ts',
    });
  const all = ['--conditions=source', '--disable-warning=ExperimentalWarning', program, ...args];
  return runProgram({ command: process.execPath, args: all, env: {}, hasTerminal: process.stdin.isTTY });
}
