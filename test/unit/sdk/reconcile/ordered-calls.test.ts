import test from 'ava';
import { OrderedCalls } from '../../../../sdk/reconcile/ordered-calls.ts';

test('a call begins when those before it have ended, failed or not; one carried out now does not wait', async (t) => {
  const calls = new OrderedCalls();
  const log: string[] = [];
  const first = Promise.withResolvers<void>();
  const noted = (name: string) => async () => void log.push(name);
  const failing = calls.run(() => first.promise);
  void calls.runAfterOthers(noted('after'));
  void calls.run(noted('now'));
  t.deepEqual(log, ['now']);
  first.reject(new Error('no'));
  await t.throwsAsync(failing, { message: 'no' });
  await calls.settled();
  t.deepEqual(log, ['now', 'after']);
});

test('the failure of a call that is not waited for comes out once, when all are', async (t) => {
  const calls = new OrderedCalls();
  void calls.runAfterOthers(async () => {
    throw new Error('wrong');
  });
  await t.throwsAsync(calls.settled(), { message: 'wrong' });
  await t.notThrowsAsync(calls.settled());
});
