/** Questions to the user of a terminal. */

import { createInterface } from 'node:readline/promises';
import { suggestName } from '../../../sdk/host/index.ts';
import { UserError } from '../../../sdk/index.ts';
import type { NameMistake } from './names.ts';

/** Prompt with a default. */
export interface Prompt {
  readonly text: string;
  readonly default: string;
  /** Allowed answers, each with its explanation. @default any */
  readonly choices?: Readonly<Record<string, string>>;
  /** Describes an invalid answer. @default all are valid */
  readonly mistake?: (answer: string) => NameMistake | undefined;
}

/** Describes an answer that is not among the choices, or that the question refuses. */
export function mistakeInAnswer(answer: string, { choices, mistake }: Prompt): NameMistake | undefined {
  if (choices === undefined || Object.hasOwn(choices, answer)) return mistake?.(answer);
  const names = Object.keys(choices);
  const meant = suggestName(answer, names);
  return {
    what: `it is one of ${names.join(', ')}; found ${JSON.stringify(answer.slice(0, 60))}`,
    next: meant === undefined ? 'Enter takes the default' : `did you mean ${meant}?`,
  };
}

/** Sequential prompts. */
export interface Asker extends Disposable {
  /** Prompts until the answer is valid; an empty one selects the default. @throws UserError E#2001 at the end of the input, or on Ctrl-C */
  ask(prompt: Prompt): Promise<string>;
}

/** Creates an asker on a terminal. */
export function createAsker(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Asker {
  const lines = createInterface({ input, output });
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  return {
    async ask(prompt) {
      const width = Math.max(...Object.keys(prompt.choices ?? {}).map((choice) => choice.length));
      for (const [choice, does] of Object.entries(prompt.choices ?? {}))
        output.write(`  ${choice.padEnd(width)}  ${does}\n`);
      for (;;) {
        const { signal } = closed;
        const typed = await lines.question(`${prompt.text} (${prompt.default}) `, { signal }).catch((cause) => {
          throw new UserError('E#2001', 'the prompts were not completed; nothing was written', {
            hint: '--yes takes the defaults',
            cause,
          });
        });
        const answer = typed.trim() || prompt.default;
        const mistake = mistakeInAnswer(answer, prompt);
        if (mistake === undefined) return answer;
        output.write(`  ${mistake.what}\n  ${mistake.next}\n`);
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}

/** Asker that returns the default of every prompt. */
export const withoutQuestions: Asker = {
  ask: async (prompt) => prompt.default,
  [Symbol.dispose]: () => undefined,
};
