import test from 'ava';
import {
  ConflictError,
  DefiniteError,
  GiveUpError,
  RetryError,
  StaleError,
  ThrottledError,
} from '../../../../../sdk/errors.ts';
import { nextRun, type Settled } from '../../../../../sdk/operator/engine/next-run.ts';

const conflict = new ConflictError(
  { kind: 'Status', apiVersion: 'v1', code: 409, reason: 'Conflict' },
  { method: 'PUT', path: '/x', server: 'test' },
);
const retry = (_error: unknown, attempt: number) => 1000 * (attempt + 1);
const random = () => 0;

const cases: readonly (readonly [string, Settled, number, number | undefined])[] = [
  ['a result without a wish waits for a change', { result: {} }, 0, undefined],
  ['a result with a delay gets it', { result: { requeueAfter: 250 } }, 0, 250],
  ['a result that asks for no delay lets timers and responses have their turn', { result: { requeueAfter: 0 } }, 0, 1],
  ['so does an error that asks for none', { error: new RetryError('again', { retryAfter: 0 }) }, 0, 1],
  ['a plain error asks the policy', { error: new Error('no') }, 2, 3000],
  ['something thrown that is not an error asks the policy', { error: 'no' }, 0, 1000],
  ['a definite refusal asks the policy', { error: new DefiniteError('no') }, 0, 1000],
  ['an error that names a delay gets it', { error: new ThrottledError('later', 7000) }, 3, 7000],
  ['giving up waits for a change', { error: new GiveUpError('never') }, 0, undefined],
  [
    'giving up is final even with a delay',
    { error: Object.assign(new GiveUpError('never'), { retryAfter: 5 }) },
    0,
    undefined,
  ],
  ['a conflict runs again at once', { error: conflict }, 0, 0],
  ['stale data runs again at once', { error: new StaleError('old') }, 2, 0],
  ['stale again and again slows down', { error: new StaleError('old') }, 3, 20],
  ['and stays capped', { error: conflict }, 40, 1000],
  [
    'a delay that is not a number is not a delay',
    { error: Object.assign(new Error('no'), { retryAfter: 'soon' }) },
    0,
    1000,
  ],
];
for (const [title, settled, attempt, delay] of cases)
  test(title, (t) => {
    t.is(nextRun(settled, attempt, { retry, random }), delay);
  });
