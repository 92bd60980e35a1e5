import type { CaseName } from './case-names.ts';
import { inWords, type Life } from './life.ts';
import { expect, fail } from './report.ts';
import type { Subject, Thing } from './subject.ts';

/** One thing every integration has to do. */
export interface Case {
  readonly name: CaseName;
  readonly title: string;
  /** What the subject would have to declare; undefined when it says enough. */
  readonly lacks?: (subject: Subject) => string | undefined;
  /** @returns why it proves nothing about this subject, if it does not @throws Finding in the words of whoever writes integrations */
  prove(subject: Subject): Promise<string | void>;
}

/** Says that a member is not declared. */
export const lacking =
  (member: keyof Subject) =>
  (subject: Subject): string | undefined =>
    subject[member] === undefined ? `the subject declares no ${member}` : undefined;

/** Whether a death in the middle of an attempt leaves a question that only a person can answer: nothing can be found again. */
export const mayAsk = ({ identity }: Subject): boolean => identity === 'opaque';

/** Things, in words. */
export const listed = (things: readonly Thing[]): string =>
  things.length === 0
    ? 'nothing'
    : things.map((thing) => (typeof thing === 'string' ? thing : `${thing.id} (${thing.what})`)).join(', ');

/** Lets it come to `Completed`. @returns what exists then, in words */
export async function arrive(life: Life): Promise<readonly string[]> {
  if (!(await life.comesTo(['Completed']))) fail(`it never was Completed: ${life.condition}`);
  return life.words();
}

/** Deletes the workspace, lets it go, and looks for what is left. */
export async function vanish(life: Life): Promise<void> {
  await life.delete();
  if (!(await life.comesTo(['Gone']))) fail(`the workspace was never gone: ${life.condition}`);
  const left = await life.remote();
  expect(
    left.length === 0,
    `leaked: ${listed(left)} is still there after the workspace is gone`,
    'something is not taken away: delete, or the task of terminate, has to remove all that was made, and to answer once it is gone ("deleting" until then)',
  );
}

/** Fails unless just this exists. */
export async function has(
  life: Life,
  expected: readonly string[],
  { when, likely }: { readonly when: string; readonly likely: string },
): Promise<void> {
  const remote = await life.remote();
  if (inWords(remote).join('\n') === expected.join('\n')) return;
  fail(`${when} the third party has ${listed(remote)} instead of ${listed(expected)}`, likely);
}
