/** Case of drift: external objects are deleted or changed from outside, and corrected. */

import type { CrashPoint } from '../observation/effect.ts';
import { type Case, expectCompleted, expectDeleted, expectRemote, lacking, mayAsk } from '../scenario/case.ts';
import { inContext, runAll } from '../scenario/expected-end.ts';
import { descriptionsOf, listed } from '../scenario/remote-objects.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';
import { crashPointsOf, describeCrashPoint } from './crash-case.ts';

/** Range of a scenario's effects that belong to a correction: those after `from`, up to `to`. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly effects: Scenario['effects']['done'];
}

/** Limit of the external changes: in real time one may be corrected before it is read. */
const maxSpoils = 3;

/** Reports whether an external change was made. */
async function hasDrifted(scenario: Scenario, before: readonly string[]): Promise<boolean> {
  for (let count = 0; count < maxSpoils; count += 1) {
    await scenario.causeDrift();
    if (descriptionsOf(await scenario.remote()).join('\n') !== before.join('\n')) return true;
  }
  return false;
}

/** Makes an external change and waits until it is corrected or, where a crash may leave an unknown outcome, until the condition is Unknown. */
const driftScenario = (
  subject: Subject,
  { crash, crashes }: { crash?: CrashPoint; crashes?: boolean } = {},
): Promise<Span> =>
  Scenario.during(
    subject,
    async (scenario) => {
      await scenario.create();
      const before = await expectCompleted(scenario);
      const from = scenario.effects.done.length;
      expect(
        await hasDrifted(scenario, before),
        'causeDrift changed nothing at the third party',
        'causeDrift of the subject has to remove or change what exists, as another client would',
      );
      if (crashes) scenario.crash();
      const rests = mayAsk(subject) && crash !== undefined ? /^(Completed|Unknown):/ : /^Completed:/;
      const isBack = async () => {
        scenario.condition = await scenario.readCondition();
        if (!rests.test(scenario.condition)) return false;
        return (
          scenario.condition.startsWith('Unknown') || (await scenario.describeRemote()).join('\n') === before.join('\n')
        );
      };
      if (!(await scenario.until(isBack))) {
        await expectRemote(scenario, before, {
          when: 'after a change outside',
          likely:
            'the integration does not look, or the look does not tell what there is: give the resource observe and driftInterval, and answer from the third party what can be read, undefined for what is gone',
        });
        fail(`what was changed outside was corrected, and the condition says ${scenario.condition}`);
      }
      const to = scenario.effects.done.length;
      if (scenario.condition.startsWith('Completed')) await expectDeleted(scenario);
      return { from, to, effects: scenario.effects.done };
    },
    crash === undefined ? {} : { crash },
  );

/** Makes an external change and deletes the workspace at once: what is left of its own goes all the same. */
const deletedAfterDrift = (subject: Subject): Promise<void> =>
  Scenario.during(subject, async (scenario) => {
    await scenario.create();
    const before = await expectCompleted(scenario);
    await hasDrifted(scenario, before);
    await scenario.delete();
    const isGone = await scenario.comesTo(['Gone']);
    expect(
      isGone,
      `deleted after a change outside, the workspace was never gone: ${scenario.condition}`,
      'delete throws for what was removed or changed outside: what is gone is deleted, and what is ours goes as it is',
    );
    const left = await scenario.remote();
    expect(
      left.length === 0,
      `deleted after a change outside, ${listed(left)} is left`,
      'delete goes by the id, and by the mark where it looks: what an object is like is no reason to leave it there',
    );
  });

/** Returns the crash points of a correction; none in real time, where scenarios differ. */
const repairCrashPoints = ({ from, to, effects }: Span, subject: Subject): readonly CrashPoint[] =>
  subject.time === 'real' ? [] : crashPointsOf(effects.slice(0, to), subject, from);

/** Case of drift: external objects are deleted or changed from outside. */
export const driftCase: Case = {
  name: 'fixes',
  title: 'corrects what was changed outside, whenever it dies meanwhile',
  lacks: lacking('drift'),
  async prove(subject) {
    const happyPath = await driftScenario(subject);
    await driftScenario(subject, { crashes: true });
    await deletedAfterDrift(subject);
    await runAll(
      repairCrashPoints(happyPath, subject).map(
        (crash) => () =>
          inContext(
            `crashed ${describeCrashPoint(happyPath.effects, crash)}`,
            async () => void (await driftScenario(subject, { crash })),
          ),
      ),
    );
  },
};
