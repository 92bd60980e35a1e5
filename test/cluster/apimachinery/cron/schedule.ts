/** Cron schedules as robfig/cron parses them for CronJobs. */

import { quoted } from '../field-error.ts';
import { parseGoDuration } from '../go/go-duration.ts';
import { offsetsOf, timeZoneProblem } from './time-zone.ts';

/** Recurring times. */
export interface Schedule {
  /** Returns the first time after `after`, both in ms since the epoch; undefined if there is none within five years. */
  next(after: number): number | undefined;
}

/** Invalid schedule or time zone; the message is robfig/cron's. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** True for `*` or `?`. */
  readonly isOpen: boolean;
}

interface FieldRange {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const ranges: readonly FieldRange[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: weekdays },
];

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const maxNumber = 2n ** 63n;

function numberOf(text: string, { least, names = [] }: FieldRange): number {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return index + least;
  const why = (problem: string): ScheduleError =>
    new ScheduleError(`failed to parse int from ${text}: strconv.Atoi: parsing ${quoted(text)}: ${problem}`);
  if (!/^[-+]?\d+$/.test(text)) throw why('invalid syntax');
  if (BigInt(text.replace('+', '')) >= maxNumber) throw why('value out of range');
  if (Number(text) < 0) throw new ScheduleError(`negative number (${text}) not allowed: ${text}`);
  return Number(text);
}

/** Parses a range: `*`, `5`, `1-5`. */
function spanOf(text: string, range: FieldRange, part: string): { from: number; to: number; isOpen: boolean } {
  const [first = '', last, ...rest] = text.split('-');
  if (first === '*' || first === '?') return { from: range.least, to: range.most, isOpen: true };
  const from = numberOf(first, range);
  if (rest.length > 0) throw new ScheduleError(`too many hyphens: ${part}`);
  return { from, to: last === undefined ? from : numberOf(last, range), isOpen: false };
}

/** Validates the bounds of a range. Throws a {@link ScheduleError}. */
function checkBounds({ from, to }: { from: number; to: number }, { least, most }: FieldRange, text: string): void {
  if (from < least) throw new ScheduleError(`beginning of range (${from}) below minimum (${least}): ${text}`);
  if (to > most) throw new ScheduleError(`end of range (${to}) above maximum (${most}): ${text}`);
  if (from > to) throw new ScheduleError(`beginning of range (${from}) beyond end of range (${to}): ${text}`);
}

/** Parses one item of a list, a range with an optional `/step`, and adds its values; returns whether it is `*` or `?`. */
function addPart(values: Set<number>, text: string, range: FieldRange): boolean {
  const [span = '', step, ...more] = text.split('/');
  const { from, to: last, isOpen } = spanOf(span, range, text);
  if (more.length > 0) throw new ScheduleError(`too many slashes: ${text}`);
  const by = step === undefined ? 1 : numberOf(step, { least: 0, most: 0 });
  const to = step === undefined || span.includes('-') ? last : range.most;
  checkBounds({ from, to }, range, text);
  if (by === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
  for (let value = from; value <= to; value += by) values.add(value);
  return isOpen && by === 1;
}

function fieldOf(text: string, range: FieldRange): Field {
  const values = new Set<number>();
  const parts = text.split(',').filter((part) => part !== '');
  const areOpen = parts.map((part) => addPart(values, part, range));
  return { values, isOpen: areOpen.includes(true) };
}

const everyPrefix = '@every ';

function every(text: string): Schedule {
  const ms = parseGoDuration(text.slice(everyPrefix.length));
  if (typeof ms === 'string') throw new ScheduleError(`failed to parse duration ${text}: ${ms}`);
  const delay = Math.max(1000, Math.floor(ms / 1000) * 1000);
  return { next: (after) => Math.floor(after / 1000) * 1000 + delay };
}

const day = 86_400_000;
const maxSearchDays = 5 * 366;

/** Returns the moments of a local time: none when skipped, two when repeated. */
function momentsOf(local: number, offsetAt: (utc: number) => number): number[] {
  const offsets = new Set([offsetAt(local - day), offsetAt(local + day)]);
  return [...offsets]
    .map((offset) => local - offset)
    .filter((utc) => utc + offsetAt(utc) === local)
    .sort((a, b) => a - b);
}

function calendar(fields: readonly Field[], offsetAt: (utc: number) => number): Schedule {
  const [minutes, hours, dates, monthsOfYear, days] = fields as readonly [Field, Field, Field, Field, Field];
  const isDay = (local: Date): boolean => {
    const [inDates, inDays] = [dates.values.has(local.getUTCDate()), days.values.has(local.getUTCDay())];
    const isRight = dates.isOpen || days.isOpen ? inDates && inDays : inDates || inDays;
    return monthsOfYear.values.has(local.getUTCMonth() + 1) && isRight;
  };
  const sorted = ({ values }: Field): readonly number[] => [...values].sort((a, b) => a - b);
  const [hourList, minuteList] = [sorted(hours), sorted(minutes)];
  /** Returns the first moment on a day after `after`. Hours are searched in order; only a repeated hour has moments out of order. */
  const firstOn = (midnight: number, after: number): number | undefined => {
    const least = Math.min(offsetAt(midnight - day), offsetAt(midnight + day));
    for (const hour of hourList) {
      const start = midnight + hour * 3_600_000;
      if (start + 3_600_000 - least <= after) continue;
      const moments = minuteList.flatMap((minute) => momentsOf(start + minute * 60_000, offsetAt));
      const later = moments.filter((moment) => moment > after);
      if (later.length > 0) return Math.min(...later);
    }
    return undefined;
  };
  return {
    next(after) {
      const start = Math.floor((after + offsetAt(after)) / day) * day;
      for (let index = 0; index < maxSearchDays; index += 1) {
        const midnight = start + index * day;
        const found = isDay(new Date(midnight)) ? firstOn(midnight, after) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** Splits off the zone of a `TZ=` or `CRON_TZ=` prefix. */
function zonedOf(text: string, timeZone: string): readonly [schedule: string, timeZone: string] {
  const [whole, name] = /^(?:CRON_)?TZ=(\S*)/.exec(text) ?? [];
  if (whole === undefined || name === undefined) return [text, timeZone];
  const problem = timeZoneProblem(name);
  if (problem !== undefined) throw new ScheduleError(`provided bad location ${name}: ${problem}`);
  return [text.slice(whole.length).trim(), name === '' || name === 'Local' ? 'UTC' : name];
}

/** Parses five fields, a shorthand such as `@daily`, or `@every 5m`, with an optional `TZ=` prefix. Throws a {@link ScheduleError}. */
export function parseSchedule(text: string, timeZone = 'UTC'): Schedule {
  if (text === '') throw new ScheduleError('empty spec string');
  const [own, zone] = zonedOf(text, timeZone);
  if (own.startsWith(everyPrefix)) return every(own);
  const spec = shorthands[own] ?? own;
  if (spec.startsWith('@')) throw new ScheduleError(`unrecognized descriptor: ${spec}`);
  const parts = spec.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== ranges.length) {
    throw new ScheduleError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  }
  return calendar(
    parts.map((part, index) => fieldOf(part, ranges[index]!)),
    offsetsOf(zone),
  );
}
