import test from 'ava';
import * as errors from '../../../sdk/errors.ts';

test('every error has its own name, so that logs and instanceof agree', (t) => {
  const classes = Object.entries(errors).filter(
    ([, value]) => typeof value === 'function' && value.prototype instanceof Error,
  );
  t.true(classes.length >= 15);
  for (const [name, value] of classes) t.is((value as { readonly prototype: Error }).prototype.name, name);
});

test('an API error keeps what the server said, and how long it asks to wait', (t) => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    code: 429,
    reason: 'TooManyRequests',
    message: 'slow down',
    details: { retryAfterSeconds: 2 },
  } as const;
  const error = new errors.ApiError(status, { method: 'GET', path: '/x', server: 's' });
  t.like(error, { code: 429, reason: 'TooManyRequests', message: 'slow down', retryAfter: 2_000 });
  t.is(new errors.ApiError(status, { method: 'GET', path: '/x', server: 's' }, 50).retryAfter, 50);
  t.is(
    new errors.ApiError({ kind: 'Status', apiVersion: 'v1', code: 500 }, { method: 'GET', path: '/x', server: 's' })
      .message,
    'GET /x: HTTP 500',
  );
});

test('what a server asks to wait is a second at least and an hour at most; what is no time means back-off', (t) => {
  const waits = [0, -5, Number.NaN, undefined, 5, 7_000, 1e12, Number.POSITIVE_INFINITY];
  t.deepEqual(
    waits.map((wait) => new errors.ThrottledError('slow down', wait).retryAfter),
    [undefined, undefined, undefined, undefined, 1_000, 7_000, 3_600_000, 3_600_000],
  );
  const answered = (retryAfterSeconds: number) =>
    new errors.ApiError(
      { kind: 'Status', apiVersion: 'v1', code: 429, details: { retryAfterSeconds } },
      { method: 'GET', path: '/x', server: 's' },
    ).retryAfter;
  t.deepEqual([-1, 0, 1e12].map(answered), [undefined, undefined, 3_600_000]);
});

test('no answer says where, what and why, with the cause kept', (t) => {
  const cause = new Error('ECONNRESET');
  const error = new errors.UnreachableError({ method: 'PATCH', path: '/a', server: 'https://s' }, cause, false);
  t.is(error.message, 'PATCH https://s/a: no answer (ECONNRESET)');
  t.is(error.cause, cause);
});

test('a conflict and a decision on what has changed are races, a refusal is none', (t) => {
  const request = { method: 'PUT', path: '/x', server: 's' };
  const status = { kind: 'Status', apiVersion: 'v1', code: 409 } as const;
  t.true(errors.isRace(new errors.ConflictError(status, request)));
  t.true(errors.isRace(new errors.StaleError('it has changed')));
  t.false(errors.isRace(new errors.AlreadyExistsError(status, request)));
});
