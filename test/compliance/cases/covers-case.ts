/** Case of coverage: each function of an integration is called in some scenario. */

import { coverageOf } from '../observation/coverage.ts';
import type { FunctionName } from '../observation/invocations.ts';
import type { Case } from '../scenario/case.ts';
import { expect } from '../scenario/report.ts';
import { restore } from '../scenario/restore.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';

/** Likely reasons why a function was never called. */
const whyNever: Readonly<Partial<Record<FunctionName, string>>> = {
  update:
    'edited is missing, or wants an object of another name (nameOf), so that one goes and another is made: let edited change a member of the same object; or leave update out',
  find: 'nothing was ever looked for: declare failures.ambiguous',
  findAll: 'nothing was ever looked for: declare failures.ambiguous',
  observe: 'nothing was ever looked at: give the resource a driftInterval, so that what is changed outside is noticed',
  replaceMark: 'no object of it was taken over after a restore',
  secretOf: 'create never answers a secret; answer it as secret, or leave secretOf out',
  recover:
    'no attempt of the guard was ever left open: declare failures.ambiguous; or the integration looks by itself and never comes to its guard',
  task: 'no guard was ever run: call the third party in controller.guard, or by a resource',
};

const rests = ['Completed', 'Unknown', 'Error', 'Gone'];

/** Runs a scenario with an edit, drift, a lost journal and a deletion. */
const longScenario = (subject: Subject): Promise<number | undefined> =>
  Scenario.during(
    subject,
    async (scenario) => {
      await scenario.create();
      await scenario.comesTo(rests);
      const first = scenario.effects.calls.findIndex(({ changed }) => changed);
      if (subject.edited !== undefined) await scenario.edit(subject.edited);
      await scenario.work();
      await scenario.comesTo(rests);
      if (subject.drift !== undefined) await scenario.causeDrift();
      await scenario.wait(subject.drift === undefined ? 0 : 120_000);
      await scenario.journal(null);
      await scenario.work();
      await scenario.comesTo([...rests, 'Waiting']); // deleted meanwhile, so that recovery calls observe
      await scenario.delete();
      await scenario.comesTo(['Gone', 'Deleting, Unknown']);
      return first === -1 ? undefined : first + 1;
    },
    { recordsChanges: true },
  );

/** Runs a scenario in which the response to the first change is lost. */
const lostAnswerScenario = (subject: Subject, nth: number): Promise<void> =>
  Scenario.during(
    subject,
    async (scenario) => {
      await scenario.create();
      await scenario.comesTo(rests);
    },
    { fault: (call) => (call === nth ? { kind: 'lost after' } : undefined) },
  );

/** Runs a scenario with a restore from a backup: another uid, no status. */
const restoredScenario = (subject: Subject): Promise<void> =>
  Scenario.during(subject, async (scenario) => {
    await scenario.create();
    await scenario.comesTo(rests);
    await restore(scenario, true);
    await scenario.comesTo(rests);
    await scenario.work();
    await scenario.comesTo(rests);
  });

/** Case of coverage: each function is called in some scenario. */
export const coversCase: Case = {
  name: 'covers',
  title: 'has no function that is never called',
  lacks: ({ time }) => (time === 'real' ? 'proved in virtual time' : undefined),
  async prove(subject) {
    const first = await longScenario(subject);
    if (first !== undefined && subject.failures?.ambiguous !== undefined) await lostAnswerScenario(subject, first);
    const uncalled = coverageOf(subject).neverCalled();
    if (uncalled.includes('replaceMark')) await restoredScenario(subject); // only replaceMark may be called there alone
    const late = coverageOf(subject).neverCalled();
    const never = uncalled.filter(
      (name) => name !== 'checkpoint' && (name !== 'replaceMark' || late.includes(name)), // a task of one step needs no checkpoint
    );
    expect(
      never.length === 0,
      `in a scenario with a change, a lost answer, a lost journal and a deletion, and after a restore, the sequencer never called ${never.join(', ')}`,
      ...never.map((name) => `${name}: ${whyNever[name] ?? 'reconcile or terminate never comes to it'}`),
    );
  },
};
