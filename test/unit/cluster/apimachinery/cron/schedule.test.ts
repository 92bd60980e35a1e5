import test from 'ava';
import { parseSchedule, ScheduleError } from '../../../../cluster/apimachinery/cron/schedule.ts';
import { isTimeZone } from '../../../../cluster/apimachinery/cron/time-zone.ts';
import { parseGoDuration } from '../../../../cluster/apimachinery/go/go-duration.ts';

const next = (schedule: string, after: string, timeZone?: string): string => {
  const time = parseSchedule(schedule, timeZone).next(Date.parse(after));
  return time === undefined ? 'never' : new Date(time).toISOString().replace(':00.000Z', 'Z');
};

const cases: readonly (readonly [string, string, string, string?])[] = [
  ['*/15 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:15Z'],
  ['*/15 * * * *', '2026-01-01T00:14:59Z', '2026-01-01T00:15Z'],
  ['0 0 * * *', '2026-01-31T00:00:00Z', '2026-02-01T00:00Z'],
  ['30 4 1,15 * *', '2026-01-02T00:00:00Z', '2026-01-15T04:30Z'],
  ['0 12 * * mon-fri', '2026-01-02T12:00:00Z', '2026-01-05T12:00Z'],
  ['0 0 13 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00Z'],
  ['0 0 29 feb *', '2026-01-01T00:00:00Z', '2028-02-29T00:00Z'],
  ['0 0 31 4 *', '2026-01-01T00:00:00Z', 'never'],
  ['5/20 * * * *', '2026-01-01T00:06:00Z', '2026-01-01T00:25Z'],
  ['@daily', '2026-01-01T05:00:00Z', '2026-01-02T00:00Z'],
  ['@every 90m', '2026-01-01T05:00:00Z', '2026-01-01T06:30Z'],
  ['0 9 * * *', '2026-07-01T00:00:00Z', '2026-07-01T07:00Z', 'Europe/Berlin'],
  ['0 9 * * *', '2026-01-01T00:00:00Z', '2026-01-01T08:00Z', 'Europe/Berlin'],
  ['TZ=Europe/Berlin 0 9 * * *', '2026-07-01T00:00:00Z', '2026-07-01T07:00Z'],
  ['CRON_TZ=Europe/Berlin @daily', '2026-07-01T00:00:00Z', '2026-07-01T22:00Z', 'UTC'],
  [', * * * *', '2026-01-01T00:00:00Z', 'never'],
  // Clocks skip from 2:00 to 3:00 in spring, and go back from 3:00 to 2:00 in autumn.
  ['30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T00:30Z', 'Europe/Berlin'],
  ['30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-25T00:30Z', 'Europe/Berlin'],
  ['*/30 * * * *', '2026-10-25T00:30:00Z', '2026-10-25T01:00Z', 'Europe/Berlin'],
];

for (const [schedule, after, expected, zone] of cases) {
  test(`after ${after} "${schedule}" ${zone ?? ''} comes at ${expected}`, (t) =>
    t.is(next(schedule, after, zone), expected));
}

for (const [text, message] of [
  ['', 'empty spec string'],
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['@never', 'unrecognized descriptor: @never'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1- * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
  ['TZ=Middle/Earth * * * * *', 'provided bad location Middle/Earth: unknown time zone Middle/Earth'],
] as const) {
  test(`"${text}" is not a schedule`, (t) => {
    t.is(t.throws(() => parseSchedule(text), { instanceOf: ScheduleError }).message, message);
  });
}

test('time zones are known by name', (t) => {
  t.true(isTimeZone('Asia/Kolkata'));
  t.true(isTimeZone('US/Pacific'));
  for (const name of ['Middle/Earth', 'europe/berlin', 'us/pacific', 'PST', '+05:00', 'Local'])
    t.false(isTimeZone(name));
});

test('durations are those of Go', (t) => {
  t.deepEqual(['1h30m', '1.5s', '-5m', '0', '1µs'].map(parseGoDuration), [5_400_000, 1500, -300_000, 0, 0.001]);
  t.is(parseGoDuration('5'), 'time: missing unit in duration "5"');
  t.is(parseGoDuration('1h 5m'), 'time: unknown unit "h " in duration "1h 5m"');
  for (const text of ['', 'x', '.s', '3000000h']) t.is(parseGoDuration(text), `time: invalid duration "${text}"`);
});
