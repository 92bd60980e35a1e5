import { type Case, mayAsk } from './case.ts';
import type { CrashPoint } from './effects.ts';
import { all, type Calm, calmLife, endsWell, likelyChance, telling } from './endings.ts';
import { Life } from './life.ts';
import { expect } from './report.ts';
import type { Subject } from './subject.ts';

type Named = Calm['effects'][number];

const after = ({ name, kind }: Named): string => `after ${name} ${kind === 'call' ? 'answered' : 'was written'}`;
const before = ({ name, kind }: Named): string => `before ${name} was ${kind === 'call' ? 'called' : 'written'}`;

/** A moment in the words of whoever writes integrations: what had been done last, and what would have come next. */
export function momentOf(effects: readonly Named[], { effect, side }: CrashPoint): string {
  const next = effects[side === 'before' ? effect - 1 : effect];
  const last = effects[side === 'before' ? effect - 2 : effect - 1];
  return [last && after(last), next && before(next)].filter((part) => part !== undefined).join(', ');
}

/** Every moment of a life. In real time only those after an effect, which are those before the next one as well. */
function pointsOf(count: number, { time }: Subject): readonly CrashPoint[] {
  const sides = time === 'real' ? (['after'] as const) : (['before', 'after'] as const);
  return Array.from({ length: count }, (_, index) => sides.map((side) => ({ effect: index + 1, side }))).flat();
}

/** A whole life, there and back, with the sequencer dying at one moment of it. @throws Finding */
const liveThrough = (subject: Subject, crash: CrashPoint, { expected, secrets, effects }: Calm): Promise<void> =>
  telling(`crashed ${momentOf(effects, crash)}`, () =>
    Life.during(
      subject,
      async (life) => {
        await life.create();
        await endsWell(life, { expected, secrets, mayAsk: mayAsk(subject) });
        const hasCrashed = life.run > 1 || subject.time === 'real';
        expect(hasCrashed, 'it never came to that: another life takes another course', likelyChance);
      },
      { crash },
    ),
  );

/** Dies everywhere. */
export const crashCase: Case = {
  name: 'crash',
  title: 'survives a crash before and after every effect',
  async prove(subject) {
    const calm = await calmLife(subject);
    await all(pointsOf(calm.effects.length, subject).map((point) => () => liveThrough(subject, point, calm)));
  },
};
