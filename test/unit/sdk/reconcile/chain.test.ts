import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { chain } from '../../../../sdk/reconcile/chain.ts';
import { type Result, requeueAfter, stop } from '../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';

const request = requestFor(ConfigMap, { name: 'a' });

const links = (...ends: readonly (Result | Error)[]) => {
  const calls: number[] = [];
  const reconcilers = ends.map((end, index) => async () => {
    calls.push(index);
    if (end instanceof Error) throw end;
    return end;
  });
  return { calls, reconcile: chain<ConfigMap>(...reconcilers) };
};

test('runs in order, and what each wishes adds up', async (t) => {
  const { calls, reconcile } = links(requeueAfter(30), {}, requeueAfter(5));
  t.deepEqual(await reconcile(request), requeueAfter(5));
  t.deepEqual(calls, [0, 1, 2]);
});

test('ends where one says stop, with what was wished before', async (t) => {
  const { calls, reconcile } = links(requeueAfter(30), stop, requeueAfter(5));
  t.deepEqual(await reconcile(request), { requeueAfter: 30, stop: true });
  t.deepEqual(calls, [0, 1]);
});

test('ends at the first error', async (t) => {
  const { calls, reconcile } = links({}, new Error('no'), {});
  await t.throwsAsync(reconcile(request), { message: 'no' });
  t.deepEqual(calls, [0, 1]);
});
