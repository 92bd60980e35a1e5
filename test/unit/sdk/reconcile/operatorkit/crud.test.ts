import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import {
  type CrudOptions,
  type CrudPatch,
  cancelReconciliation,
  cancelResource,
  cancelWith,
  crud,
} from '../../../../../sdk/reconcile/operatorkit/crud.ts';
import { resources } from '../../../../../sdk/reconcile/operatorkit/resource.ts';
import { done, keepFinalizer, requeueAfter, stop } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aConfigMap, inDefault } from '../../operator/controlled.ts';

type Ops = CrudOptions<ConfigMap, string, string, unknown, unknown, unknown>;

const live = requestFor(ConfigMap, aConfigMap('a'));
const deleting = requestFor(ConfigMap, {
  ...aConfigMap('a'),
  metadata: { ...inDefault('a'), deletionTimestamp: '2026-01-01T00:00:00Z' },
});
const full = { create: 'c', update: 'u', delete: 'd' };
const steps = ['current', 'desired', 'patch', 'create c', 'update u', 'delete d'];

/** A crud resource that records its steps. */
function scripted(ops: Partial<Ops> = {}, patch: CrudPatch<unknown, unknown, unknown> | undefined = full) {
  const calls: string[] = [];
  const noted =
    <V>(what: string, value: V) =>
    (): V => {
      calls.push(what);
      return value;
    };
  const applied = (what: string) => (change: unknown) => void calls.push(`${what} ${change}`);
  const reconcile = crud<ConfigMap, string, string, unknown, unknown, unknown>({
    name: 'dns',
    getCurrentState: noted('current', 'is'),
    getDesiredState: noted('desired', 'should be'),
    newUpdatePatch: noted('patch', patch),
    newDeletePatch: noted('delete patch', { delete: 'all' }),
    applyCreateChange: applied('create'),
    applyUpdateChange: applied('update'),
    applyDeleteChange: applied('delete'),
    ...ops,
  });
  return { calls, reconcile };
}

test('OK-2: leaving the resource while deleting skips the steps that follow, and the next resource runs', async (t) => {
  const [first, second] = [
    scripted({ order: 'createDeleteUpdate', applyDeleteChange: () => cancelResource }),
    scripted(),
  ];
  t.deepEqual(await resources([first.reconcile, second.reconcile])(live), done);
  t.deepEqual(first.calls, ['current', 'desired', 'patch', 'create c']);
  t.deepEqual(second.calls, steps);
});

test('OK-3: leaving while asked for the desired state makes no patch and applies nothing', async (t) => {
  const { calls, reconcile } = scripted({ getDesiredState: () => cancelReconciliation });
  t.deepEqual(await reconcile(live), stop);
  t.deepEqual(calls, ['current']);
});

test('OK-3: leaving at any other step skips the rest as well', async (t) => {
  const cases: readonly [Partial<Ops>, readonly string[]][] = [
    [{ getCurrentState: () => cancelWith(requeueAfter(5)) }, []],
    [{ newUpdatePatch: () => cancelWith(requeueAfter(5)) }, ['current', 'desired']],
    [{ applyCreateChange: () => cancelWith(requeueAfter(5)) }, ['current', 'desired', 'patch']],
    [{ applyUpdateChange: () => cancelWith(requeueAfter(5)) }, ['current', 'desired', 'patch', 'create c']],
  ];
  for (const [ops, expected] of cases) {
    const { calls, reconcile } = scripted(ops);
    t.deepEqual(await reconcile(live), requeueAfter(5));
    t.deepEqual(calls, expected);
  }
  const { calls, reconcile } = scripted({ newDeletePatch: () => cancelWith(keepFinalizer) });
  t.deepEqual(await reconcile(deleting), keepFinalizer);
  t.deepEqual(calls, ['current', 'desired']);
});

test('OK-4: parts are applied in order, only those that are set, null included', async (t) => {
  const cases: readonly [CrudPatch<unknown, unknown, unknown> | undefined, readonly string[]][] = [
    [full, ['create c', 'update u', 'delete d']],
    [{ update: 'u' }, ['update u']],
    [{ create: null, delete: [] }, ['create null', 'delete ']],
    [{ create: undefined }, []],
    [{}, []],
  ];
  for (const [patch, expected] of cases) {
    const { calls, reconcile } = scripted({}, patch);
    t.deepEqual(await reconcile(live), done);
    t.deepEqual(calls.slice(3), expected);
  }
  const { calls, reconcile } = scripted({ newUpdatePatch: () => undefined });
  t.deepEqual(await reconcile(live), done);
  t.deepEqual(calls, ['current', 'desired']);
});

test('OK-c8: the order is create, update, delete as documented, or create, delete, update as operatorkit’s code had it', async (t) => {
  const { calls, reconcile } = scripted({ order: 'createDeleteUpdate' });
  await reconcile(live);
  t.deepEqual(calls.slice(3), ['create c', 'delete d', 'update u']);
  t.throws(() => scripted({ order: 'deleteFirst' as 'createDeleteUpdate' }), { message: /order must be one of/ });
});

test('OK-7: what one run leaves with is not seen by another, or by the same resource next time (there are no flags to be installed)', async (t) => {
  let leaves = 3;
  const { calls, reconcile } = scripted({
    getDesiredState: () => (leaves-- > 0 ? cancelReconciliation : 'should be'),
  });
  t.deepEqual(await Promise.all([1, 2, 3].map(() => reconcile(live))), [stop, stop, stop]);
  t.deepEqual(await reconcile(live), done);
  t.is(calls.at(-1), 'delete d');
});

test('a deletion applies the patch for it, and a resource without one has nothing to do', async (t) => {
  const { calls, reconcile } = scripted();
  await reconcile(deleting);
  t.deepEqual(calls, ['current', 'desired', 'delete patch', 'delete all']);
  const { newDeletePatch: _, ...ops } = { newDeletePatch: undefined };
  t.deepEqual(await scripted(ops).reconcile(deleting), done);
});

test('a policy leaves out parts that may not be applied', async (t) => {
  const { calls, reconcile } = scripted({ policy: (part) => part !== 'update' });
  await reconcile(live);
  t.deepEqual(calls.slice(3), ['create c', 'delete d']);
});

test('an error ends the resource; wishes of applied parts add up; stop skips the parts that follow', async (t) => {
  const failing = scripted({
    applyUpdateChange: () => {
      throw new Error('no');
    },
  });
  await t.throwsAsync(failing.reconcile(live), { message: 'no' });
  t.is(failing.calls.at(-1), 'create c');
  const wishing = scripted({ applyCreateChange: () => requeueAfter(9), applyUpdateChange: () => requeueAfter(5) });
  t.deepEqual(await wishing.reconcile(live), requeueAfter(5));
  const stopping = scripted({ applyCreateChange: () => stop });
  t.deepEqual(await stopping.reconcile(live), stop);
  t.is(stopping.calls.at(-1), 'patch');
  const left = scripted({ applyUpdateChange: () => cancelWith({ requeueAfter: 3 }) });
  t.deepEqual(await left.reconcile(live), requeueAfter(3));
});

test('what cannot be is refused: an empty name, a part without a step that applies it', async (t) => {
  t.throws(() => scripted({ name: '' }), { message: 'crud: name is empty' });
  const { reconcile } = scripted({ applyDeleteChange: undefined } as unknown as Partial<Ops>);
  await t.throwsAsync(reconcile(live), {
    message: 'crud dns: the patch has delete set, and there is no applyDeleteChange',
  });
});

test('what is gone calls nothing', async (t) => {
  const { calls, reconcile } = scripted();
  t.deepEqual(await reconcile(requestFor(ConfigMap, inDefault('a'))), done);
  t.deepEqual(calls, []);
});

test('what is gone is deleted by the last state that is known; where none is, nothing is called', async (t) => {
  const { calls, reconcile } = scripted({ getCurrentState: ({ object }) => `${object.data?.x}` });
  t.deepEqual(await reconcile(requestFor(ConfigMap, inDefault('a'), { cause: 'deleted' })), done);
  t.deepEqual(calls, []);
  const event = { action: 'deleted', object: aConfigMap('a', { x: '1' }) } as const;
  await reconcile(requestFor(ConfigMap, inDefault('a'), { cause: 'deleted', event }));
  t.deepEqual(calls, ['desired', 'delete patch', 'delete all']);
});
