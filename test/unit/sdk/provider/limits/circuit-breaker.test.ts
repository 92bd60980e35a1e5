import test from 'ava';
import {
  type CallOutcome,
  CircuitBreaker,
  type CircuitBreakerState,
} from '../../../../../sdk/provider/limits/circuit-breaker.ts';

const [answered, failed, unknown]: readonly CallOutcome[] = [
  { kind: 'answered' },
  { kind: 'failed' },
  { kind: 'unknown' },
] as const;
const throttled = (retryAfter: number): CallOutcome => ({ kind: 'throttled', retryAfter });

/** Its state and delay at some times. */
const at = (
  breaker: CircuitBreaker,
  ...times: readonly number[]
): readonly (readonly [CircuitBreakerState, number])[] => times.map((now) => [breaker.state(now), breaker.wait(now)]);

/** A circuit breaker that opened at 0. */
function opened(): CircuitBreaker {
  const breaker = new CircuitBreaker({ failures: 2, pause: 100, maxPause: 300 });
  breaker.end(failed!, 0);
  breaker.end(failed!, 0);
  return breaker;
}

test('it opens after so many failures in a row, and not before', (t) => {
  const breaker = new CircuitBreaker({ failures: 3, pause: 100 });
  for (const outcome of [failed, failed, answered, failed, throttled(0), unknown]) breaker.end(outcome!, 0);
  t.deepEqual(at(breaker, 0), [['closed', 0]]);
  breaker.end(failed!, 0);
  t.deepEqual(at(breaker, 0, 40, 100), [
    ['open', 100],
    ['open', 60],
    ['half-open', 0],
  ]);
});

test('after the pause one call goes out, and the next only when it has answered', (t) => {
  const breaker = opened();
  breaker.begin(100);
  t.deepEqual(at(breaker, 100), [['half-open', 5_000]]);
  breaker.end(answered!, 110);
  t.deepEqual(at(breaker, 110), [['closed', 0]]);
  t.true(breaker.isQuiet(110));
});

test('a probe that fails opens it for twice as long, up to the longest', (t) => {
  const breaker = opened();
  breaker.begin(100);
  breaker.end(failed!, 100);
  t.is(breaker.wait(100), 200);
  breaker.begin(300);
  breaker.end(throttled(10), 300);
  t.is(breaker.wait(300), 300);
  breaker.begin(600);
  breaker.end(failed!, 600);
  t.is(breaker.wait(600), 300);
});

test('a probe that learned nothing lets the next one go', (t) => {
  const breaker = opened();
  breaker.begin(100);
  breaker.end(unknown!, 120);
  t.deepEqual(at(breaker, 120), [['half-open', 0]]);
});

test('what was under way when it opened changes nothing', (t) => {
  const breaker = opened();
  breaker.end(answered!, 10);
  breaker.end(failed!, 20);
  t.deepEqual(at(breaker, 20), [['open', 80]]);
});

test('a Retry-After is kept, closed or open', (t) => {
  const breaker = new CircuitBreaker({ failures: 2, pause: 100 });
  breaker.end(throttled(500), 0);
  t.deepEqual(at(breaker, 0, 500), [
    ['closed', 500],
    ['closed', 0],
  ]);
  t.false(breaker.isQuiet(499));
  breaker.end(throttled(900), 0);
  t.deepEqual(at(breaker, 100, 899, 900), [
    ['open', 800],
    ['open', 1],
    ['half-open', 0],
  ]);
});
