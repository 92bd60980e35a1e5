import type { Case } from './case.ts';
import { coverageOf } from './coverage.ts';
import type { FunctionName } from './invocations.ts';
import { Life } from './life.ts';
import { expect } from './report.ts';
import { restore } from './restore.ts';
import type { Subject } from './subject.ts';

/** Likely reasons why a function was never called. */
const whyNever: Readonly<Partial<Record<FunctionName, string>>> = {
  update:
    'edited is missing, or wants a thing of another name (nameOf), so that one goes and another is made: let edited change a member of the same thing; or leave update out',
  find: 'nothing was ever looked for: declare failures.ambiguous',
  findAll: 'nothing was ever looked for: declare failures.ambiguous',
  observe: 'nothing was ever looked at: give the resource a driftInterval, so that what is changed outside is noticed',
  remark: 'no thing of it was taken over after a restore',
  secretOf: 'create never answers a secret; answer it as secret, or leave secretOf out',
  recover:
    'no attempt of the guard was ever left open: declare failures.ambiguous; or the integration looks by itself and never comes to its guard',
  task: 'no guard was ever run: call the third party in controller.guard, or by a resource',
};

const rests = ['Completed', 'Unknown', 'Error', 'Gone'];

/** Runs a life with an edit, drift, a lost journal and a deletion. */
const longLife = (subject: Subject): Promise<number | undefined> =>
  Life.during(
    subject,
    async (life) => {
      await life.create();
      await life.comesTo(rests);
      const first = life.effects.calls.findIndex(({ changed }) => changed);
      if (subject.edited !== undefined) await life.edit(subject.edited);
      await life.work();
      await life.comesTo(rests);
      if (subject.drift !== undefined) await life.spoil();
      await life.wait(subject.drift === undefined ? 0 : 120_000);
      await life.journal(null);
      await life.work();
      await life.comesTo(rests);
      await life.delete();
      await life.comesTo(['Gone', 'Deleting, Unknown']);
      return first === -1 ? undefined : first + 1;
    },
    { compares: true },
  );

/** Runs a life in which the response to the first change is lost. */
const doubtfulLife = (subject: Subject, nth: number): Promise<void> =>
  Life.during(
    subject,
    async (life) => {
      await life.create();
      await life.comesTo(rests);
    },
    { fault: (call) => (call === nth ? { kind: 'lost after' } : undefined) },
  );

/** Another uid, and no status. */
const restoredLife = (subject: Subject): Promise<void> =>
  Life.during(subject, async (life) => {
    await life.create();
    await life.comesTo(rests);
    await restore(life, true);
    await life.comesTo(rests);
    await life.work();
    await life.comesTo(rests);
  });

/** Case of coverage: each function is called in some life. */
export const coversCase: Case = {
  name: 'covers',
  title: 'has no function that is never called',
  lacks: ({ time }) => (time === 'real' ? 'proved in virtual time' : undefined),
  async prove(subject) {
    const first = await longLife(subject);
    if (first !== undefined && subject.failures?.ambiguous !== undefined) await doubtfulLife(subject, first);
    const uncalled = coverageOf(subject).neverCalled();
    if (uncalled.includes('remark')) await restoredLife(subject); // only there: what else it calls is to be called in any life
    const late = coverageOf(subject).neverCalled();
    const never = uncalled.filter(
      (name) => name !== 'checkpoint' && (name !== 'remark' || late.includes(name)), // a task of one step needs no checkpoint
    );
    expect(
      never.length === 0,
      `in a life with a change, a lost answer, a lost journal and a deletion, and after a restore, the sequencer never called ${never.join(', ')}`,
      ...never.map((name) => `${name}: ${whyNever[name] ?? 'reconcile or terminate never comes to it'}`),
    );
  },
};
