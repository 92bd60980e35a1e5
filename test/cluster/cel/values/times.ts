/** CEL's timestamps and durations. */

import { timeZoneProblem } from '../../apimachinery/cron/time-zone.ts';
import { canonicalTime } from '../../apimachinery/go/go-time.ts';
import { countWork } from './uncosted-work.ts';
import { CelError, Duration, Timestamp } from './values.ts';

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const second = 1_000_000_000n;
const maxSize = 2n ** 63n;

/** Digits of a number of 63 bits. Further ones of a fraction make no nanosecond. */
const mostDigits = 19;

/** Returns the nanoseconds of a number of units; at least the largest size for too many digits. */
function nanosOf(whole: string, fraction: string, scale: bigint): bigint {
  if (whole.length > mostDigits) return maxSize;
  return BigInt(whole) * scale + (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
}

/** Parses a duration as Go's `time.ParseDuration`; undefined when it is invalid. */
export function durationIn(text: string): Duration | undefined {
  const [, sign, rest] = /^([+-]?)(.*)$/.exec(text) ?? [];
  if (rest === '0') return new Duration(0n);
  if (rest === undefined || !/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of rest.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    nanos += nanosOf(whole.replace(/^0+/, ''), fraction.slice(0, mostDigits), units[unit]!);
    if (nanos >= maxSize) return undefined;
  }
  return new Duration(sign === '-' ? -nanos : nanos);
}

/** Parses an RFC 3339 time; undefined when it is invalid. */
export function timestampIn(text: string): Timestamp | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null || canonicalTime(`${match[1]}${match[3]}`) === undefined) return undefined;
  const [, time, fraction = '', zone] = match;
  const millis = Date.parse(`${time}${zone}`);
  if (Number.isNaN(millis)) return undefined;
  return new Timestamp(BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9)));
}

const earliest = -62_135_596_800n;
const latest = 253_402_300_799n;

/** Returns a timestamp within the years 1 to 9999, or an overflow error. */
export function inRange(nanos: bigint): Timestamp | CelError {
  const isIn = nanos >= earliest * second && nanos < (latest + 1n) * second;
  return isIn ? new Timestamp(nanos) : new CelError('timestamp overflow');
}

/** Returns a duration of 64 bits, or an overflow error. */
export const durationOf = (nanos: bigint): Duration | CelError =>
  nanos >= maxSize || nanos < -maxSize ? new CelError('duration overflow') : new Duration(nanos);

/** Formats a duration as CEL does: `1.5s`. */
export function durationText({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % second)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${size / second}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** Formats a timestamp in RFC 3339, with as many digits as needed. */
export function timestampText({ nanos }: Timestamp): string {
  const rest = ((nanos % second) + second) % second;
  const millis = Number((nanos - rest) / 1_000_000n);
  const fraction = String(rest).padStart(9, '0').replace(/0+$/, '');
  const whole = new Date(millis).toISOString().slice(0, -5);
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** Units of work of looking up a zone. */
const zoneWork = 1000;

/** Returns a zone's offset from UTC in minutes, for names such as `Europe/Berlin` and offsets such as `-02:00`. */
function offsetIn(zone: string, millis: number): number | CelError {
  const [, hours, minutes] = /^([+-]?\d+):(\d+)$/.exec(zone) ?? [];
  if (hours !== undefined) return Number(hours) * 60 + (zone.startsWith('-') ? -1 : 1) * Number(minutes);
  countWork(zoneWork);
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) return new CelError(problem);
  const timeZone = zone === '' || zone === 'Local' ? 'UTC' : zone; // an API server's own zone is UTC
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = parts.formatToParts(millis).find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hour = '0', minute = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hour) * 60 + Number(minute));
}

const dayOfYear = (date: Date): number =>
  Math.floor(
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 1)) /
      86_400_000,
  );

const parts: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: dayOfYear,
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

/** Returns a part of a timestamp in a time zone, for functions such as `getHours`. */
export function partOfTime(name: string, { nanos }: Timestamp, zone = 'UTC'): bigint | CelError {
  const millis = Number(nanos / 1_000_000n) - (nanos < 0n && nanos % 1_000_000n !== 0n ? 1 : 0);
  const offset = offsetIn(zone, millis);
  return typeof offset === 'number' ? BigInt(parts[name]!(new Date(millis + offset * 60_000))) : offset;
}

const spans: Readonly<Record<string, bigint>> = {
  getHours: units.h!,
  getMinutes: units.m!,
  getSeconds: units.s!,
  getMilliseconds: units.ms!,
};

/** Returns a whole duration in a unit, for functions such as `getHours`. */
export const partOfDuration = (name: string, { nanos }: Duration): bigint => nanos / spans[name]!;
