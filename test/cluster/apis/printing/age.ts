/** Formats ages for tables. */

/** Formats a duration in ms as kubectl does: `5s`, `3m20s`, `2d4h`; `<invalid>` when it is more than a second below zero. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  const both = (large: string, small: number, unit: string): string =>
    small === 0 ? large : `${large}${small}${unit}`;
  if (minutes < 10) return both(`${minutes}m`, seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return both(`${hours}h`, minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return both(`${days}d`, hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 2920 ? both(`${years}y`, days % 365, 'd') : `${years}y`;
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
