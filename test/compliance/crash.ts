import { type Case, expect, mayAsk } from './case.ts';
import type { CrashPoint } from './effects.ts';
import { type Calm, calmLife, complaintOf } from './failure-cases.ts';
import { Life } from './life.ts';
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

/** A whole life, there and back, with the sequencer dying at one moment of it. @returns what is wrong, in words */
const liveThrough = (
  subject: Subject,
  crash: CrashPoint,
  { expected, secrets, effects }: Calm,
): Promise<string | undefined> =>
  Life.during(
    subject,
    async (life) => {
      await life.create();
      const complaint = await complaintOf(life, { expected, secrets, mayAsk: mayAsk(subject) });
      if (life.run === 1 && subject.time !== 'real')
        return `never crashed ${momentOf(effects, crash)}: another life takes another course`;
      return complaint === undefined ? undefined : `crashed ${momentOf(effects, crash)}: ${complaint}`;
    },
    { crash },
  );

/** Crashes a life at every moment. @returns what broke, one line each, empty when nothing did */
async function crashSweep(subject: Subject): Promise<readonly string[]> {
  const calm = await calmLife(subject);
  const broken: string[] = [];
  for (const point of pointsOf(calm.effects.length, subject)) {
    const complaint = await liveThrough(subject, point, calm);
    if (complaint !== undefined) broken.push(complaint);
  }
  return [...new Set(broken)];
}

/** Dies everywhere. */
export const crashCase: Case = {
  name: 'crash',
  title: 'survives a crash before and after every effect',
  async prove(subject) {
    const broken = await crashSweep(subject);
    expect(broken.length === 0, broken.join('\n'));
  },
};
