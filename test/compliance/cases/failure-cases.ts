/** Cases of a third party that fails, refuses or throttles. */

import type { Call, Fault, FaultOf } from '../observation/effects.ts';
import { readerOf } from '../observation/invocations.ts';
import { arrive, type Case, listed, mayAsk } from '../scenario/case.ts';
import { all, endsWell, expectGone, likelyChance, runHappyPath, telling } from '../scenario/expected-end.ts';
import { expectPatience } from '../scenario/patience.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import { type FailureClass, failuresOf } from '../subject/failures.ts';
import type { Subject } from '../subject/subject.ts';

const lackingFailure =
  (failure: FailureClass) =>
  ({ failures }: Subject): string | undefined =>
    failures?.[failure] === undefined ? `the subject declares no failures.${failure}` : undefined;

const words: Readonly<Record<Fault, string>> = {
  definite: 'was refused',
  throttled: 'was told to be patient',
  'lost before': 'was lost on its way',
  'lost after': 'was carried out and its answer lost',
  hang: 'got no answer',
};

/** Scenario with one faulty call. */
interface Broken extends FaultOf {
  /** Number of the call, from 1. */
  readonly nth: number;
  /** Deletes the workspace as soon as the call has failed. */
  readonly deleted?: boolean;
}

/**
 * Returns the faults to inject into a call: one for a call that changes nothing, for which it does not matter whether it was carried out; all for any
 * other, and one more with the workspace deleted at once.
 */
function breaks(call: Call, nth: number, { kinds, subject }: { kinds: readonly Fault[]; subject: Subject }) {
  const looks = readerOf(call.by) !== undefined || /^(GET|HEAD) /.test(call.name);
  const isRead = looks && !call.changed && subject.time !== 'real' && subject.reaches !== 'cluster';
  const variants = failuresOf(subject.failures ?? {}, 'ambiguous').map((_, variant) => variant);
  return kinds.flatMap((kind): readonly Broken[] => {
    if (kind !== 'lost after') return [{ nth, kind, variant: nth - 1 }];
    if (isRead) return [];
    return [...variants.map((variant) => ({ nth, kind, variant })), { nth, kind, deleted: true }];
  });
}

/** Injects faults into one call after the other, each in a scenario of its own. */
async function sweep(subject: Subject, kinds: readonly Fault[], mayAsk: boolean): Promise<void> {
  const { calls, expected, secrets } = await runHappyPath(subject);
  const live = ({ nth, deleted = false, ...fault }: Broken) =>
    Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        if (deleted) {
          await scenario.until(() => scenario.effects.calls.length >= nth);
          return expectGone(scenario, mayAsk);
        }
        await endsWell(scenario, { expected, secrets, mayAsk });
        const isMade = scenario.effects.calls.length >= nth || subject.time === 'real';
        expect(isMade, 'it was not made in another scenario', likelyChance);
        if (fault.kind === 'hang') expectHeard(scenario);
        if (subject.time !== 'real') expectPatience(scenario.effects.calls);
      },
      { fault: (call) => (call === nth ? fault : undefined) },
    );
  const told = ({ nth, kind, deleted }: Broken): string =>
    `call ${nth} (${calls[nth - 1]!.name}) ${words[kind]}${deleted ? ', and the workspace deleted at once' : ''}`;
  const broken = calls.flatMap((call, index) => breaks(call, index + 1, { kinds, subject }));
  await all(broken.map((one) => () => telling(told(one), () => live(one))));
}

/** Fails for a call that is still pending after its attempt was given up. */
function expectHeard({ effects }: Scenario): void {
  const call = effects.calls.find(({ fault, end }) => fault === 'hang' && end === undefined);
  if (call === undefined || call.signal?.aborted) return;
  fail(
    call.signal === undefined
      ? 'it was made without a signal, and outlives its lease'
      : 'its signal never aborted, and it outlives its lease',
    'a request that is not waited for any more may be carried out at any time: pass context.signal, not one of your own',
  );
}

const reports: Case = {
  name: 'reports',
  title: 'reports a third party that refuses, lets nothing go meanwhile, and goes on when it is over',
  lacks: lackingFailure('definite'),
  prove: (subject) =>
    Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        const came = await scenario.comesTo(['Error']);
        expect(
          came,
          `everything is refused, and the condition does not say Error: ${scenario.condition}`,
          'a no is not told from other failures: throw DefiniteError for it, or what errorOfResponse makes',
        );
        expect(
          /^Error: \S/.test(scenario.condition),
          'everything is refused, and the condition gives no reason',
          'the error has no message: say what was asked, and what the third party answered',
        );
        scenario.effects.happyPath();
        await arrive(scenario);
        scenario.effects.plan = { fault: () => ({ kind: 'definite' }) };
        await scenario.delete();
        await scenario.work();
        const left = await scenario.remote();
        if ((await scenario.read()) === undefined && left.length > 0)
          fail(
            `its removal was refused, and the workspace went all the same: ${listed(left)} leaked`,
            'a removal that failed counts as one: let its error out of delete, or out of the task of terminate',
          );
        const isTold = left.length === 0 || (await scenario.comesTo(['Deleting, Error']));
        expect(
          isTold,
          `its removal was refused, and the condition does not say Error: ${scenario.condition}`,
          'a removal that fails is told by its error: let it out of delete, or out of the task of terminate; "deleting" is for what goes by itself',
        );
        scenario.effects.happyPath();
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
  prove: (subject) => sweep(subject, ['definite'], false),
};

const ambiguous: Case = {
  name: 'ambiguous',
  title: 'makes nothing twice and loses nothing when any one call or its answer is lost',
  lacks: lackingFailure('ambiguous'),
  prove: (subject) => sweep(subject, ['lost before', 'lost after'], mayAsk(subject)),
};

const throttled: Case = {
  name: 'throttled',
  title: 'waits for a third party that asks for patience',
  lacks: lackingFailure('throttled'),
  prove: async (subject) => {
    await Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        const came = await scenario.comesTo(['Waiting', 'Error', 'Unknown']);
        if (!came || !scenario.condition.startsWith('Waiting'))
          fail(
            `the third party asks for patience, and the condition does not say Waiting: ${scenario.condition}`,
            'a plea for patience is not told from other failures: throw ThrottledError, or what errorOfResponse makes',
          );
      },
      { fault: () => ({ kind: 'throttled' }) },
    );
    await sweep(subject, ['throttled'], false);
  },
};

const signal: Case = {
  name: 'signal',
  title: 'honours its signal',
  lacks: ({ reaches }) => (reaches === 'cluster' ? 'its calls are the controller’s, which honours it' : undefined),
  prove: (subject) => sweep(subject, ['hang'], mayAsk(subject)),
};

/** Cases of a failing third party. */
export const failureCases: readonly Case[] = [reports, definite, ambiguous, throttled, signal];
