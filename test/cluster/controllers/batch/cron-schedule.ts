/** When something is to be done, again and again. */
export interface Schedule {
  /** The first time after `after`, both ms since the epoch; undefined when there is none within five years. */
  next(after: number): number | undefined;
}

/** A schedule or a time zone that cannot be read; the message says why, as the server's parser does. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it was left open: `*` or `?`. */
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

function numberOf(text: string, { least, names = [] }: FieldRange): number {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return index + least;
  if (/^\d+$/.test(text)) return Number(text);
  throw new ScheduleError(
    `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

/** The values of one part of a list: `*`, `5`, `1-5`, each with `/step`. */
function partOf(text: string, range: FieldRange): Field {
  const [span = '', step, ...more] = text.split('/');
  const [first = '', last, ...rest] = span.split('-');
  if (more.length > 0) throw new ScheduleError(`too many slashes: ${text}`);
  if (rest.length > 0) throw new ScheduleError(`too many hyphens: ${text}`);
  const isOpen = first === '*' || first === '?';
  const from = isOpen ? range.least : numberOf(first, range);
  const to =
    isOpen || (last === undefined && step !== undefined)
      ? range.most
      : last === undefined
        ? from
        : numberOf(last, range);
  const by = step === undefined ? 1 : numberOf(step, { least: 0, most: 0 });
  if (from < range.least)
    throw new ScheduleError(`beginning of range (${from}) below minimum (${range.least}): ${text}`);
  if (to > range.most) throw new ScheduleError(`end of range (${to}) above maximum (${range.most}): ${text}`);
  if (from > to) throw new ScheduleError(`beginning of range (${from}) beyond end of range (${to}): ${text}`);
  if (by === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
  const values = new Set<number>();
  for (let value = from; value <= to; value += by) values.add(value);
  return { values, isOpen: isOpen && by === 1 };
}

function fieldOf(text: string, range: FieldRange): Field {
  const parts = text.split(',').map((part) => partOf(part, range));
  return { values: new Set(parts.flatMap(({ values }) => [...values])), isOpen: parts.some(({ isOpen }) => isOpen) };
}

const unitOf: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };

function every(text: string): Schedule {
  const parts = [...text.matchAll(/(\d+)(h|m|s)/g)];
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitOf[unit!]!, 0);
  if (ms === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new ScheduleError(`failed to parse duration @every ${text}: time: invalid duration ${JSON.stringify(text)}`);
  }
  return { next: (after) => Math.floor(after / 1000) * 1000 + ms };
}

/** How far a time zone is ahead of UTC at a moment, in ms. */
function offsetsOf(timeZone: string): (utc: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (utc) => {
    const parts = Object.fromEntries(format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]));
    const { year, month, day, hour, minute, second } = parts as Record<string, number>;
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(utc / 1000) * 1000;
  };
}

const day = 86_400_000;
const longestSearch = 5 * 366;

/** The moments at which clocks of a zone show a time: none when it is skipped, two when it comes twice. */
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
  /** The first moment on a day, hour by hour: only an hour that comes twice has moments after those of the next minute. */
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
      for (let index = 0; index < longestSearch; index += 1) {
        const midnight = start + index * day;
        const found = isDay(new Date(midnight)) ? firstOn(midnight, after) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** Whether a time zone is known. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Reads five fields, `@daily` and the like, or `@every 5m`. Throws a {@link ScheduleError}. */
export function parseSchedule(text: string, timeZone = 'UTC'): Schedule {
  const trimmed = text.trim();
  if (trimmed === '') throw new ScheduleError('empty spec string');
  if (trimmed.startsWith('@every ')) return every(trimmed.slice('@every '.length));
  const spec = shorthands[trimmed] ?? trimmed;
  if (spec.startsWith('@')) throw new ScheduleError(`unrecognized descriptor: ${spec}`);
  const parts = spec.split(/\s+/);
  if (parts.length !== ranges.length) {
    throw new ScheduleError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  }
  return calendar(
    parts.map((part, index) => fieldOf(part, ranges[index]!)),
    offsetsOf(timeZone),
  );
}
