import test from 'ava';
import { nextRun } from '../../../sdk/operator/next-run.ts';
import { noRetry } from '../../../sdk/operator/retry.ts';
import { done, requeueAfter } from '../../../sdk/reconcile/reconciler.ts';

test('done asks for nothing, requeueAfter for another run', (t) => {
  t.is(nextRun({ result: done }, 0, { retry: noRetry }), undefined);
  t.is(nextRun({ result: requeueAfter(250) }, 0, { retry: noRetry }), 250);
});
