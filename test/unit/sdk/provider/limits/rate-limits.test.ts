import test from 'ava';
import {
  DefiniteError,
  errorOfRequest,
  FencedError,
  GiveUpError,
  InvalidError,
  ThrottledError,
  UnreachableError,
} from '../../../../../sdk/index.ts';
import type { CallOutcome } from '../../../../../sdk/provider/limits/circuit-breaker.ts';
import {
  callOutcomeOf,
  mistakeInLimits,
  RateLimiters,
  type RateLimits,
} from '../../../../../sdk/provider/limits/rate-limits.ts';

const request = { method: 'PATCH', path: '/', server: 'https://cluster' };
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const verdicts: readonly (readonly [title: string, error: unknown, kind: CallOutcome['kind']])[] = [
  ['a third party that says no has answered', new DefiniteError('no'), 'answered'],
  ['and so has one that is given up', new GiveUpError('never'), 'answered'],
  ['one that could not be reached has not', errorOfRequest(refused, 'not reached'), 'failed'],
  ['no answer is a failure', new Error('reset'), 'failed'],
  ['what is not an error at all too', 'what', 'failed'],
  ['a third party that asks for patience: throttled', new ThrottledError('later', 7), 'throttled'],
  ['the API server is another one', new InvalidError({ kind: 'Status', apiVersion: 'v1' }, request), 'unknown'],
  ['also when it does not answer', new UnreachableError(request, refused, false), 'unknown'],
  ['being fenced says nothing', new FencedError('taken over'), 'unknown'],
];
for (const [title, error, kind] of verdicts) test(title, (t) => t.is(callOutcomeOf(error).kind, kind));

const mistakes: readonly (readonly [object, RegExp | undefined])[] = [
  [{ rate: 5 }, undefined],
  [{ rate: 5, burst: 10, credential: () => 'a', breaker: { failures: 3, pause: 1_000 } }, undefined],
  [{ rate: 0 }, /^rate must be a number of calls per second above 0, found 0$/],
  [{ rate: Number.POSITIVE_INFINITY }, /^rate /],
  [{ rate: 1, burst: 0.5 }, /^burst must be a number of calls from 1, found 0.5$/],
  [{ rate: 1, speed: 2 }, /^speed is not an option; known are credential, rate, burst, breaker$/],
  [{ rate: 1, credential: 'a' }, /^credential must be a function/],
  [{ rate: 1, breaker: { failures: 0 } }, /^breaker.failures /],
  [{ rate: 1, breaker: { pause: 0 } }, /^breaker.pause /],
  [{ rate: 1, breaker: { pause: 900, maxPause: 500 } }, /^breaker.maxPause must be at least pause \(900 ms\)/],
  [{ rate: '5' }, /^rate must be .*, found "5"$/],
  [{ rate: 1, breaker: null }, /^breaker must be an object, found null$/],
  [{ rate: 1, breaker: { failures: '3' } }, /^breaker.failures must be .*, found "3"$/],
  [{ rate: 1, breaker: { pause: '9' } }, /^breaker.pause must be a number of ms from 1; found "9"$/],
  [
    { rate: 1, breaker: { pause: 30 } },
    /^breaker.pause must be at least 100 ms; found 30: it is in ms, not in seconds$/,
  ],
  [{ rate: 1, breaker: { longest: 5 } }, /^breaker.longest is not an option/],
];
for (const [limits, message] of mistakes)
  test(`${JSON.stringify(limits)} is ${message === undefined ? 'sound' : 'refused'}`, (t) => {
    const mistake = mistakeInLimits(limits as RateLimits);
    if (message === undefined) t.is(mistake, undefined);
    else t.regex(mistake ?? '', message);
  });

test('workspaces that use one credential share a line, integrations that share their limits too', (t) => {
  const limiters = new RateLimiters();
  const limits: RateLimits = { rate: 1, credential: ({ metadata }) => metadata.annotations?.credential ?? '' };
  const limiter = (credential: string, of = limits) => limiters.of(of, credential, 0);
  t.is(limiter('a'), limiter('a'));
  t.not(limiter('a'), limiter('b'));
  t.not(limiter('a'), limiter('a', { ...limits }));
  t.is(limiters.size, 3);
});

test('lines that are idle are forgotten, and a pause is told to the log', (t) => {
  const told: object[] = [];
  const limiters = new RateLimiters({ warn: (fields: object) => told.push(fields) } as never);
  const limits: RateLimits = { rate: 1, credential: ({ metadata }) => metadata.name, breaker: { failures: 1 } };
  for (let count = 0; count < 100; count += 1) {
    const credential = `ws-${count}`;
    const limiter = limiters.of(limits, credential, count * 5_000);
    const answer = limiter.reserve({ key: 'x', group: 'default' }, count * 5_000);
    if ('wait' in answer) return t.fail();
    answer.permit.begin(count * 5_000);
    answer.permit.end({ kind: count === 99 ? 'failed' : 'answered' }, count * 5_000);
    limiters.removeIdle(limits, credential, count * 5_000);
  }
  t.is(limiters.size, 1);
  t.deepEqual(told, [{ credential: 'ws-99' }]);
});

test('the state of each line is reported by its credential', (t) => {
  const limiters = new RateLimiters();
  const limits: RateLimits = { rate: 1, breaker: { failures: 1, pause: 7000 } };
  const limiter = limiters.of(limits, 'team-a', 0);
  const answer = limiter.reserve({ key: 'x', group: 'default' }, 0);
  if ('wait' in answer) return t.fail();
  limiter.reserve({ key: 'y', group: 'default' }, 0);
  t.like(limiters.states(0)[0], { breaker: 'closed', waiting: 1, pause: 0 });
  answer.permit.begin(0);
  answer.permit.end({ kind: 'failed' }, 0);
  t.deepEqual(limiters.states(1000), [{ limits, credential: 'team-a', breaker: 'open', waiting: 1, pause: 6000 }]);
});
