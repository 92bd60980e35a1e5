import test from 'ava';
import { defaultRetryPolicy, exponentialBackoff, noRetry } from '../../../sdk/operator/retry.ts';

test('exponential back-off doubles up to its cap', (t) => {
  const policy = exponentialBackoff({ initialDelay: 5000, maxDelay: 60_000, jitter: 0 });
  t.deepEqual(
    [0, 1, 2, 3, 4, 5, 5000].map((attempt) => policy(undefined, attempt)),
    [5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000],
  );
});

test('exponential back-off takes up to its jitter off a delay', (t) => {
  const policy = (value: number) => exponentialBackoff({ initialDelay: 1000, jitter: 0.2, random: () => value });
  t.is(policy(0)(undefined, 0), 1000);
  t.is(policy(1)(undefined, 0), 800);
});

test('exponential back-off ends after its last attempt', (t) => {
  const policy = exponentialBackoff({ initialDelay: 10, jitter: 0, maxAttempts: 2 });
  t.deepEqual(
    [0, 1, 2].map((attempt) => policy(undefined, attempt)),
    [10, 20, undefined],
  );
  t.is(noRetry(new Error('no'), 0), undefined);
});

test('exponential back-off refuses options that make no sense', (t) => {
  t.throws(() => exponentialBackoff({ initialDelay: 0 }), {
    instanceOf: TypeError,
    message: /initialDelay must be more than 0 ms, found 0/,
  });
  t.throws(() => exponentialBackoff({ initialDelay: 10, maxDelay: 5 }), {
    message: /maxDelay must be at least initialDelay \(10\), found 5/,
  });
  t.throws(() => exponentialBackoff({ jitter: 2 }), { message: /jitter/ });
  t.throws(() => exponentialBackoff({ maxAttempts: Number.NaN }), { message: /maxAttempts/ });
  t.throws(() => exponentialBackoff({ intialDelay: 5 } as object), {
    message: /intialDelay is no option; known are initialDelay/,
  });
});

test('GRAF-T2: the default policy of a watch controller is there by name', (t) => {
  const delays = [0, 1, 2, 3, 4, 5].map((attempt) => defaultRetryPolicy(undefined, attempt) ?? 0);
  for (const [attempt, delay] of delays.entries()) {
    const longest = 5000 * 2 ** attempt;
    t.true(delay <= longest && delay > 0.8 * longest - 1, `${attempt}: ${delay}`);
  }
  t.is(defaultRetryPolicy(undefined, 6), undefined);
});
