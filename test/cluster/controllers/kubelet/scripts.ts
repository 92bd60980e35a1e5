import type { Container } from '../pods/pod.ts';

/** What a container would do that only sleeps or exits. */
export interface Script {
  /** How long it runs, in ms. */
  readonly runs: number;
  readonly exitCode: number;
}

const endless: Script = { runs: Number.POSITIVE_INFINITY, exitCode: 0 };
const atOnce: Script = { runs: 0, exitCode: 0 };

type Reader = (match: RegExpExecArray) => Script;

const scripts: readonly (readonly [pattern: RegExp, read: Reader])[] = [
  [/^(?:\/\S*\/)?sleep (\d+(?:\.\d+)?)$/, ([, seconds]) => ({ runs: Number(seconds) * 1000, exitCode: 0 })],
  [/^(?:\/\S*\/)?sleep inf(?:inity)?$/, () => endless],
  [/^(?:trap [^;]*; ?)?while (?:true|:|sleep \d+); ?do [^;]*; ?done$/, () => endless],
  [/^exit (\d+)$/, ([, code]) => ({ runs: 0, exitCode: Number(code) & 255 })],
  [/^(?:\/\S*\/)?false$/, () => ({ runs: 0, exitCode: 1 })],
  [/^(?:\/\S*\/)?(?:true|date|hostname|echo(?: [^;&|<>$`]*)?)$/, () => atOnce],
];

const wordsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** The line that a shell is given, or else the words of a command. */
function lineOf({ command, args }: Container): string {
  const words = [...wordsOf(command), ...wordsOf(args)];
  const isShell = words.length === 3 && /^(?:\/\S*\/)?(?:ba|da)?sh$/.test(words[0]!) && words[1] === '-c';
  return (isShell ? words[2]! : words.join(' ')).trim();
}

/** What a container does when its command is one of a few: `sleep 30`, `exit 1`, `true`, `echo hello`, alone or in a shell; undefined when it is not known. Pause containers never end. */
export function knownScriptOf(container: Container): Script | undefined {
  const line = lineOf(container);
  if (line === '') return /(?:^|\/)pause(?:[:@]|$)/.test(container.image ?? '') ? endless : undefined;
  for (const [pattern, read] of scripts) {
    const match = pattern.exec(line);
    if (match !== null) return read(match);
  }
  return undefined;
}

/** What a container does that is meant to end: what is not known is done at once. */
export const scriptOf = (container: Container): Script => knownScriptOf(container) ?? atOnce;
