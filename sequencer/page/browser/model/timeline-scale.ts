/** Places spans of time on a line. */

import type { StatusSpan } from '../../page-model.ts';

/** Part of a time line; ms since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Span on the line, in percent of its length. */
export interface PlacedSpan {
  readonly span: StatusSpan;
  readonly left: number;
  readonly width: number;
}

/** Shortest window, ms. */
const minLength = 2000;
/** Share of the window after the last change of an ended timeline. */
const tailShare = 0.15;

/** Returns the window of the last walk: from the first change after the longest rest, up to now or a little after the last change. */
export function windowOf(all: readonly (readonly StatusSpan[])[], now: number): TimeWindow {
  const changes = [...new Set(all.flatMap((spans) => spans.map(({ from }) => from)))].sort((one, other) => one - other);
  const last = changes.at(-1) ?? now;
  const first = changes.findLastIndex((at, index) => index === 0 || at - (changes[index - 1] ?? at) > 300_000);
  const from = changes[Math.max(0, first)] ?? now;
  const length = Math.max(minLength, last - from);
  return { from, to: Math.max(from + minLength, Math.min(now, last + length * tailShare + minLength)) };
}

/** Returns the spans inside of the window. */
export function placeSpans(spans: readonly StatusSpan[], { from, to }: TimeWindow, now: number): readonly PlacedSpan[] {
  const length = Math.max(1, to - from);
  const inside = (time: number): number => Math.min(to, Math.max(from, time));
  return spans.flatMap((span) => {
    const end = span.to ?? Math.max(now, span.from);
    if (end < from || span.from > to) return [];
    const left = inside(span.from) - from;
    return [{ span, left: (100 * left) / length, width: (100 * (inside(end) - from - left)) / length }];
  });
}

const steps = [
  100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 21_600_000,
];

/** Returns the marks of the scale: ms after its beginning, at most six. */
export function marksOf({ from, to }: TimeWindow): readonly number[] {
  const length = to - from;
  const step = steps.find((one) => length / one <= 6) ?? length / 6;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}
