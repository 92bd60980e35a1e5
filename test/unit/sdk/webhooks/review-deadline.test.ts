import test from 'ava';
import { parseGoDuration, reviewDeadline } from '../../../../sdk/webhooks/review-deadline.ts';

for (const [text, ms] of [
  ['10s', 10_000],
  ['1m30s', 90_000],
  ['1.5s', 1500],
  ['250ms', 250],
  ['1h', 3_600_000],
  ['', undefined],
  ['10', undefined],
  ['s', undefined],
  ['10s ', undefined],
  ['-1s', undefined],
  [`${'1s'.repeat(40)}`, undefined],
] as const)
  test(`the duration ${JSON.stringify(text)} is ${ms === undefined ? 'none' : `${ms} ms`}`, (t) =>
    t.is(parseGoDuration(text), ms));

for (const [url, ms] of [
  ['/validate/x?timeout=10s', 9500],
  ['/validate/x?timeout=1s', 900],
  ['/validate/x', 9500],
  ['/validate/x?timeout=never', 9500],
  ['/validate/x?timeout=1h', 29_500],
  ['/validate/x?timeout=0s', 9500],
] as const)
  test(`a review at ${url} is answered within ${ms} ms`, (t) => t.is(reviewDeadline(url), ms));
