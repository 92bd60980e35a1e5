import test from 'ava';
import type { Kind } from '../../../../../sdk/api/kind.ts';
import { ConfigMap, CustomResourceDefinitionKind } from '../../../../../sdk/api/kinds.ts';
import { ensureCrds } from '../../../../../sdk/client/crds/ensure-crds.ts';
import { informer } from '../../../../../sdk/operator/watch-controller/informer.ts';
import { createWatchController } from '../../../../../sdk/operator/watch-controller/watch-controller.ts';
import {
  type Cancellation,
  cancelReconciliation,
  cancelResource,
  cancelWith,
  crud,
} from '../../../../../sdk/reconcile/operatorkit/crud.ts';
import { resource } from '../../../../../sdk/reconcile/operatorkit/resource.ts';
import { resourceSet, router } from '../../../../../sdk/reconcile/operatorkit/router.ts';
import { pausable } from '../../../../../sdk/reconcile/pause.ts';
import { done, keepFinalizer, stop } from '../../../../../sdk/reconcile/reconciler.ts';
import { aConfigMap, controlled, theServer, until } from '../../operator/controlled.ts';
import { finalizerName, Parent, theParents } from '../fixtures/a-parent.ts';

const foreign = 'example.com/theirs';
const pausedBy = { 'operatorkit.giantswarm.io/paused': 'true', 'cluster.x-k8s.io/paused': 'true' };

/** One resource behind a router with a finalizer; `ends` lists the results of its deletions. */
async function operator(...ends: readonly (Error | Cancellation)[]) {
  const world = await theParents();
  const calls: string[] = [];
  const left = [...ends];
  const dns = crud<Parent, string, string, never, never, string>({
    name: 'dns',
    getCurrentState: () => 'is',
    getDesiredState: () => 'should be',
    newUpdatePatch: () => {
      calls.push('update');
      return undefined;
    },
    newDeletePatch: () => ({ delete: 'all' }),
    applyDeleteChange() {
      calls.push('delete');
      const end = left.shift();
      if (end instanceof Error) throw end;
      return end;
    },
  });
  const set = resourceSet<Parent>({ name: 'v1', handles: ({ spec }) => spec.title !== 'other', resources: [dns] });
  const reconcile = router([set], { finalizer: finalizerName });
  return {
    ...world,
    calls,
    reconcile,
    pass: () => world.run(reconcile),
    finalizers: async () => (await world.read()).metadata.finalizers ?? [],
  };
}

test('OK-8: no finalizer is put on an object that no resource set handles', async (t) => {
  const { client, create, key, pass, finalizers, writes } = await operator();
  await create('a', { finalizers: [] });
  await client.patch(Parent, key('a'), { type: 'merge', value: { spec: { title: 'other' } } });
  writes.length = 0;
  t.deepEqual(await pass(), done);
  t.deepEqual([writes, await finalizers()], [[], []]);
});

test('OK-c7: an object that its set does not select any more is cleaned up even so, and goes', async (t) => {
  const { client, create, remove, key, pass, calls, read } = await operator();
  await create('a');
  await client.patch(Parent, key('a'), { type: 'merge', value: { spec: { title: 'other' } } });
  t.deepEqual([await pass(), calls], [done, []]);
  await remove('a');
  t.deepEqual([await pass(), calls], [done, ['delete']]);
  await t.throwsAsync(read(), { name: 'NotFoundError' });
});

test('OK-9: a new object gets the finalizer and nothing else; the next pass runs the resources once', async (t) => {
  const { create, pass, calls, finalizers, writes } = await operator();
  await create('a', { finalizers: [foreign] });
  await pass();
  t.deepEqual([calls, writes, await finalizers()], [[], ['patch parents/a'], [foreign, finalizerName]]);
  t.deepEqual(await pass(), done);
  t.deepEqual([calls, writes.length], [['update'], 1]);
});

test('OK-10: an object that is being deleted without the finalizer is neither patched nor cleaned up', async (t) => {
  const { create, remove, pass, calls, writes } = await operator();
  await create('a', { finalizers: [foreign] });
  await remove('a');
  t.deepEqual(await pass(), done);
  t.deepEqual([calls, writes], [[], []]);
});

test('OK-11: the finalizer stays until the clean-up is through, a foreign one stays after it, and no clean-up follows', async (t) => {
  const { create, remove, pass, calls, finalizers } = await operator(new Error('no'), new Error('still no'));
  await create('a', { finalizers: [finalizerName, foreign] });
  await remove('a');
  await t.throwsAsync(pass(), { message: 'no' });
  await t.throwsAsync(pass(), { message: 'still no' });
  t.deepEqual(await finalizers(), [finalizerName, foreign]);
  await pass();
  t.deepEqual(await finalizers(), [foreign]);
  await pass();
  t.deepEqual(calls, ['delete', 'delete', 'delete']);
});

test('OK-12: keeping the finalizer and stopping the reconciliation both keep it, leaving the resource alone does not', async (t) => {
  const { create, remove, pass, calls, read, finalizers } = await operator(
    cancelWith(keepFinalizer),
    cancelReconciliation,
    cancelResource,
  );
  await create('a');
  await remove('a');
  t.deepEqual(await pass(), keepFinalizer);
  t.deepEqual(await pass(), stop);
  t.deepEqual(await finalizers(), [finalizerName]);
  t.deepEqual(await pass(), done);
  await t.throwsAsync(read(), { name: 'NotFoundError' });
  t.is(calls.length, 3);
});

test('OK-13: a paused object is left alone, while it is being deleted only with pauseDeletion (operatorkit: always)', async (t) => {
  const { client, create, remove, key, run, reconcile, calls } = await operator(new Error('cleaned up'));
  await create('a');
  const annotate = (value: string) =>
    client.patch(Parent, key('a'), {
      type: 'merge',
      value: { metadata: { annotations: { 'operatorkit.giantswarm.io/paused': value } } },
    });
  const asHere = pausable<Parent>({ annotations: pausedBy }, reconcile);
  const asThere = pausable<Parent>({ annotations: pausedBy, pauseDeletion: true }, reconcile);
  for (const [value, expected] of [
    ['true', 0],
    ['false', 1],
    ['', 2],
  ] as const) {
    await annotate(value);
    t.deepEqual(await run(asHere), done);
    t.is(calls.length, expected, value);
  }
  await annotate('true');
  await remove('a');
  t.deepEqual(await run(asThere), done);
  t.is(calls.length, 2);
  await t.throwsAsync(run(asHere), { message: 'cleaned up' });
});

test('OK-c6: a finalizer is removed from where it is by then: another writer’s change meanwhile is not undone', async (t) => {
  const { client, create, remove, key, run, finalizers } = await theParents().then((world) => ({
    ...world,
    finalizers: async () => (await world.read()).metadata.finalizers ?? [],
  }));
  await create('a', { finalizers: [foreign, finalizerName] });
  await remove('a');
  const meddling = resource<Parent>({
    name: 'dns',
    ensureCreated: () => undefined,
    async ensureDeleted() {
      const now = [finalizerName, foreign];
      await client.patch(Parent, key('a'), { type: 'merge', value: { metadata: { finalizers: now } } });
    },
  });
  const set = resourceSet<Parent>({ name: 'v1', handles: () => true, resources: [meddling] });
  await run(router([set], { finalizer: finalizerName }));
  t.deepEqual(await finalizers(), [foreign]);
});

test('OK-c1: definitions that cannot be established are never deleted, not even one that is ours', async (t) => {
  const { client, writes } = await theParents();
  writes.length = 0;
  const clashing: Kind<Parent> = {
    ...Parent,
    kind: 'Rival',
    plural: 'rivals',
    crd: async () => {
      const definition = await Parent.crd!();
      const names = { ...definition.spec.names, plural: 'rivals', singular: 'parent' };
      return { ...definition, metadata: { name: 'rivals.example.com' }, spec: { ...definition.spec, names } };
    },
  };
  await t.throwsAsync(ensureCrds(client, [clashing], { deadline: 5000 }), { name: 'UserError' });
  t.false(
    writes.some((write) => write.startsWith('delete')),
    writes.join(),
  );
  const names = (await client.list(CustomResourceDefinitionKind)).items.map(({ metadata }) => metadata.name);
  t.true(names.includes('parents.example.com'));
  await client.delete(CustomResourceDefinitionKind, { name: 'rivals.example.com' });
});

/** External ports of objects, as a resource without a finalizer. */
function ports() {
  const open = new Set<string>();
  const port = resource<ConfigMap>({
    name: 'port',
    ensureCreated: ({ object }) => void open.add(`${object.data?.port}`),
    ensureDeleted: ({ object }) => void open.delete(`${object.data?.port}`),
  });
  return { open, reconcile: router([resourceSet<ConfigMap>({ name: 'all', handles: () => true, resources: [port] })]) };
}

test('OK-c4: without a finalizer the end of an object is cleaned up after, by its last state, also when it is made again at once', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a', { port: '1' }));
  const { open, reconcile } = ports();
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  controlled(server, async (request) => {
    runs += 1;
    if (runs === 2) await gate.promise; // the update
    return reconcile(request);
  });
  await server.clock.advance(0);
  t.deepEqual([...open], ['1']);
  await server.apply(aConfigMap('a', { port: '1', more: 'x' }));
  await server.client.delete(ConfigMap, server.key('a'));
  await server.apply(aConfigMap('a', { port: '2' }));
  await server.clock.advance(0);
  gate.resolve();
  await server.clock.advance(0);
  t.deepEqual([...open], ['2']);
  await server.client.delete(ConfigMap, server.key('a'));
  await server.clock.advance(0);
  t.deepEqual([...open], []);
});

test('OK-c4: so it is in the other engine', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a', { port: '1' }));
  const { open, reconcile } = ports();
  const { client, clock, namespace } = server;
  const controller = createWatchController({ client, clock, random: () => 0 });
  controller.addInformer(informer(ConfigMap, { selection: { namespace } }), 'ports');
  controller.addReconciler(reconcile, 'ports');
  controller.run(new AbortController().signal).catch(() => undefined);
  await until(clock, () => open.has('1'));
  await server.client.delete(ConfigMap, server.key('a'));
  await server.apply(aConfigMap('a', { port: '2' }));
  await until(clock, () => open.has('2') && !open.has('1'));
  await server.client.delete(ConfigMap, server.key('a'));
  await until(clock, () => open.size === 0);
  t.deepEqual([...open], []);
});
