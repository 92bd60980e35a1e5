/** Parser of Go's durations. */

import { quoted } from '../field-error.ts';

const unitOf: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const maxLength = Number(2n ** 63n) / 1e6;

/** Parses a duration such as `1h30m` or `1.5s` as Go's `time.ParseDuration` does, into ms or Go's error message. */
export function parseGoDuration(text: string): number | string {
  const [, sign = '', amount = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (amount === '0') return 0;
  const invalid = `time: invalid duration ${quoted(text)}`;
  let rest = amount;
  let ms = 0;
  while (rest !== '') {
    const [, digits = '', unit = ''] = /^(\d+\.?\d*|\.\d+)?([^\d.]*)/.exec(rest)!;
    if (digits === '') return invalid;
    if (unit === '') return `time: missing unit in duration ${quoted(text)}`;
    const factor = unitOf[unit];
    if (factor === undefined) return `time: unknown unit ${quoted(unit)} in duration ${quoted(text)}`;
    ms += Number(digits) * factor;
    rest = rest.slice(digits.length + unit.length);
  }
  if (amount === '' || ms >= maxLength) return invalid;
  return sign === '-' ? -ms : ms;
}
