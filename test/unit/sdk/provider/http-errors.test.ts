import { createServer } from 'node:net';
import test from 'ava';
import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';
import { errorOfRequest, errorOfResponse } from '../../../../sdk/provider/http-errors.ts';

const now = Date.UTC(2026, 0, 1);
const kindOf = (error: Error): string =>
  error instanceof ThrottledError
    ? `throttled ${error.retryAfter}`
    : error instanceof DefiniteError
      ? 'definite'
      : 'ambiguous';
const answer = (status: number, retryAfter?: string) =>
  errorOfResponse(
    { status, headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) },
    'no',
    now,
  );

const cases: readonly (readonly [status: number, retryAfter: string | undefined, kind: string])[] = [
  [400, undefined, 'definite'],
  [404, undefined, 'definite'],
  [409, undefined, 'definite'],
  [422, undefined, 'definite'],
  [408, undefined, 'ambiguous'],
  [425, undefined, 'ambiguous'],
  [500, undefined, 'ambiguous'],
  [502, undefined, 'ambiguous'],
  [503, undefined, 'ambiguous'],
  [503, '2', 'throttled 2000'],
  [429, undefined, 'throttled undefined'],
  [429, '0', 'throttled 1000'],
  [429, new Date(now + 5_000).toUTCString(), 'throttled 5000'],
  [429, 'soon', 'throttled undefined'],
];
for (const [status, retryAfter, kind] of cases)
  test(`${status}${retryAfter === undefined ? '' : ` with Retry-After: ${retryAfter}`} is ${kind}`, (t) =>
    t.is(kindOf(answer(status, retryAfter)), kind));

test('a connection that was refused is definite', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const error = await t.throwsAsync(fetch(`http://127.0.0.1:${port}`));
  t.is(kindOf(errorOfRequest(error, 'no answer')), 'definite');
});

test('a connection that broke is ambiguous, and so is an unknown error', async (t) => {
  const server = createServer((socket) => void socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const error = await t.throwsAsync(fetch(`http://127.0.0.1:${port}`));
  server.close();
  t.is(kindOf(errorOfRequest(error, 'no answer')), 'ambiguous');
  t.is(kindOf(errorOfRequest('what', 'no answer')), 'ambiguous');
});

test('the cause is kept, the message is the caller’s, with the code of the system', (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' });
  const { message } = errorOfRequest(
    new TypeError('fetch failed', { cause: refused }),
    'creating the tunnel: no answer',
  );
  t.is(message, 'creating the tunnel: no answer (ECONNREFUSED)');
  const cause = new Error('x');
  t.like(errorOfRequest(cause, 'creating the tunnel: no answer'), { message: 'creating the tunnel: no answer', cause });
});
