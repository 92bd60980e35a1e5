import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { GiveUpError } from '../../../../../sdk/errors.ts';
import type { OperationReconciler } from '../../../../../sdk/reconcile/operatorkit/operations.ts';
import { resource } from '../../../../../sdk/reconcile/operatorkit/resource.ts';
import { resourceSet, router } from '../../../../../sdk/reconcile/operatorkit/router.ts';
import { done, requeueAfter } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aConfigMap, inDefault } from '../../operator/controlled.ts';

const finalizer = 'example.com/ours';

function versions(...names: readonly string[]) {
  const calls: string[] = [];
  const sets = names.map((name) =>
    resourceSet<ConfigMap>({
      name,
      handles: ({ data }) => data?.version?.includes(name) ?? false,
      resources: [
        resource({
          name,
          ensureCreated: () => {
            calls.push(name);
            return requeueAfter(1);
          },
          ensureDeleted: () => void calls.push(`not ${name}`),
        }),
      ],
    }),
  );
  return { calls, sets, request: (version: string) => requestFor(ConfigMap, aConfigMap('a', { version })) };
}

test('OK-8: an object that no set handles is passed over without a finalizer, one set runs, two are an error', async (t) => {
  const { calls, sets, request } = versions('v1', 'v2');
  // These requests have no client: a patch that adds a finalizer would fail.
  t.deepEqual(await router(sets, { finalizer })(request('v3')), done);
  t.deepEqual(calls, []);
  t.deepEqual(await router(sets)(request('v2')), requeueAfter(1));
  t.deepEqual(calls, ['v2']);
  await t.throwsAsync(router(sets)(request('v1,v2')), {
    instanceOf: GiveUpError,
    message: 'several resource sets handle default/a: v1, v2; exactly one must',
  });
});

test('OK-c5: the finalizer of an object that none of several sets handles any more stays, and an error says so', async (t) => {
  const { sets } = versions('v1', 'v2');
  const metadata = { ...inDefault('a'), finalizers: [finalizer], deletionTimestamp: '2026-01-01T00:00:00Z' };
  const orphan = requestFor(ConfigMap, { ...aConfigMap('a', { version: 'v9' }), metadata });
  await t.throwsAsync(router(sets, { finalizer })(orphan), { instanceOf: GiveUpError, message: /nothing cleans up/ });
  t.deepEqual(await router(sets)(orphan), done);
});

test('OK-c9: what resources share is made once for each run, typed, and for that run alone', async (t) => {
  const seen: unknown[] = [];
  const one = (name: string, shared: { count: number }) =>
    resource<ConfigMap>({
      name,
      ensureCreated: () => void seen.push([name, ++shared.count]),
      ensureDeleted: () => undefined,
    });
  const set = resourceSet<ConfigMap, { count: number }>({
    name: 'all',
    handles: () => true,
    initCtx: async ({ object }) => ({ count: object.data === undefined ? -1 : 0 }),
    resources: (shared) => [one('a', shared), one('b', shared)],
  });
  const run = () => router([set])(requestFor(ConfigMap, aConfigMap('a')));
  await run();
  await run();
  t.deepEqual(seen, [
    ['a', 1],
    ['b', 2],
    ['a', 1],
    ['b', 2],
  ]);
});

test('an initCtx that throws ends the run before any resource, and an empty list is refused', async (t) => {
  const failing = resourceSet<ConfigMap, number>({
    name: 'all',
    handles: () => true,
    initCtx: () => {
      throw new Error('no context');
    },
    resources: () => [],
  });
  await t.throwsAsync(router([failing])(requestFor(ConfigMap, aConfigMap('a'))), { message: 'no context' });
  t.throws(() => resourceSet<ConfigMap>({ name: 'none', handles: () => true, resources: [] }), { message: /empty/ });
});

test('what is gone goes to the set that handled it, by the last state that is known; behind a finalizer it was cleaned up before', async (t) => {
  const { calls, sets } = versions('v1', 'v2');
  t.deepEqual(await router(sets)(requestFor(ConfigMap, inDefault('a'))), done);
  t.deepEqual(calls, []);
  const event = { action: 'deleted', object: aConfigMap('a', { version: 'v2' }) } as const;
  const gone = requestFor(ConfigMap, inDefault('a'), { cause: 'deleted', event });
  t.deepEqual(await router(sets, { finalizer })(gone), done);
  t.deepEqual(calls, []);
  t.deepEqual(await router(sets)(gone), done);
  t.deepEqual(calls, ['not v2']);
});

test('OK-8: a router can be asked which set handles an object, and a set for its resources', async (t) => {
  const { sets } = versions('v1', 'v2');
  const reconcile = router(sets);
  const object = aConfigMap('a', { version: 'v2' });
  const set = reconcile.resourceSet(object);
  t.is(set.name, 'v2');
  const request = requestFor(ConfigMap, object);
  const list = await set.resources({ ...request, object });
  t.is(list.length, 1);
  t.deepEqual(await list[0]!(request), requeueAfter(1));
  const shared = resourceSet<ConfigMap, string>({
    name: 'all',
    handles: () => true,
    initCtx: ({ key }) => key.name,
    resources: (data) => [resource({ name: data, ensureCreated: () => undefined, ensureDeleted: () => undefined })],
  });
  const [one] = await shared.resources({ ...request, object });
  t.is((one as OperationReconciler<ConfigMap>).resource, 'a');
});
