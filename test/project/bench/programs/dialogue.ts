/** Exchanges lines of JSON with the process that started this one. */

import { createInterface } from 'node:readline';

/** Parameters of this program. */
export const parameters = <T>(): T => JSON.parse(process.argv[2] ?? '{}') as T;

/** Sends one message to the parent process. */
export const say = (what: unknown): void => {
  process.stdout.write(`${JSON.stringify(what)}\n`);
};

/** Answers each question until the input ends; the program should end then. */
export async function answer(reply: (question: unknown) => unknown): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) say((await reply(JSON.parse(line))) ?? null);
}
