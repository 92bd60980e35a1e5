import test from 'ava';
import {
  type Backoff,
  backoffDelay,
  backoffOf,
  backoffs,
  defaultRetryPolicy,
  exponentialBackoff,
  jitter,
  noRetry,
} from '../../../sdk/retry.ts';

const backoff = { initialDelay: 100, maxDelay: 1000, jitter: 0.5 };

test('a delay doubles up to its cap, however often it is asked', (t) => {
  const delays = [0, 1, 2, 3, 4, 100_000].map((attempt) => backoffDelay(backoff, attempt));
  t.deepEqual(delays, [100, 200, 400, 800, 1000, 1000]);
});

test('the first retries are immediate where the policy says so', (t) => {
  const delays = [0, 1, 2, 3].map((attempt) => backoffDelay({ ...backoff, immediate: 2 }, attempt));
  t.deepEqual(delays, [0, 0, 100, 200]);
});

test('jitter shortens a delay, or lengthens one that must not end earlier', (t) => {
  t.is(
    backoffDelay(backoff, 0, () => 1),
    50,
  );
  t.is(
    jitter(100, backoff, () => 1),
    150,
  );
});

test('every policy can be made options of, and is unchanged by that', (t) => {
  for (const [name, policy] of Object.entries<Backoff>(backoffs)) {
    if (name === 'leaderElection') continue; // client-go's jitter is more than a whole delay
    t.like(backoffOf(name, {}, { policy }), policy, name);
    t.like(backoffOf(name, policy, { policy: backoffs.run }), policy, name);
  }
});

test('an initial delay beyond the longest of the policy lengthens that', (t) => {
  t.is(exponentialBackoff({ initialDelay: 600_000, jitter: 0 })(undefined, 1), 600_000);
});

test('delays that do not grow in the policy do not grow from another initial delay', (t) => {
  t.like(backoffOf('withRetry', { initialDelay: 100 }, { policy: backoffs.operation }), { maxDelay: 100, retries: 3 });
});

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
  const policy = exponentialBackoff({ initialDelay: 10, jitter: 0, retries: 2 });
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
  t.throws(() => exponentialBackoff({ retries: Number.NaN }), { message: /retries/ });
  t.throws(() => exponentialBackoff({ intialDelay: 5 } as object), {
    message: /intialDelay is not an option; known are retries/,
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
