import test from 'ava';
import { backoffDelay, mistakeInBackoff } from '../../../sdk/client/backoff.ts';

const backoff = { initialDelay: 100, maxDelay: 1000, jitter: 0.5 };

test('doubles up to its cap, however often it is asked', (t) => {
  const delays = [0, 1, 2, 3, 4, 100_000].map((attempt) => backoffDelay(backoff, attempt, () => 0));
  t.deepEqual(delays, [100, 200, 400, 800, 1000, 1000]);
});

test('takes at most its jitter off', (t) => {
  t.is(
    backoffDelay(backoff, 0, () => 1),
    50,
  );
});

test('says what is wrong with a cap or a jitter', (t) => {
  t.is(mistakeInBackoff(backoff), undefined);
  t.is(mistakeInBackoff({ ...backoff, maxDelay: 50 }), 'maxDelay must be at least initialDelay (100), found 50');
  t.is(mistakeInBackoff({ ...backoff, jitter: 2 }), 'jitter must be between 0 and 1, found 2');
});
