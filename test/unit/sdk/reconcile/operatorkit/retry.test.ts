import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { ConflictError, GiveUpError, StaleError, ThrottledError } from '../../../../../sdk/errors.ts';
import { crud } from '../../../../../sdk/reconcile/operatorkit/crud.ts';
import { resource } from '../../../../../sdk/reconcile/operatorkit/resource.ts';
import { withRetry } from '../../../../../sdk/reconcile/operatorkit/retry.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aConfigMap } from '../../operator/controlled.ts';

const failing = (times: number, error: Error = new Error('no')) => {
  let calls = 0;
  return {
    calls: () => calls,
    fn: () => {
      calls += 1;
      if (calls <= times) throw error;
    },
  };
};

const flaky = (fn: () => void) =>
  resource<ConfigMap>({ name: 'flaky', ensureCreated: fn, ensureDeleted: () => undefined });

const timed = (signal?: AbortSignal) => {
  const clock = createManualClock();
  return { clock, request: requestFor(ConfigMap, aConfigMap('a'), { clock, ...(signal && { signal }) }) };
};

test('OK-14: only the operation that failed is tried again, on the run’s clock', async (t) => {
  const { clock, request } = timed();
  const create = failing(2);
  let looks = 0;
  const dns = crud<ConfigMap, number, number, string>({
    name: 'dns',
    getCurrentState: () => {
      looks += 1;
      return looks;
    },
    getDesiredState: () => 1,
    newUpdatePatch: () => ({ create: 'record' }),
    applyCreateChange: create.fn,
  });
  const running = withRetry({ retries: 3, initialDelay: 1000 }, dns)(request);
  await clock.advance(1999);
  t.is(create.calls(), 2);
  await clock.advance(1);
  t.deepEqual(await running, {});
  t.deepEqual([looks, create.calls()], [1, 3]);
});

test('the last error comes out when every try has failed; delays double up to a cap', async (t) => {
  const { clock, request } = timed();
  const { fn, calls } = failing(9);
  const running = withRetry({ retries: 3, initialDelay: 1000, maxDelay: 3000 }, flaky(fn))(request);
  const ended = t.throwsAsync(running, { message: 'no' });
  const counts: number[] = [];
  for (const ms of [0, 1000, 2000, 3000, 60_000]) {
    await clock.advance(ms);
    counts.push(calls());
  }
  await ended;
  t.deepEqual(counts, [1, 2, 3, 4, 4]);
});

test('what tells the engine what comes next is not tried again in line', async (t) => {
  const status = { kind: 'Status', apiVersion: 'v1', code: 409 } as const;
  const errors = [
    new GiveUpError('never'),
    new StaleError('changed'),
    new ConflictError(status, { method: 'PUT', path: '/', server: 's' }),
    new ThrottledError('slow', 5000),
  ];
  for (const error of errors) {
    const { fn, calls } = failing(1, error);
    t.is(await t.throwsAsync(withRetry({}, flaky(fn))(timed().request)), error);
    t.is(calls(), 1);
  }
});

test('OK-c3: waiting ends with the run’s signal, and holds no other object', async (t) => {
  const abort = new AbortController();
  const { clock, request } = timed(abort.signal);
  const { fn, calls } = failing(9);
  const wrapped = withRetry({}, flaky(fn));
  const running = wrapped(request);
  const ended = t.throwsAsync(running, { message: 'stopping' });
  await clock.advance(0);
  const other = failing(0);
  await withRetry({}, flaky(other.fn))(requestFor(ConfigMap, aConfigMap('b'), { clock }));
  t.is(other.calls(), 1);
  abort.abort(new Error('stopping'));
  await ended;
  t.is(calls(), 1);
});

test('a reconciler that is not made of operations is tried again as a whole', async (t) => {
  const { clock, request } = timed();
  const { fn, calls } = failing(1);
  const running = withRetry<ConfigMap>({}, async () => {
    fn();
    return { requeueAfter: 7 };
  })(request);
  await clock.advance(1000);
  t.deepEqual(await running, { requeueAfter: 7 });
  t.is(calls(), 2);
});

test('options that make no sense are refused', (t) => {
  const cases: readonly [object, RegExp][] = [
    [{ retries: -1 }, /retries must be/],
    [{ retries: Infinity }, /retries must be/],
    [{ initialDelay: -1 }, /initialDelay must be/],
    [{ initialDelay: 9, maxDelay: 1 }, /maxDelay must be/],
    [{ jitter: 2 }, /jitter must be/],
    [{ times: 3 }, /times is not an option/],
  ];
  for (const [options, message] of cases)
    t.throws(
      () =>
        withRetry(
          options,
          flaky(() => undefined),
        ),
      { message },
    );
});
