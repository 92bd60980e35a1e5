import test from 'ava';
import { retryAfterHeader, retryDelayOf } from '../../../../../sdk/client/http/retry-after.ts';

const now = Date.UTC(2026, 0, 1);
const refusal = { status: 429, headers: {}, attempt: 0, now, random: () => 0 };

test('Retry-After is seconds or a date', (t) => {
  t.is(retryAfterHeader({ 'retry-after': '3' }, now), 3_000);
  t.is(retryAfterHeader({ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, now), 10_000);
  t.is(retryAfterHeader({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, now), 1_000);
  t.is(retryAfterHeader({ 'retry-after': 'soon' }, now), undefined);
  t.is(retryAfterHeader({}, now), undefined);
});

test('Retry-After is a second at least, and an hour at most', (t) => {
  for (const value of ['0', '-5', 'Wed, 31 Dec 1969 00:00:00 GMT'])
    t.is(retryAfterHeader({ 'retry-after': value }, now), 1_000, value);
  for (const value of ['1000000000', '9'.repeat(400), 'Fri, 31 Dec 9999 00:00:00 GMT'])
    t.is(retryAfterHeader({ 'retry-after': value }, now), 3_600_000, value);
});

test('only a 429, and a 503 with Retry-After, may be sent again', (t) => {
  const statuses = [400, 401, 404, 409, 429, 500, 502, 503, 504];
  const after = { 'retry-after': '1' };
  t.deepEqual(
    statuses.filter((status) => retryDelayOf({ ...refusal, status }) !== undefined),
    [429],
  );
  t.deepEqual(
    statuses.filter((status) => retryDelayOf({ ...refusal, status, headers: after }) !== undefined),
    [429, 503],
  );
});

test('clients refused together come back spread over a quarter more time', (t) => {
  t.is(retryDelayOf({ ...refusal, headers: { 'retry-after': '4' }, random: () => 0.5 }), 4_500);
});

test('patience ends', (t) => {
  t.is(retryDelayOf({ ...refusal, attempt: 4 }), 1_000);
  t.is(retryDelayOf({ ...refusal, attempt: 5 }), undefined);
});
