/** Recognizes container commands that can be emulated. */

import type { Container } from '../pods/pod.ts';

/** Emulated run of a container. */
export interface KnownCommand {
  /** Duration of the run, in ms. */
  readonly runs: number;
  readonly exitCode: number;
}

const endless: KnownCommand = { runs: Number.POSITIVE_INFINITY, exitCode: 0 };
const atOnce: KnownCommand = { runs: 0, exitCode: 0 };

type Reader = (match: RegExpExecArray) => KnownCommand;

const knownCommands: readonly (readonly [pattern: RegExp, read: Reader])[] = [
  [/^(?:\/\S*\/)?sleep (\d+(?:\.\d+)?)$/, ([, seconds]) => ({ runs: Number(seconds) * 1000, exitCode: 0 })],
  [/^(?:\/\S*\/)?sleep inf(?:inity)?$/, () => endless],
  [/^(?:trap [^;]*; ?)?while (?:true|:|sleep \d+); ?do [^;]*; ?done$/, () => endless],
  [/^exit (\d+)$/, ([, code]) => ({ runs: 0, exitCode: Number(code) & 255 })],
  [/^(?:\/\S*\/)?false$/, () => ({ runs: 0, exitCode: 1 })],
  [/^(?:\/\S*\/)?(?:true|date|hostname|echo(?: [^;&|<>$`]*)?)$/, () => atOnce],
];

const wordsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Returns the script of `sh -c`, or the words of the command. */
function lineOf({ command, args }: Container): string {
  const words = [...wordsOf(command), ...wordsOf(args)];
  const isShell = words.length === 3 && /^(?:\/\S*\/)?(?:ba|da)?sh$/.test(words[0]!) && words[1] === '-c';
  return (isShell ? words[2]! : words.join(' ')).trim();
}

/**
 * Returns the run of a known command (`sleep 30`, `exit 1`, `true`, `echo hello`), alone or in a shell; undefined for
 * others. Pause containers never end.
 */
export function knownCommandOf(container: Container): KnownCommand | undefined {
  const line = lineOf(container);
  if (line === '') return /(?:^|\/)pause(?:[:@]|$)/.test(container.image ?? '') ? endless : undefined;
  for (const [pattern, read] of knownCommands) {
    const match = pattern.exec(line);
    if (match !== null) return read(match);
  }
  return undefined;
}

/** Returns the run of a task; an unknown command succeeds at once. */
export const commandOf = (container: Container): KnownCommand => knownCommandOf(container) ?? atOnce;
