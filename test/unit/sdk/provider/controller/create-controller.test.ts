import test from 'ava';
import {
  BusyError,
  ConfigMap,
  conditionOf,
  createController,
  externalResource,
  StaleError,
  Workspace,
} from '../../../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../../../a-target-cluster.ts';

const scope = { type: 'DNS', claim: 'se.quencer.io/dns', terminating: false };
const key = { namespace: 'default', name: 'shop' };
const controllerOn = async (stage: TargetCluster) => createController(stage.actor([]).host, await stage.read(), scope);

test('D10: what it creates is owned, labelled and in the workspace’s namespace', async (t) => {
  const stage = await aTargetCluster();
  const workspace = await stage.create();
  const made = await (await controllerOn(stage)).create(ConfigMap, {
    metadata: { name: 'settings', labels: { a: 'b' } },
    data: { x: '1' },
  });
  t.like(made.metadata, { namespace: 'default', labels: { a: 'b', 'workspaces.sequencer.io/instance': 'shop' } });
  t.like(made.metadata.ownerReferences?.[0], { uid: workspace.metadata.uid, controller: true });
});

test('D11: creating what it owns already gives that back; a stranger of that name is refused', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const controller = await controllerOn(stage);
  const first = await controller.create(ConfigMap, { metadata: { name: 'mine' } });
  const again = await controller.create(ConfigMap, { metadata: { name: 'mine' } });
  t.is(first.metadata.uid, again.metadata.uid);
  await stage.client.create(ConfigMap, { metadata: { name: 'theirs', namespace: 'default' } });
  await t.throwsAsync(controller.create(ConfigMap, { metadata: { name: 'theirs' } }), { name: 'AlreadyExistsError' });
});

test('deleting what is not there is gone', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  t.is(await (await controllerOn(stage)).delete(ConfigMap, { name: 'none' }), 'gone');
});

test('what is wanted of destroy is an array: anything else is reported by integration, condition and resource', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const controller = await controllerOn(stage);
  const resource = externalResource({
    label: 'box',
    identity: 'opaque',
    create: async () => ({ id: { id: 'a' } }),
    delete: async () => {},
  });
  await t.throwsAsync(controller.destroy(resource, { size: 1 } as never), {
    name: 'ContractError',
    message: 'integration "dns" (condition DNS): box: wanted must be an array of desired states; found {"size":1}',
  });
});

test('a condition that is so already is not written', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const controller = await controllerOn(stage);
  await controller.updateCondition('In Progress', 'working');
  const { revision } = stage.cluster;
  await controller.updateCondition('In Progress', 'working');
  t.is(stage.cluster.revision, revision);
  t.like(conditionOf(await stage.read(), 'DNS'), { status: 'In Progress', reason: 'working', observedGeneration: 1 });
});

test('a recipe goes out as the smallest patch; a foreign change of the same field makes it stale, of another not', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const controller = await controllerOn(stage);
  const set = (status: object) =>
    stage.client.patch(Workspace, key, { type: 'merge', value: { status } }, { subresource: 'status' });
  await set({ host: 'theirs' });
  await t.throwsAsync(
    controller.update((status) => {
      status.tunnel = { remoteId: 't' };
    }),
    { instanceOf: StaleError },
    'there was no status when it was read',
  );
  const fresh = await controllerOn(stage);
  await set({ phase: 'Deploying' });
  await fresh.update((status) => {
    status.tunnel = { remoteId: 't' };
  });
  t.like((await stage.read()).status, { host: 'theirs', phase: 'Deploying', tunnel: { remoteId: 't' } });
  await set({ host: 'changed' });
  await t.throwsAsync(
    fresh.update((status) => {
      status.host = 'ours';
    }),
    { instanceOf: StaleError },
  );
});

test('finalizers of its own come and go; removing what is not there is done', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const controller = await controllerOn(stage);
  await controller.setFinalizer('example.com/mine');
  t.deepEqual((await stage.read()).metadata.finalizers, ['example.com/mine']);
  await controller.removeFinalizer('example.com/mine');
  await controller.removeFinalizer('example.com/mine');
  t.is((await stage.read()).metadata.finalizers, undefined);
});

test('a locked condition is left alone', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const value = {
    guards: { DNS: { phase: 'intent', op: 'task', key: 'k', token: 1, holder: 'other/x', leaseSeconds: 10 } },
  };
  await stage.client.patch(Workspace, key, { type: 'merge', value: { status: value } }, { subresource: 'status' });
  const controller = await controllerOn(stage);
  await t.throwsAsync(controller.updateCondition('Completed', 'x'), { instanceOf: BusyError });
  t.like(controller.locked(), { kind: 'busy' });
});

test('get, create, patch and delete mean the workspace’s namespace', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const controller = await controllerOn(stage);
  const elsewhere = { namespace: 'kube-system', name: 'settings' };
  await stage.client.create(ConfigMap, { metadata: elsewhere, data: { x: '0' } });
  await controller.create(ConfigMap, { metadata: { name: 'settings' }, data: { x: '1' } });
  t.is((await controller.get(ConfigMap, { name: 'settings' })).data?.x, '1');
  const changed = await controller.patch(
    ConfigMap,
    { name: 'settings' },
    { type: 'merge', value: { data: { x: '2' } } },
  );
  t.is(changed.data?.x, '2');
  await controller.delete(ConfigMap, { name: 'settings' });
  await t.throwsAsync(controller.get(ConfigMap, { name: 'settings' }), { name: 'NotFoundError' });
  t.is((await stage.client.get(ConfigMap, elsewhere)).data?.x, '0');
});

test('options of its calls reach the server', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const controller = await controllerOn(stage);
  const metadata = { name: 'settings' };
  await controller.create(ConfigMap, { metadata }, { dryRun: true });
  await t.throwsAsync(controller.get(ConfigMap, metadata), { name: 'NotFoundError' }, 'nothing was stored');
  await controller.create(ConfigMap, { metadata: { ...metadata, labels: { a: 'b' } }, data: { x: '1' } });
  await controller.create(ConfigMap, { metadata: { name: 'other' } });
  await controller.patch(ConfigMap, metadata, { type: 'merge', value: { data: { x: '2' } } }, { dryRun: true });
  t.is((await controller.get(ConfigMap, metadata)).data?.x, '1');
  const selected = await controller.list(ConfigMap, { labels: 'a=b' });
  t.deepEqual(
    selected.items.map((item) => item.metadata.name),
    ['settings'],
  );
  const preconditions = { uid: 'another' };
  await t.throwsAsync(controller.delete(ConfigMap, metadata, { preconditions }), { name: 'ConflictError' });
  const signal = AbortSignal.abort(new Error('enough'));
  for (const call of [
    () => controller.get(ConfigMap, metadata, { signal }),
    () => controller.list(ConfigMap, { signal }),
    () => controller.create(ConfigMap, { metadata: { name: 'late' } }, { signal }),
  ])
    await t.throwsAsync(call(), { message: 'enough' });
});

test('removing a finalizer from a workspace that is gone is done', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const finalizer = 'example.com/mine';
  const fresh = await controllerOn(stage);
  await fresh.setFinalizer(finalizer);
  const controller = await controllerOn(stage);
  const value = { metadata: { finalizers: null } };
  await stage.client.patch(Workspace, key, { type: 'merge', value });
  await stage.delete();
  await t.notThrowsAsync(controller.removeFinalizer(finalizer));
});
