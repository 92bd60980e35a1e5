/** Records and replays a server's answers. */

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Answer } from './ask.ts';
import type { Respondent } from './run.ts';
import type { Scenario } from './scenario.ts';

/** Answers of a server to the steps of each scenario. */
export type Recording = ReadonlyMap<string, readonly Answer[]>;

/** Records a server's answers in `lines`: one line of JSON per scenario. */
export function noting(answerer: Respondent, { name }: Scenario, lines: Map<string, Answer[]>): Respondent {
  const answers: Answer[] = [];
  lines.set(name, answers);
  return {
    async answer(step) {
      const answer = await answerer.answer(step);
      answers.push(answer);
      return answer;
    },
  };
}

/** Formats a recording as lines. */
export const linesOf = (recording: Recording): string =>
  [...recording].map(([name, answers]) => `${JSON.stringify({ name, answers })}\n`).join('');

/** Reads the output of `linesOf`. */
export async function readRecording(path: string): Promise<Recording> {
  const recording = new Map<string, readonly Answer[]>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { name, answers } = JSON.parse(line) as { name: string; answers: readonly Answer[] };
    recording.set(name, answers);
  }
  return recording;
}

/** Answers from a recording. Throws when the scenario was not recorded. */
export function replaying(recording: Recording, { name }: Scenario): Respondent {
  const answers = recording.get(name);
  if (answers === undefined) throw new Error(`the scenario "${name}" was not recorded: run main.ts with --record`);
  let next = 0;
  return {
    async answer() {
      const answer = answers[next];
      next += 1;
      if (answer === undefined) throw new Error(`step ${next - 1} of "${name}" was not recorded`);
      return answer;
    },
  };
}
