import test from 'ava';
import { ignoreNotFound } from '../../../../sdk/client/ignore-not-found.ts';
import { ForbiddenError, NotFoundError } from '../../../../sdk/errors.ts';

const request = { method: 'GET', path: '/x', server: 's' };
const refusal = (code: number) => ({ kind: 'Status', apiVersion: 'v1', code }) as const;

test('what is not there is undefined, what is there is as it was answered', async (t) => {
  t.is(await ignoreNotFound(Promise.reject(new NotFoundError(refusal(404), request))), undefined);
  t.is(await ignoreNotFound(Promise.resolve('here')), 'here');
});

test('any other error passes through', async (t) => {
  const error = new ForbiddenError(refusal(403), request);
  t.is(await t.throwsAsync(ignoreNotFound(Promise.reject(error))), error);
});
