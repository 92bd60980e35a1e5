import test from 'ava';
import { apiErrorOf, statusOf } from '../../../../../sdk/client/http/api-errors.ts';
import {
  AlreadyExistsError,
  ApiError,
  ConflictError,
  ExpiredError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
} from '../../../../../sdk/errors.ts';
import { failure } from '../scripted-server.ts';

const request = { method: 'GET', path: '/x', server: 'https://a' };

for (const [code, reason, Class] of [
  [409, 'AlreadyExists', AlreadyExistsError],
  [409, 'Conflict', ConflictError],
  [409, '', ConflictError],
  [410, 'Expired', ExpiredError],
  [410, 'Gone', ExpiredError],
  [404, 'NotFound', NotFoundError],
  [422, 'Invalid', InvalidError],
  [403, 'Forbidden', ForbiddenError],
  [401, 'Unauthorized', ForbiddenError],
  [429, 'TooManyRequests', ApiError],
  [500, 'InternalError', ApiError],
  [504, 'Timeout', ApiError],
  [418, '', ApiError],
] as const)
  test(`${code} ${reason || 'without a reason'} is a ${Class.name}`, (t) => {
    const error = apiErrorOf(statusOf(code, JSON.stringify(failure(code, reason, 'why'))), request);
    t.is(error.constructor, Class);
    t.is(error.code, code);
    t.is(error.message, 'why');
    t.deepEqual(error.request, request);
  });

test('the Status says how long to wait, unless the answer did', (t) => {
  const status = {
    ...statusOf(429, JSON.stringify(failure(429, 'TooManyRequests'))),
    details: { retryAfterSeconds: 2 },
  };
  t.is(apiErrorOf(status, request).retryAfter, 2_000);
  t.is(apiErrorOf(status, request, 500).retryAfter, 500);
});

test('an answer that is not a Status is quoted, and has the reason of its code', (t) => {
  const error = apiErrorOf(statusOf(404, '404 page not found\n'), request);
  t.is(error.constructor, NotFoundError);
  t.is(error.message, 'HTTP 404: 404 page not found');
  t.is(statusOf(502, '<html>'.repeat(1_000)).message?.length, 'HTTP 502: '.length + 300);
  t.is(statusOf(503, '').message, 'HTTP 503 without a body');
  t.is(statusOf(500, '{"kind":"Other"}').message, 'HTTP 500: {"kind":"Other"}');
});

test('a webhook that gives a reason named like a member of every object is told in its words, by its code', (t) => {
  for (const reason of ['constructor', 'toString', '__proto__', 'valueOf']) {
    const error = apiErrorOf(statusOf(403, JSON.stringify(failure(403, reason, 'why'))), request);
    t.is(error.constructor, ForbiddenError, reason);
    t.is(error.message, 'why');
  }
});
