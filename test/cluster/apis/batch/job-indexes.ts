/** Parses lists of completion indexes. */

import { quoted } from '../../apimachinery/field-error.ts';

/** Parsed list of indexes such as `0-2,5`. */
export interface Indexes {
  /** Number of indexes; 0 when the list is invalid. */
  readonly count: number;
  /** First problem, in the server's words. */
  readonly problem?: string;
}

type Interval = readonly [first: number, last: number];

const numberOf = (text: string, completions: number): number | string => {
  if (!/^[-+]?\d+$/.test(text)) return `cannot convert string to integer for index: ${quoted(text)}`;
  return Number(text) >= completions ? `too large index: ${quoted(text)}` : Number(text);
};

/** Parses an interval; returns its ends, or the problem. */
function intervalOf(text: string, completions: number): Interval | string {
  const parts = text.split('-');
  if (parts.length > 2) {
    return `the fragment ${quoted(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const first = numberOf(parts[0]!, completions);
  if (typeof first === 'string') return first;
  if (parts[1] === undefined) return [first, first];
  const last = numberOf(parts[1], completions);
  if (typeof last === 'string') return last;
  return first >= last ? `non-increasing order, previous: ${first}, current: ${last}` : [first, last];
}

/** Parses ascending indexes below `completions`. */
export function indexesOf(text: string, completions: number): Indexes {
  if (text === '') return { count: 0 };
  let count = 0;
  let previous: number | undefined;
  for (const part of text.split(',')) {
    const interval = intervalOf(part, completions);
    if (typeof interval === 'string') return { count: 0, problem: interval };
    const [first, last] = interval;
    if (previous !== undefined && previous >= first) {
      return { count: 0, problem: `non-increasing order, previous: ${previous}, current: ${first}` };
    }
    count += last - first + 1;
    previous = last;
  }
  return { count };
}

const intervalsOf = (text: string, completions: number): readonly Interval[] =>
  text
    .split(',')
    .map((part) => intervalOf(part, completions))
    .filter((interval) => typeof interval !== 'string');

/** Returns the first index in both lists; undefined when there is none. Invalid intervals are skipped. */
export function overlapOf(one: string, other: string, completions: number): number | undefined {
  const [ours, theirs] = [intervalsOf(one, completions), intervalsOf(other, completions)];
  let place = 0;
  for (const [first, last] of ours) {
    while (place < theirs.length && theirs[place]![1] < first) place += 1;
    const met = theirs[place];
    if (met !== undefined && met[0] <= last) return Math.max(first, met[0]);
  }
  return undefined;
}
