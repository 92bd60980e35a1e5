/** Parses and formats times as Go does. */

import { quoted } from '../field-error.ts';

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Formats a time as the server does: in UTC, with seconds or microseconds. */
function textOf(ms: number, micros: string | undefined): string {
  const seconds = new Date(ms).toISOString().slice(0, 19);
  return micros === undefined ? `${seconds}Z` : `${seconds}.${micros}Z`;
}

const layouts = { seconds: '2006-01-02T15:04:05Z07:00', micros: '2006-01-02T15:04:05.000000Z07:00' };

/** Returns the first mismatch that Go reports: the rest of the text and the expected part of the layout. */
function firstMismatch(text: string, layout: string): { readonly rest: string; readonly expected: string } {
  const parts = layout.match(/2006|-|01|02|T|15|:|04|05|\.000000|Z07:00/g) ?? [];
  let rest = text;
  for (const part of parts) {
    const shape =
      part === 'Z07:00' ? /^(Z|[+-]\d\d:\d\d)/ : new RegExp(`^${part.replace('.', '\\.').replaceAll(/\d/g, '\\d')}`);
    const found = shape.exec(rest);
    if (found === null) return { rest, expected: part };
    rest = rest.slice(found[0].length);
  }
  return { rest, expected: '' };
}

/** Returns the error of Go's `time.Parse` for a text that does not match the layout. */
export function timeParseMessage(text: string, micro = false): string {
  const layout = micro ? layouts.micros : layouts.seconds;
  const { rest, expected } = firstMismatch(text, layout);
  const head = `parsing time ${quoted(text)}`;
  return expected === ''
    ? `${head}: day out of range`
    : `${head} as ${quoted(layout)}: cannot parse ${quoted(rest)} as ${quoted(expected)}`;
}

/** Returns an RFC 3339 time as the server stores it, in seconds; undefined when it is invalid. */
export function canonicalTime(text: string): string | undefined {
  const match = pattern.exec(text);
  const ms = match === null ? Number.NaN : Date.parse(text.replace(',', '.'));
  return Number.isNaN(ms) || !dayExists(match) ? undefined : textOf(ms, undefined);
}

/** Returns a time with six decimals as the server stores it; undefined when it is invalid. */
export function canonicalMicroTime(text: string): string | undefined {
  const match = pattern.exec(text);
  if (match?.[7]?.length !== 6 || !dayExists(match)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : textOf(ms, match[7]);
}

function dayExists(match: RegExpExecArray | null): boolean {
  if (match === null) return false;
  const [, year, month, day] = match.map(Number);
  return day! <= new Date(Date.UTC(year!, month!, 0)).getUTCDate();
}
