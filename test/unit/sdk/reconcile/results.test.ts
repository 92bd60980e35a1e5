import test from 'ava';
import { GiveUpError, RetryError, StaleError, ThrottledError } from '../../../../sdk/errors.ts';
import { keepFinalizer, requeueAfter, stop } from '../../../../sdk/reconcile/reconciler.ts';
import { Results } from '../../../../sdk/reconcile/results.ts';

const seconds = (count: number): number => count * 1000;
const failure = new Error('failed');

const resultsWith = (fill: (results: Results) => void): Results => {
  const results = new Results();
  fill(results);
  return results;
};

test('OKT-7: the smallest delay wins, success without one asks for nothing, and none is longer than 6 h', (t) => {
  const failing = resultsWith((results) => {
    results.addOp('CRUDError', { error: failure, requeueAfter: seconds(30) });
    results.addOp('CRUDError', { error: new Error('another'), requeueAfter: seconds(5) });
    results.addOp('AskRequeue', { requeueAfter: seconds(10) });
  });
  t.deepEqual(failing.consolidated(), { givenUp: false, error: failure, requeueAfter: seconds(5) });
  t.throws(() => failing.settle(), { instanceOf: RetryError, message: 'failed' });

  const succeeding = resultsWith((results) => {
    results.addOp('Created', { requeueAfter: 0 });
    results.addOpSuccess('None', 'Deployment default/a');
  });
  t.deepEqual(succeeding.settle(), {});
  const patient = resultsWith((results) => results.addOp('AskRequeue', { requeueAfter: seconds(100_000) }));
  t.deepEqual(patient.settle(), requeueAfter(seconds(21_600)));
});

test('OKT-8: giving up outweighs every wish for another run, and each run gives up by itself', (t) => {
  const [mine, theirs] = [new Results(), new Results()];
  mine.addGiveupError('CRSemanticError', { error: new Error('mine') });
  theirs.addGiveupError('CRSemanticError', { error: new Error('theirs') });
  mine.addOp('CRUDError', { error: failure, requeueAfter: seconds(3) });
  mine.addGiveupError('CRNotExist');
  const alarm = t.throws(() => mine.settle(), { instanceOf: GiveUpError, message: 'mine' });
  t.false('retryAfter' in alarm!);
  t.throws(() => theirs.settle(), { instanceOf: GiveUpError, message: 'theirs' });
});

test('OKT-c3: giving up quietly does not take an alarm back, before it or after it', (t) => {
  for (const order of [
    [undefined, failure],
    [failure, undefined],
  ]) {
    const results = resultsWith((all) => {
      for (const error of order) all.addGiveupError('CRSemanticError', error === undefined ? {} : { error });
    });
    t.throws(() => results.settle(), { instanceOf: GiveUpError, message: 'failed' });
  }
});

test('alarms can be taken back before the end of a run: they stay to be read, and giving up quietly stands', (t) => {
  const results = new Results();
  results.addGiveupError('CRSemanticError', { error: new Error('wrong'), resource: 'it' });
  results.addError(new GiveUpError('thrown'));
  results.addOp('CRUDError', { error: new Error('busy') });
  t.deepEqual(
    results.withdrawAlarms().map(({ message }) => message),
    ['wrong', 'thrown'],
  );
  t.deepEqual(results.withdrawAlarms(), []);
  t.like(results.operations[0], { name: 'CRSemanticError', resource: 'it', withdrawn: { message: 'wrong' } });
  t.deepEqual([results.isOver, results.errors, results.counts.CRSemanticError], [false, 1, 1]);
  t.throws(() => results.settle(), { message: 'busy' });
  results.addGiveupError('CRNotReady');
  t.deepEqual(results.withdrawAlarms(), []);
  t.deepEqual(results.settle(), stop);
});

test('OKT-c4: a delay that comes with an error is honoured, the error’s own too', (t) => {
  const noted = resultsWith((results) => results.addOp('CRUDError', { error: failure, requeueAfter: seconds(3) }));
  const thrown = t.throws(() => noted.settle(), { instanceOf: RetryError });
  t.is(thrown?.retryAfter, seconds(3));
  t.is(thrown?.cause, failure);

  const throttled = new ThrottledError('slow down', seconds(7));
  const patient = resultsWith((results) => results.addOp('CRUDError', { error: throttled }));
  t.is(
    t.throws(() => patient.settle()),
    throttled,
  );
});

test('when no error came with a delay, the retry policy decides, whatever else was wished for', (t) => {
  const results = resultsWith((all) => {
    all.addOp('CRUDError', { error: failure });
    all.addOp('AskRequeue', { requeueAfter: seconds(5) });
    all.addResult(requeueAfter(seconds(1)));
  });
  t.is(
    t.throws(() => results.settle()),
    failure,
  );
  results.addOp('CRUDError', { error: new Error('another'), requeueAfter: seconds(3) });
  t.like(
    t.throws(() => results.settle(), { instanceOf: RetryError }),
    { message: 'failed', retryAfter: seconds(1) },
  );
});

test('what is stale stays recognisable, so that the engine looks again at once', (t) => {
  const stale = new StaleError('changed');
  const results = resultsWith((all) => all.addError(stale));
  t.is(
    t.throws(() => results.settle()),
    stale,
  );
});

test('the delay of SameStatusError takes the place of smaller ones', (t) => {
  const results = resultsWith((all) => {
    all.addOp('CRUDError', { error: failure, requeueAfter: seconds(3) });
    all.addOp('SameStatusError', { requeueAfter: seconds(60) });
  });
  t.is(t.throws(() => results.settle(), { instanceOf: RetryError })?.retryAfter, seconds(60));
});

test('what was returned counts beside what was noted; a stop ends the pass, with its wishes', (t) => {
  const results = resultsWith((all) => {
    all.addOp('AskRequeue', { requeueAfter: seconds(10) });
    all.addResult({ requeueAfter: 0, stop: true });
    all.addResult({ state: { a: 1 } });
  });
  t.true(results.isOver);
  t.deepEqual(results.settle(), { requeueAfter: 0, stop: true, state: { a: 1 } });
});

test('giving up quietly is a stop without a wish', (t) => {
  const results = resultsWith((all) => {
    all.addResult({ ...requeueAfter(5), ...keepFinalizer });
    all.addGiveupError('CRNotReady');
  });
  t.deepEqual(results.settle(), { ...keepFinalizer, ...stop });
});

test('what was thrown after it was noted counts once, and counts are kept by name', (t) => {
  const results = resultsWith((all) => {
    t.is(all.addOp('CRUDError', { error: failure, requeueAfter: seconds(3) }), failure);
    all.addError(failure);
    all.addError('a string');
    all.addOpSuccess('None');
    all.addOpSuccess('None');
  });
  t.deepEqual(results.counts, { CRUDError: 1, HookError: 1, None: 2 });
  t.is(results.errors, 2);
});
