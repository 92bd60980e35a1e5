/** Reports a config that ends the process while it is loaded. */

import { framesOfAuthor, isPackageFrame } from '../output/author-frames.ts';

/** Process that a config may end: `process`, or a test double. */
export interface ExitingProcess {
  readonly stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
  on(event: 'exit', listener: (code: number) => void): unknown;
  off(event: 'exit', listener: (code: number) => void): unknown;
}

/** Reports whether this package ends the process, at the end of a command or a second Ctrl-C, by the callers in the stack below the listener. */
const isOwnExit = (stack: string): boolean =>
  stack.split('\n').filter((line) => !/^\s*at async /.test(line) && isPackageFrame(line)).length > 1;

/** Reports an exit of the process as an error of the config `file`, with exit code 1 in place of 0, until disposed. */
export function watchExit(file: string, exiting: ExitingProcess = process): Disposable {
  const onExit = (code: number): void => {
    const { stack = '' } = new Error();
    if (isOwnExit(stack)) return;
    const lines = [
      `error E#2011: config ${file} does not load: it has ended the process, with process.exit(${code})`,
      ...framesOfAuthor(stack).map((line) => `  ${line}`),
      '  throw an Error instead, which says what is missing',
    ];
    exiting.stderr.write(`${lines.join('\n')}\n`);
    if (code === 0) exiting.exitCode = 1;
  };
  exiting.on('exit', onExit);
  return { [Symbol.dispose]: () => void exiting.off('exit', onExit) };
}
