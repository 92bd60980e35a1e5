/** Cases of a third party that fails, refuses or throttles. */

import { describeFault, type Fault } from '../observation/faults.ts';
import { type Case, expectCompleted, mayAsk } from '../scenario/case.ts';
import { runEditPath, runWithEdit } from '../scenario/edit-sweep.ts';
import { runAll } from '../scenario/expected-end.ts';
import { listed } from '../scenario/remote-objects.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import { faultsOfCall, faultsOfLaterCall, faultsOfSearch, sweep } from '../scenario/sweep.ts';
import type { FailureClass } from '../subject/failures.ts';
import type { Subject } from '../subject/subject.ts';

const lackingFailure =
  (failure: FailureClass) =>
  ({ failures }: Subject): string | undefined =>
    failures?.[failure] === undefined ? `the subject declares no failures.${failure}` : undefined;

/** Injects faults of these kinds into one call after the other, each in a scenario of its own. */
async function sweepFaults(subject: Subject, kinds: readonly Fault[], mayAsk: boolean): Promise<void> {
  await sweep(subject, { mayAsk, faults: (call, nth) => faultsOfCall(call, nth, { kinds, subject }) });
}

/** Refuses one call after the other; where the same function has created something before it, also with the workspace deleted meanwhile. */
async function refused(subject: Subject): Promise<void> {
  await sweep(subject, {
    mayAsk: false,
    faults: (call, nth) => [...faultsOfCall(call, nth, { kinds: ['definite'], subject }), ...faultsOfLaterCall(call)],
  });
}

const reports: Case = {
  name: 'reports',
  title: 'reports a third party that refuses, lets nothing go meanwhile, and continues when it is over',
  lacks: lackingFailure('definite'),
  prove: (subject) =>
    Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        const came = await scenario.comesTo(['Error']);
        expect(
          came,
          `everything is refused, and the condition is not Error: ${scenario.condition}`,
          scenario.condition.startsWith('Completed')
            ? 'a refused call counts as success: look at the status of each answer, and throw DefiniteError for a no, or what errorOfResponse makes'
            : 'a refusal is not distinguished from other failures: throw DefiniteError for it, or what errorOfResponse makes',
        );
        expect(
          /^Error: \S/.test(scenario.condition),
          'everything is refused, and the condition gives no reason',
          'the error has no message: say what was asked, and what the third party answered',
        );
        scenario.effects.removeFaults();
        const { length } = scenario.effects.calls;
        const recovers = await scenario.comesTo(['Completed']);
        expect(
          recovers || scenario.effects.calls.length > length,
          `it never was Completed: ${scenario.condition}; nothing was asked since the third party refuses nothing any more`,
          ...(!scenario.record.hasGivenUp && scenario.record.thrown.some(({ name }) => name === 'reconcile')
            ? [
                'an error is kept and thrown again, as by a promise or a client that is made once: ask again in each call',
              ]
            : []),
        );
        await expectCompleted(scenario);
        scenario.effects.plan = { fault: () => ({ kind: 'definite' }) };
        await scenario.delete();
        await scenario.work();
        const left = await scenario.remote();
        if ((await scenario.read()) === undefined && left.length > 0)
          fail(
            `its removal was refused, and the workspace went all the same: ${listed(left)} leaked`,
            'a removal that failed counts as one: let its error out of delete, or out of the task of terminate',
          );
        const isReported = left.length === 0 || (await scenario.comesTo(['Deleting, Error']));
        expect(
          isReported,
          `its removal was refused, and the condition is not Error: ${scenario.condition}`,
          'a removal that fails is reported by its error: let it out of delete, or out of the task of terminate; "deleting" is for what goes by itself',
        );
        scenario.effects.removeFaults();
        if (!(await scenario.comesTo(['Gone']))) fail(`the workspace was never gone: ${scenario.condition}`);
        const leaked = await scenario.remote();
        expect(
          leaked.length === 0,
          `leaked: ${listed(leaked)}`,
          'a removal that failed once is not tried again: throw its error, so that it is',
        );
      },
      { fault: () => ({ kind: 'definite' }) },
    ),
};

const definite: Case = {
  name: 'definite',
  title: 'recovers from the refusal of any one call',
  lacks: lackingFailure('definite'),
  prove: refused,
};

/** Loses each call by which a change of the spec is carried out, or its answer. */
async function lostDuringEdit(subject: Subject): Promise<void> {
  const path = await runEditPath(subject);
  if (path === undefined) return;
  const scenarios = path.calls.slice(0, path.to.call).flatMap(({ name, changed }, index) => {
    if (index < path.from.call || !changed) return [];
    return (['lost before', 'lost after'] as const).map((kind) => () => {
      const when = `call ${index + 1} (${name}) ${describeFault({ kind })}`;
      return runWithEdit(subject, path, [when, { fault: (nth) => (nth === index + 1 ? { kind } : undefined) }]);
    });
  });
  await runAll(scenarios);
}

const ambiguous: Case = {
  name: 'ambiguous',
  title: 'makes nothing twice and loses nothing when any one call or its answer is lost',
  lacks: lackingFailure('ambiguous'),
  async prove(subject) {
    const kinds = ['lost before', 'lost after'] as const;
    await sweep(subject, {
      mayAsk: mayAsk(subject),
      faults: (call, nth) => [...faultsOfCall(call, nth, { kinds, subject }), ...faultsOfSearch(call)],
    });
    await lostDuringEdit(subject);
  },
};

const throttled: Case = {
  name: 'throttled',
  title: 'waits for a third party that throttles',
  lacks: lackingFailure('throttled'),
  prove: async (subject) => {
    await Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        const came = await scenario.comesTo(['Waiting', 'Error', 'Unknown']);
        if (!came || !scenario.condition.startsWith('Waiting'))
          fail(
            `the third party throttles, and the condition is not Waiting: ${scenario.condition}`,
            'throttling is not distinguished from other failures: throw ThrottledError, or what errorOfResponse makes',
          );
      },
      { fault: () => ({ kind: 'throttled' }) },
    );
    await sweepFaults(subject, ['throttled'], false);
  },
};

const signal: Case = {
  name: 'signal',
  title: 'honours its signal',
  lacks: ({ target }) => (target === 'cluster' ? 'its calls are the controller’s, which honours it' : undefined),
  prove: (subject) => sweepFaults(subject, ['hang', 'silent'], mayAsk(subject)),
};

/** Cases of a failing third party. */
export const failureCases: readonly Case[] = [reports, definite, ambiguous, throttled, signal];
