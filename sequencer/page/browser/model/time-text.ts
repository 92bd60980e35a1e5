/** Durations and times for people. */

/** Formats ms in one or two units: `0.4 s`, `12 s`, `4 min 7 s`, `3 h 2 min`, `5 d 1 h`. */
export function timeText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (count: number, size: number, [unit, part]: readonly [string, string]) =>
    `${Math.floor(count / size)} ${unit}${count % size === 0 ? '' : ` ${count % size} ${part}`}`;
  if (whole < 3600) return two(whole, 60, ['min', 's']);
  const minutes = Math.floor(whole / 60);
  return minutes < 1440 ? two(minutes, 60, ['h', 'min']) : two(Math.floor(minutes / 60), 24, ['d', 'h']);
}

/** Formats the age of an RFC 3339 time or of ms since 1970; empty without one. */
export function ageText(time: string | number | undefined, now: number): string {
  const at = typeof time === 'string' ? Date.parse(time) : time;
  if (at === undefined || Number.isNaN(at)) return '';
  const age = Math.max(0, now - at);
  return age < 1000 ? 'now' : timeText(age < 10_000 ? Math.floor(age / 1000) * 1000 : age).replace('.0 s', ' s');
}
