/** Formats ages for tables. */

/** Units in seconds. */
const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400, y: 365 * 86_400 };
type Unit = keyof typeof unitSeconds;
const { m: minute, h: hour, d: day, y: year } = unitSeconds;

/** Units that a duration below a number of seconds is shown in: the larger alone, or with what is left in the smaller. */
const unitsBelow: readonly (readonly [below: number, large: Unit, small?: Unit])[] = [
  [2 * minute, 's'],
  [10 * minute, 'm', 's'],
  [3 * hour, 'm'],
  [8 * hour, 'h', 'm'],
  [2 * day, 'h'],
  [8 * day, 'd', 'h'],
  [2 * year, 'd'],
  [8 * year, 'y', 'd'],
  [Number.POSITIVE_INFINITY, 'y'],
];

/** Formats a duration in ms as kubectl does: `5s`, `3m20s`, `2d4h`; `<invalid>` when it is more than a second below zero. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const [, large, small] = unitsBelow.find(([below]) => seconds < below)!;
  const text = `${Math.trunc(seconds / unitSeconds[large])}${large}`;
  const rest = small === undefined ? 0 : Math.trunc((seconds % unitSeconds[large]) / unitSeconds[small]);
  return rest === 0 ? text : `${text}${rest}${small}`;
}

/** Formats the age of a time; `<unknown>` without one, `<invalid>` for an invalid one. */
export type Ago = (time: unknown) => string;

/** Returns a formatter of ages as of `now` (ms). */
export const agoAt =
  (now: number): Ago =>
  (time) => {
    if (time === undefined || time === null || time === '') return '<unknown>';
    const at = Date.parse(String(time));
    return Number.isNaN(at) ? '<invalid>' : humanDuration(now - at);
  };
