/** Scenarios in which a change of the spec is cut short, by a crash or a failed call. */

import type { Call, FaultPlan } from '../observation/effect.ts';
import type { Subject } from '../subject/subject.ts';
import { expectCompleted, mayAsk } from './case.ts';
import { expectGone, type HappyPath, inContext } from './expected-end.ts';
import { descriptionsOf, listed } from './remote-objects.ts';
import { fail } from './report.ts';
import { Scenario } from './scenario.ts';

/** Effects and calls of a scenario with a change of the spec, and where that begins among them. */
export interface EditPath {
  readonly effects: HappyPath['effects'];
  readonly calls: readonly Call[];
  /** External objects of a workspace that is created with the changed spec. */
  readonly expected: readonly string[];
  /** Numbers of the effects and of the calls before the change, and before the deletion. */
  readonly from: { readonly effect: number; readonly call: number };
  readonly to: { readonly effect: number; readonly call: number };
}

const likely =
  'a change is recorded as done before it is carried out (by checkpoint, or in refs), or is added to what is there: carry it out first, set each member to what is wanted, and answer refs of what is there then; each step works on what an earlier attempt has left';

const positionIn = ({ effects }: Scenario) => ({ effect: effects.done.length, call: effects.calls.length });

/** Returns the external objects of a workspace that is created with the changed spec; undefined where it is not Completed. */
const expectedOf = (subject: Subject): Promise<readonly string[] | undefined> =>
  Scenario.during(subject, async (scenario) => {
    await scenario.create(subject.edited);
    await scenario.comesTo(['Completed', 'Error']);
    return scenario.condition.startsWith('Completed') ? scenario.describeRemote() : undefined;
  });

/** Changes the spec of a settled workspace, and waits until the external objects match it. @throws Finding when they never do */
async function editAndSettle(scenario: Scenario, expected: readonly string[]): Promise<void> {
  await scenario.edit(scenario.subject.edited!);
  const isThere = async () => {
    scenario.condition = await scenario.readCondition();
    if (mayAsk(scenario.subject) && scenario.condition.startsWith('Unknown')) return true;
    const there = descriptionsOf(await scenario.remote()).join('\n');
    return scenario.condition.startsWith('Completed:') && there === expected.join('\n');
  };
  if (await scenario.until(isThere)) return;
  const there = listed(await scenario.remote());
  fail(`it says ${scenario.condition}, and the third party has ${there} instead of ${listed(expected)}`, likely);
}

/** Runs a scenario with a change of the spec, without faults. @returns undefined where there is no change, or it makes no difference */
export async function runEditPath(subject: Subject): Promise<EditPath | undefined> {
  if (subject.edited === undefined || subject.time === 'real' || subject.target === 'cluster') return undefined;
  const expected = await expectedOf(subject);
  if (expected === undefined) return undefined;
  return inContext('after a change of the spec, without any fault', () =>
    Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        await expectCompleted(scenario);
        await scenario.work(4);
        const from = positionIn(scenario);
        await editAndSettle(scenario, expected);
        const { effects } = scenario;
        return { effects: effects.done, calls: effects.calls, expected, from, to: positionIn(scenario) };
      },
      { recordsChanges: true },
    ),
  );
}

/** Runs a scenario with a change of the spec that is cut short: it is carried out all the same, and all goes with the workspace. @throws Finding */
export const runWithEdit = (subject: Subject, { expected }: EditPath, [when, plan]: readonly [string, FaultPlan]) =>
  inContext(`after a change of the spec, ${when}`, () =>
    Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        await expectCompleted(scenario);
        await scenario.work(4);
        await editAndSettle(scenario, expected);
        await expectGone(scenario, mayAsk(subject));
      },
      plan,
    ),
  );
