/** Case that crashes the sequencer around each effect. */

import type { CrashPoint } from '../observation/effect.ts';
import { type Case, mayAsk } from '../scenario/case.ts';
import { runEditPath, runWithEdit } from '../scenario/edit-sweep.ts';
import {
  expectEnd,
  type HappyPath,
  inContext,
  nondeterminismAdvice,
  runAll,
  runHappyPath,
} from '../scenario/expected-end.ts';
import { expect } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';

type Named = HappyPath['effects'][number];

const after = ({ name, kind }: Named): string => `after ${name} ${kind === 'call' ? 'answered' : 'was written'}`;
const before = ({ name, kind }: Named): string => `before ${name} was ${kind === 'call' ? 'called' : 'written'}`;

/** Describes a crash point by the effects before and after it. */
export function describeCrashPoint(effects: readonly Named[], { effect, side }: CrashPoint): string {
  const next = effects[side === 'before' ? effect - 1 : effect];
  const last = effects[side === 'before' ? effect - 2 : effect - 1];
  return [last && after(last), next && before(next)].filter((part) => part !== undefined).join(', ');
}

/**
 * Returns the crash points of the effects of a scenario, from an index on: after each, and before each that does not follow another one at the same time. In real time
 * only those after; where the cluster is the third party, both of each effect.
 */
export function crashPointsOf(effects: readonly Named[], { time, target }: Subject, from = 0): readonly CrashPoint[] {
  return effects.slice(from).flatMap(({ follows }, index): readonly CrashPoint[] => {
    const effect = from + index + 1;
    const after: CrashPoint = { effect, side: 'after' };
    const isKnown = time === 'real' || (follows && index > 0 && target !== 'cluster');
    return isKnown ? [after] : [{ effect, side: 'before' }, after];
  });
}

/** Runs a scenario from creation to deletion with a crash at one point. @throws Finding */
const runWithCrash = (subject: Subject, crash: CrashPoint, { expected, secrets, effects }: HappyPath): Promise<void> =>
  inContext(`crashed ${describeCrashPoint(effects, crash)}`, () =>
    Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        await expectEnd(scenario, { expected, secrets, mayAsk: mayAsk(subject) });
        const hasCrashed = scenario.run > 1 || subject.time === 'real';
        expect(hasCrashed, 'it never came to that: another scenario takes another course', nondeterminismAdvice);
      },
      { crash },
    ),
  );

/** Crashes around each effect of a change of the spec, where the subject has one. */
async function crashedDuringEdit(subject: Subject): Promise<void> {
  const path = await runEditPath(subject);
  if (path === undefined) return;
  const points = crashPointsOf(path.effects.slice(0, path.to.effect), subject, path.from.effect);
  const scenarios = points.map((crash) => () => {
    const when = `crashed ${describeCrashPoint(path.effects, crash)}`;
    return runWithEdit(subject, path, [when, { crash }]);
  });
  await runAll(scenarios);
}

/** Case of crashes at each point of a scenario. */
export const crashCase: Case = {
  name: 'crash',
  title: 'survives a crash before and after every effect',
  async prove(subject) {
    const happyPath = await runHappyPath(subject);
    await runAll(
      crashPointsOf(happyPath.effects, subject).map((point) => () => runWithCrash(subject, point, happyPath)),
    );
    await crashedDuringEdit(subject);
  },
};
