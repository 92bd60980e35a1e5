import test from 'ava';
import { ifThere } from '../../../sdk/client/if-there.ts';
import { ForbiddenError, NotFoundError } from '../../../sdk/errors.ts';

const request = { method: 'GET', path: '/x', server: 's' };
const refusal = (code: number) => ({ kind: 'Status', apiVersion: 'v1', code }) as const;

test('what is not there is undefined, what is there is as it was answered', async (t) => {
  t.is(await ifThere(Promise.reject(new NotFoundError(refusal(404), request))), undefined);
  t.is(await ifThere(Promise.resolve('here')), 'here');
});

test('any other error passes through', async (t) => {
  const error = new ForbiddenError(refusal(403), request);
  t.is(await t.throwsAsync(ifThere(Promise.reject(error))), error);
});
