import { createInterface } from 'node:readline';

/** What this program was started with. */
export const parameters = <T>(): T => JSON.parse(process.argv[2] ?? '{}') as T;

/** Says one thing to whoever started this program. */
export const say = (what: unknown): void => {
  process.stdout.write(`${JSON.stringify(what)}\n`);
};

/** Answers each question until there are no more, which is when this program should end. */
export async function answer(reply: (question: unknown) => unknown): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) say((await reply(JSON.parse(line))) ?? null);
}
