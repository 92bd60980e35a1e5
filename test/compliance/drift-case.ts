import { arrive, type Case, has, lacking, mayAsk, vanish } from './case.ts';
import { momentOf, pointsOf } from './crash.ts';
import type { CrashPoint } from './effects.ts';
import { all, telling } from './endings.ts';
import { inWords, Life } from './life.ts';
import { expect, fail } from './report.ts';
import type { Subject } from './subject.ts';

/** Range of a life's effects that belong to a repair: those after `from`, up to `to`. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly effects: Life['effects']['done'];
}

/** Limit of the external changes: in real time one may be repaired before it is seen. */
const mostSpoils = 3;

/** Reports whether an external change was made. */
async function isSpoilt(life: Life, before: readonly string[]): Promise<boolean> {
  for (let count = 0; count < mostSpoils; count += 1) {
    await life.spoil();
    if (inWords(await life.remote()).join('\n') !== before.join('\n')) return true;
  }
  return false;
}

/** Makes an external change and waits until it is repaired or, where a crash may leave a question, until that is asked. */
const mendedLife = (subject: Subject, { crash, dies }: { crash?: CrashPoint; dies?: boolean } = {}): Promise<Span> =>
  Life.during(
    subject,
    async (life) => {
      await life.create();
      const before = await arrive(life);
      const from = life.effects.done.length;
      expect(
        await isSpoilt(life, before),
        'spoil changed nothing at the third party',
        'spoil of the subject has to remove or change what exists, as another client would',
      );
      if (dies) life.die();
      const rests = mayAsk(subject) && crash !== undefined ? /^(Completed|Unknown):/ : /^Completed:/;
      const isBack = async () => {
        life.condition = await life.look();
        if (!rests.test(life.condition)) return false;
        return life.condition.startsWith('Unknown') || (await life.words()).join('\n') === before.join('\n');
      };
      if (!(await life.until(isBack))) {
        await has(life, before, {
          when: 'after a change outside',
          likely:
            'the integration does not look, or the look does not tell what there is: give the resource observe and driftInterval, and answer from the third party what can be read, undefined for what is gone',
        });
        fail(`what was changed outside was put right, and the condition says ${life.condition}`);
      }
      const to = life.effects.done.length;
      if (life.condition.startsWith('Completed')) await vanish(life);
      return { from, to, effects: life.effects.done };
    },
    crash === undefined ? {} : { crash },
  );

/** Returns the crash points of a repair. In real time lives differ, so there are none. */
const momentsOf = ({ from, to, effects }: Span, subject: Subject): readonly CrashPoint[] =>
  subject.time === 'real' ? [] : pointsOf(effects.slice(0, to), subject, from);

/** Case of drift: external objects are removed or changed from outside. */
export const driftCase: Case = {
  name: 'mends',
  title: 'puts right what was changed outside, whenever it dies meanwhile',
  lacks: lacking('drift'),
  async prove(subject) {
    const calm = await mendedLife(subject);
    await mendedLife(subject, { dies: true });
    await all(
      momentsOf(calm, subject).map(
        (crash) => () =>
          telling(`crashed ${momentOf(calm.effects, crash)}`, async () => void (await mendedLife(subject, { crash }))),
      ),
    );
  },
};
