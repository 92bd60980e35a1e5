import test from 'ava';
import type { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { ConfigMap as kind } from '../../../../../sdk/api/kinds.ts';
import {
  namedOperations,
  type OperationInterceptor,
  withInterceptor,
} from '../../../../../sdk/reconcile/operatorkit/operations.ts';
import { requeueAfter } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aConfigMap } from '../../operator/controlled.ts';

const request = requestFor(kind, aConfigMap('a'));

const noting =
  (said: string[], name: string): OperationInterceptor<ConfigMap> =>
  async ({ resource, operation }, run) => {
    said.push(`${name} before ${resource} ${operation}`);
    const result = await run();
    said.push(`${name} after`);
    return result;
  };

test('what is put around later is further out, and the reconciler before it stays as it was', async (t) => {
  const said: string[] = [];
  const plain = namedOperations<ConfigMap>('dns', async (_request, operate) =>
    requeueAfter(await operate('Look', () => 5)),
  );
  const wrapped = plain.intercept(noting(said, 'inner')).intercept(noting(said, 'outer'));
  t.deepEqual(await wrapped(request), requeueAfter(5));
  t.deepEqual(said, ['outer before dns Look', 'inner before dns Look', 'inner after', 'outer after']);
  await plain(request);
  t.is(said.length, 4);
});

test('OK-c10: wrapping twice nests twice, and one wrapped reconciler knows nothing of another', async (t) => {
  const [one, other]: [string[], string[]] = [[], []];
  const plain = namedOperations<ConfigMap>('dns', async (_request, operate) =>
    requeueAfter(await operate('Look', () => 5)),
  );
  await plain.intercept(noting(one, 'one'))(request);
  await plain.intercept(noting(other, 'other'))(request);
  t.deepEqual([one.length, other.length], [2, 2]);
});

test('a reconciler that is not made of operations is one', async (t) => {
  const said: string[] = [];
  const whole = async function website() {
    return requeueAfter(1);
  };
  t.deepEqual(await withInterceptor(whole, noting(said, 'it'))(request), requeueAfter(1));
  t.deepEqual(said, ['it before website Reconcile', 'it after']);
});
