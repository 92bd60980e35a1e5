import test from 'ava';
import { DriftSchedule } from '../../../integrations/drift-schedule.ts';
import { createManualClock } from '../../cluster/apimachinery/clock/manual-clock.ts';

const never = new AbortController().signal;
const minute = 60_000;

function aDiary(driftInterval: number | undefined, random: () => number = () => 0.5) {
  const clock = createManualClock();
  const schedule = new DriftSchedule({ name: 'test', driftInterval, clock, random });
  return { clock, looks: schedule, look: (uid: string) => schedule.run(uid, never, async () => 'seen') };
}

test('the first look of a workspace comes within a quarter of the interval, at random, and stays where it is', async (t) => {
  const draws = [0.1, 0.9];
  const { clock, looks: schedule } = aDiary(4 * minute, () => draws.shift() ?? 0);
  t.is(schedule.wait('a'), 6_000);
  t.is(schedule.wait('b'), 54_000);
  await clock.advance(5_000);
  t.is(schedule.wait('a'), 1_000);
  await clock.advance(5_000);
  t.is(schedule.wait('a'), 0, 'it is due until it was done');
});

test('after a look the next one comes an interval later, or up to a quarter earlier', async (t) => {
  for (const [draw, wait] of [
    [0, 3 * minute],
    [0.999_999, 4 * minute],
  ] as const) {
    const { looks: schedule, look } = aDiary(4 * minute, () => draw);
    t.is(await look('a'), 'seen');
    t.is(schedule.wait('a'), wait);
  }
});

test('unless told otherwise there are five minutes between two looks', async (t) => {
  const { looks: schedule, look } = aDiary(undefined, () => 1);
  await look('a');
  t.is(schedule.wait('a'), 300_000);
});

test('a look that fails is not repeated at once', async (t) => {
  const { looks: schedule } = aDiary(4 * minute);
  await t.throwsAsync(
    schedule.run('a', never, () => Promise.reject(new Error('away'))),
    { message: 'away' },
  );
  t.is(schedule.wait('a'), 3.5 * minute);
});

test('a look that gets no answer is given up', async (t) => {
  const { clock, looks: schedule } = aDiary(4 * minute);
  const hung = schedule.run(
    'a',
    never,
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const given = t.throwsAsync(hung, { message: 'no answer within 15000 ms' });
  await clock.advance(15_000);
  await given;
});

test('a look ends when the sequencer stops', async (t) => {
  const stopping = new AbortController();
  const { looks: schedule } = aDiary(4 * minute);
  const hung = schedule.run(
    'a',
    stopping.signal,
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  stopping.abort(new Error('stopped'));
  await t.throwsAsync(hung, { message: 'stopped' });
});

test('Infinity means never, and nothing is remembered', async (t) => {
  const { looks: schedule, look } = aDiary(Infinity);
  t.is(schedule.wait('a'), undefined);
  await look('a');
  t.is(schedule.size, 0);
});

test('workspaces that are not asked about any more are forgotten, the others are not', async (t) => {
  const { clock, looks: schedule, look } = aDiary(4 * minute);
  for (let number = 0; number < 1_000; number += 1) await look(`gone-${number}`);
  for (let round = 0; round < 3; round += 1) {
    await look('here');
    await clock.advance(3.5 * minute);
  }
  await look('here');
  t.is(schedule.size, 1);
  schedule.forget('here');
  t.is(schedule.size, 0);
});

for (const [wrong, found] of [
  [0, '0'],
  [-1, '-1'],
  [Number.NaN, 'NaN'],
  ['5', '"5"'],
] as const)
  test(`an interval of ${found} is refused`, (t) => {
    t.throws(() => aDiary(wrong as number), {
      instanceOf: TypeError,
      message: `test: driftInterval must be a positive number of ms, or Infinity for never, not ${found}`,
    });
  });
