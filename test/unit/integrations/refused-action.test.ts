import test from 'ava';
import { refusedAction, waitWhenThrottled } from '../../../integrations/refused-action.ts';
import { ApiError, type ConditionStatus, ForbiddenError, InvalidError } from '../../../sdk/index.ts';

const request = { method: 'POST', path: '/api/v1/pods', server: 'https://in-memory.cluster' };
const status = (code: number) =>
  ({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message: 'no' }) as const;
const throttled = (retryAfter?: number) => new ApiError(status(429), request, retryAfter);

/** A controller that notes its conditions. */
function noting() {
  const set: (readonly [ConditionStatus, string])[] = [];
  return { set, updateCondition: async (to: ConditionStatus, reason: string) => void set.push([to, reason]) };
}

test('an invalid object is not tried again, a forbidden one is', (t) => {
  t.deepEqual(refusedAction(new InvalidError(status(422), request)), { reason: 'no', isRetryable: false });
  t.deepEqual(refusedAction(new ApiError(status(400), request)), { reason: 'no', isRetryable: false });
  t.deepEqual(refusedAction(new ForbiddenError(status(403), request)), { reason: 'no', isRetryable: true });
});

test('any other error is thrown', async (t) => {
  const error = new Error('cut');
  t.throws(() => refusedAction(error), { is: error });
  const controller = noting();
  await t.throwsAsync(waitWhenThrottled(controller, error, 5), { is: error });
  t.deepEqual(controller.set, []);
});

test('while the API server throttles, the condition waits for as long as it says, or the interval', async (t) => {
  const controller = noting();
  t.like(await waitWhenThrottled(controller, throttled(), 5000), { requeueAfter: 5000 });
  t.like(await waitWhenThrottled(controller, throttled(700), 5000), { requeueAfter: 700 });
  t.deepEqual(controller.set, [
    ['Waiting', 'no'],
    ['Waiting', 'no'],
  ]);
});
