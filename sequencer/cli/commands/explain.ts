/** The command `sequencer explain`: prints the description of an error code. */

import { readFile } from 'node:fs/promises';
import { suggestName } from '../../../sdk/host/index.ts';
import { UserError } from '../../../sdk/index.ts';
import { type Command, commonOptions } from '../args/command.ts';
import { packagePath } from '../args/config.ts';
import { type ErrorEntry, errorEntriesOf } from '../output/error-docs.ts';

const width = 100;

/** Breaks a text into lines of a terminal, each after an indent. */
function wrapLines(text: string, indent: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

const entryLines = ({ code, description, remedy, example }: ErrorEntry): readonly string[] => [
  code,
  '',
  ...wrapLines(description, '  '),
  '',
  'What to do',
  ...wrapLines(remedy, '  '),
  ...(example === undefined ? [] : ['', 'Example', ...example.split('\n').map((line) => `  ${line}`.trimEnd())]),
];

const summaryLine = ({ code, description }: ErrorEntry): string => {
  const line = `${code}  ${description}`;
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
};

/** Returns the entry of a code, written as E#2003, E2003 or 2003. @throws UserError E#2001 with the nearest code, for an unknown one */
function entryOf(entries: readonly ErrorEntry[], text: string): ErrorEntry {
  const code = text.replace(/^e?#?(?=\d)/i, 'E#');
  const entry = entries.find((one) => one.code === code);
  if (entry !== undefined) return entry;
  const codes = entries.map((one) => one.code);
  const meant = suggestName(code, codes);
  throw new UserError('E#2001', `sequencer explain: unknown code ${JSON.stringify(text.slice(0, 60))}`, {
    hint:
      meant === undefined
        ? '`sequencer explain` lists all codes'
        : `did you mean ${meant}? \`sequencer explain\` lists all codes`,
  });
}

/** `sequencer explain`. */
export const explain: Command = {
  name: 'explain',
  summary: 'explain an error code and what to do about it',
  operands: '[CODE]...',
  options: { help: commonOptions.help },
  examples: [
    ['sequencer explain E#2003', 'one of them'],
    ['sequencer explain', 'all codes'],
  ],
  async run({ operands }) {
    const entries = errorEntriesOf(await readFile(packagePath('docs/errors.md'), 'utf8'));
    const lines =
      operands.length === 0
        ? entries.map(summaryLine)
        : operands.flatMap((code, index) => [...(index > 0 ? [''] : []), ...entryLines(entryOf(entries, code))]);
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  },
};
