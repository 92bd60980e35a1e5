import test from 'ava';
import { createManualClock } from '../../../cluster/index.ts';
import { crashPointsOf, describeCrashPoint } from '../../../compliance/cases/crash-case.ts';
import { Effects } from '../../../compliance/observation/effects.ts';

/** A scenario of four effects: the third begins a second after the second, the fourth when the third has failed. */
async function fourEffects() {
  const clock = createManualClock();
  const effects = new Effects(
    {},
    {
      failures: {},
      remote: undefined,
      now: () => clock.monotonic(),
      onCrash: () => {},
      onReadOnlyChange: () => {},
      onLateChange: () => {},
    },
  );
  const sequencer = { number: 1, dead: false };
  const act = (name: string, carryOut = async () => {}) =>
    effects.perform(sequencer, { name, kind: 'write', args: [], carryOut });
  await act('one');
  await act('two');
  await clock.advance(1_000);
  await act('three', () => Promise.reject(new Error('conflict'))).catch(() => {});
  await act('four');
  return effects.done;
}

const subject = { identity: 'opaque', spec: {}, start: () => ({}) as never } as const;
const inShort = (points: ReturnType<typeof crashPointsOf>) => points.map(({ side, effect }) => `${side} ${effect}`);

test('a crash before an effect is left out where it is one after the last: nothing was in progress, and no time passed', async (t) => {
  const effects = await fourEffects();
  t.deepEqual(inShort(crashPointsOf(effects, subject)), [
    'before 1',
    'after 1',
    'after 2',
    'before 3',
    'after 3',
    'before 4',
    'after 4',
  ]);
  t.is(
    describeCrashPoint(effects, { effect: 1, side: 'after' }),
    describeCrashPoint(effects, { effect: 2, side: 'before' }),
  );
});

test('from an index on, the first effect has both sides', async (t) => {
  t.deepEqual(inShort(crashPointsOf(await fourEffects(), subject, 1)).slice(0, 3), ['before 2', 'after 2', 'before 3']);
});

test('what two effects in progress leave is not what one of them leaves', async (t) => {
  const effects = new Effects(
    {},
    {
      failures: {},
      remote: undefined,
      now: () => 0,
      onCrash: () => {},
      onReadOnlyChange: () => {},
      onLateChange: () => {},
    },
  );
  const sequencer = { number: 1, dead: false };
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const act = (name: string, carryOut: () => Promise<void>) =>
    effects.perform(sequencer, { name, kind: 'write', args: [], carryOut });
  const one = act('one', () => first.promise);
  const two = act('two', () => second.promise);
  second.resolve();
  await two;
  const three = act('three', async () => {});
  first.resolve();
  await Promise.all([one, three]);
  t.deepEqual(
    effects.done.map(({ follows }) => follows),
    [false, false, false],
  );
});

test('in a cluster all points are kept, in real time those after an effect', async (t) => {
  const effects = await fourEffects();
  t.is(crashPointsOf(effects, { ...subject, target: 'cluster' }).length, 8);
  t.deepEqual(inShort(crashPointsOf(effects, { ...subject, time: 'real' })), [
    'after 1',
    'after 2',
    'after 3',
    'after 4',
  ]);
});
