/** Compliance cases and the assertions that they share. */

import type { CaseName } from '../subject/case-names.ts';
import type { Subject } from '../subject/subject.ts';
import { descriptionsOf, listed } from './remote-objects.ts';
import { expect, fail } from './report.ts';
import { Scenario } from './scenario.ts';

/** Compliance case. */
export interface Case {
  readonly name: CaseName;
  readonly title: string;
  /** Returns the declaration that the subject lacks; undefined when the case can run. */
  readonly lacks?: (subject: Subject) => string | undefined;
  /** @returns the reason why the case proves nothing about this subject, if so @throws Finding addressed to the integration's author */
  prove(subject: Subject): Promise<string | void>;
}

/** Reports a member that is not declared. */
export const lacking =
  (member: keyof Subject) =>
  (subject: Subject): string | undefined =>
    subject[member] === undefined ? `the subject declares no ${member}` : undefined;

/** Reports whether a crash during an attempt may end in `Unknown`, since external objects cannot be found again. */
export const mayAsk = ({ identity }: Subject): boolean => identity === 'opaque';

/** Waits for `Completed`. @returns the external objects in words */
export async function expectCompleted(scenario: Scenario): Promise<readonly string[]> {
  if (!(await scenario.comesTo(['Completed']))) fail(`it never was Completed: ${scenario.condition}`);
  return scenario.describeRemote();
}

/** Waits until the workspace is Ready, which the sequencer writes after `Completed`. */
export async function waitUntilSettled(scenario: Scenario): Promise<void> {
  await scenario.until(async () => {
    const { conditions = [] } = (await scenario.read())?.status ?? {};
    return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  });
}

/** Deletes the workspace and waits until it is gone. @throws Finding when external objects are left */
export async function expectDeleted(scenario: Scenario): Promise<void> {
  await scenario.delete();
  if (!(await scenario.comesTo(['Gone']))) fail(`the workspace was never gone: ${scenario.condition}`);
  const left = await scenario.remote();
  expect(
    left.length === 0,
    `leaked: ${listed(left)} is still there after the workspace is gone`,
    'something is not removed: delete, or the task of terminate, has to remove all that was made, and to answer once it is gone ("deleting" until then)',
  );
}

/** Runs `act` in a second scenario at the same time, with a third party of its own. @throws Finding when both have the same third party */
export async function withSecondScenario<T>(first: Scenario, act: (second: Scenario) => Promise<T>): Promise<T> {
  const before = await first.describeRemote();
  return Scenario.during(first.subject, async (second) => {
    const isApart =
      first.subject.time === 'real' ||
      ((await second.describeRemote()).length === 0 && before.join() === (await first.describeRemote()).join());
    expect(
      isApart,
      'a third party that is started while another is up shows what that one has, or removes it',
      'start answers one third party twice: up to two are up at once, and each begins with nothing in it. Where a server is shared, give each a place of its own there (an account, a project, a prefix), have the integration work in it, and let remote tell that place alone',
    );
    return act(second);
  });
}

/** Fails unless exactly these external objects exist. */
export async function expectRemote(
  scenario: Scenario,
  expected: readonly string[],
  { when, likely }: { readonly when: string; readonly likely: string },
): Promise<void> {
  const remote = await scenario.remote();
  if (descriptionsOf(remote).join('\n') === expected.join('\n')) return;
  fail(`${when} the third party has ${listed(remote)} instead of ${listed(expected)}`, likely);
}
