import test from 'ava';
import { patienceOf, retryAfterOf } from '../../../sdk/client/patience.ts';

const now = Date.UTC(2026, 0, 1);
const refusal = { status: 429, headers: {}, attempt: 0, now, random: () => 0 };

test('Retry-After is seconds or a date', (t) => {
  t.is(retryAfterOf({ 'retry-after': '3' }, now), 3_000);
  t.is(retryAfterOf({ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, now), 10_000);
  t.is(retryAfterOf({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, now), 0);
  t.is(retryAfterOf({ 'retry-after': 'soon' }, now), undefined);
  t.is(retryAfterOf({}, now), undefined);
});

test('only a 429, and a 503 with Retry-After, may be sent again', (t) => {
  const statuses = [400, 401, 404, 409, 429, 500, 502, 503, 504];
  const after = { 'retry-after': '1' };
  t.deepEqual(
    statuses.filter((status) => patienceOf({ ...refusal, status }) !== undefined),
    [429],
  );
  t.deepEqual(
    statuses.filter((status) => patienceOf({ ...refusal, status, headers: after }) !== undefined),
    [429, 503],
  );
});

test('clients refused together come back spread over a quarter more time', (t) => {
  t.is(patienceOf({ ...refusal, headers: { 'retry-after': '4' }, random: () => 0.5 }), 4_500);
});

test('patience ends', (t) => {
  t.is(patienceOf({ ...refusal, attempt: 4 }), 1_000);
  t.is(patienceOf({ ...refusal, attempt: 5 }), undefined);
});
