import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { nextRun } from '../../../../../sdk/operator/engine/next-run.ts';
import { resource, resources } from '../../../../../sdk/reconcile/operatorkit/resource.ts';
import { type Result, requeueAfter, stop } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { exponentialBackoff } from '../../../../../sdk/retry.ts';
import { aConfigMap, inDefault } from '../../operator/controlled.ts';

const live = requestFor(ConfigMap, aConfigMap('a'));
const deleting = requestFor(ConfigMap, {
  ...aConfigMap('a'),
  metadata: { ...inDefault('a'), deletionTimestamp: '2026-01-01T00:00:00Z' },
});

/** Resources r0, r1, ... that record their calls, each with the given result. */
function list(...ends: readonly (Result | Error | undefined)[]) {
  const calls: string[] = [];
  const made = ends.map((end, index) => {
    const act = (what: string) => () => {
      calls.push(`${what} r${index}`);
      if (end instanceof Error) throw end;
      return end;
    };
    return resource<ConfigMap>({ name: `r${index}`, ensureCreated: act('create'), ensureDeleted: act('delete') });
  });
  return { calls, reconcile: resources(made) };
}

test('OK-1: one that stops the reconciliation is the last to run, without an error', async (t) => {
  const { calls, reconcile } = list(undefined, undefined, stop, undefined, undefined);
  t.deepEqual(await reconcile(live), stop);
  t.deepEqual(calls, ['create r0', 'create r1', 'create r2']);
});

test('OK-5: one that throws is the last to run; the error comes out, and is tried again with back-off', async (t) => {
  const { calls, reconcile } = list(undefined, new Error('no'), undefined);
  const error = await t.throwsAsync(reconcile(live), { message: 'no' });
  t.deepEqual(calls, ['create r0', 'create r1']);
  const retry = exponentialBackoff({ jitter: 0 });
  t.deepEqual(
    [0, 1, 2].map((attempt) => nextRun({ error }, attempt, { retry })),
    [1000, 2000, 4000],
  );
});

test('OK-6: an empty list is refused', (t) => {
  t.throws(() => resources([]), { instanceOf: TypeError, message: /the list is empty/ });
});

test('OK-c9: a deletion goes through the resources in reverse (operatorkit: in the same order)', async (t) => {
  const { calls, reconcile } = list(undefined, undefined, undefined);
  await reconcile(live);
  await reconcile(deleting);
  t.deepEqual(calls, ['create r0', 'create r1', 'create r2', 'delete r2', 'delete r1', 'delete r0']);
});

test('OK-c2: what resources wish adds up', async (t) => {
  t.deepEqual(await list(requeueAfter(9), requeueAfter(5), undefined).reconcile(live), requeueAfter(5));
});

test('OK-c9: what is gone is deleted by the last state that is known, in reverse; where none is, nothing is called', async (t) => {
  const { calls, reconcile } = list(undefined, undefined);
  const gone = inDefault('a');
  t.deepEqual(await reconcile(requestFor(ConfigMap, gone, { cause: 'deleted' })), {});
  t.deepEqual(calls, []);
  const event = { action: 'deleted', object: aConfigMap('a') } as const;
  t.deepEqual(await reconcile(requestFor(ConfigMap, gone, { cause: 'deleted', event })), {});
  t.deepEqual(calls, ['delete r1', 'delete r0']);
});

test('a deletion of what is gone that fails or asks to come back does so', async (t) => {
  const event = { action: 'deleted', object: aConfigMap('a', { x: '1' }) } as const;
  const gone = requestFor(ConfigMap, inDefault('a'), { cause: 'deleted', event });
  await t.throwsAsync(list(new Error('in use')).reconcile(gone), { message: 'in use' });
  t.deepEqual(await list(requeueAfter(5)).reconcile(gone), requeueAfter(5));
  const seen: unknown[] = [];
  const noting = resource<ConfigMap>({
    name: 'port',
    ensureCreated: () => undefined,
    ensureDeleted: ({ object }) => void seen.push(object.data?.x),
  });
  await noting(gone);
  t.deepEqual(seen, ['1']);
});
