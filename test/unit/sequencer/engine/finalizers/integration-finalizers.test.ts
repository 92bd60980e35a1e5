import test from 'ava';
import { defineIntegration, StaleError, Workspace } from '../../../../../sdk/index.ts';
import {
  addIntegrationFinalizers,
  removeIntegrationFinalizers,
} from '../../../../../sequencer/engine/finalizers/integration-finalizers.ts';
import { aTargetCluster, type TargetCluster } from '../../../a-target-cluster.ts';

const key = { namespace: 'default', name: 'shop' };

const idle = defineIntegration({
  name: 'dns',
  condition: 'DNS',
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});
const statusOf = (target: TargetCluster, value: object) =>
  target.client.patch(Workspace, key, { type: 'merge', value: { status: value } }, { subresource: 'status' });

test('claims of several integrations go out in one patch, and that of one for two conditions once', async (t) => {
  const target = await aTargetCluster();
  const { host } = target.actor([]);
  const workspace = await target.create();
  const claimed = await addIntegrationFinalizers(host, workspace, [
    idle,
    { ...idle, condition: 'Zone' },
    { ...idle, name: 'mail' },
  ]);
  t.deepEqual(claimed.metadata.finalizers, ['se.quencer.io/dns', 'se.quencer.io/mail']);
});

test('a claim on a workspace that has changed is stale', async (t) => {
  const target = await aTargetCluster();
  const { host } = target.actor([]);
  const workspace = await target.create();
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: ['a.b/c'] } } });
  await t.throwsAsync(addIntegrationFinalizers(host, workspace, [idle]), { instanceOf: StaleError });
});

test('a claim is released only while the server agrees that everything is gone', async (t) => {
  const target = await aTargetCluster();
  const { host } = target.actor([]);
  await addIntegrationFinalizers(host, await target.create(), [idle]);
  const guards = { DNS: { phase: 'gone', op: 'delete', key: 'k', token: 1, holder: 'x/y' } };
  const seen = await statusOf(target, { guards });
  await statusOf(target, { guards: { DNS: { late: [{ id: 1 }] } } });
  await t.throwsAsync(
    removeIntegrationFinalizers(host, seen, { released: [idle], registered: [idle] }),
    { instanceOf: StaleError },
    'an id came late',
  );
  await statusOf(target, { guards: { DNS: { late: null } } });
  const released = await removeIntegrationFinalizers(host, await target.read(), {
    released: [idle],
    registered: [idle],
  });
  t.is(released.metadata.finalizers, undefined);
});

test('claims of several integrations are released by one patch, and none of them while one of its tests does not hold', async (t) => {
  const target = await aTargetCluster();
  const { host } = target.actor([]);
  const all = [idle, { ...idle, name: 'mail', condition: 'Mail' }, { ...idle, condition: 'Zone' }];
  await target.create();
  const finalizers = ['a.b/c', 'se.quencer.io/dns', 'd.e/f'];
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers } } });
  await addIntegrationFinalizers(host, await target.read(), all);
  const gone = { phase: 'gone', op: 'delete', key: 'k', token: 1, holder: 'x/y' };
  const seen = await statusOf(target, { guards: { DNS: gone, Mail: gone, Zone: gone } });
  await statusOf(target, { guards: { Zone: { late: [{ id: 1 }] } } });
  await t.throwsAsync(
    removeIntegrationFinalizers(host, seen, { released: all, registered: all }),
    { instanceOf: StaleError },
    'an id came late',
  );
  t.is((await target.read()).metadata.finalizers?.length, 4);
  await statusOf(target, { guards: { Zone: { late: null } } });
  const released = await removeIntegrationFinalizers(host, await target.read(), { released: all, registered: all });
  t.deepEqual(released.metadata.finalizers, ['a.b/c', 'd.e/f']);
});

test('D8: releasing on a workspace that is gone is a success', async (t) => {
  const target = await aTargetCluster();
  const { host } = target.actor([]);
  const claimed = await addIntegrationFinalizers(host, await target.create(), [idle]);
  const seen = await statusOf(target, {
    conditions: [{ type: 'DNS', status: 'Terminated', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  });
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await target.delete();
  t.deepEqual(
    (await removeIntegrationFinalizers(host, seen, { released: [idle], registered: [idle] })).metadata.finalizers,
    [],
  );
  t.truthy(claimed);
});

test('a claim for which nothing was ever begun is released only while that is what the server says', async (t) => {
  const target = await aTargetCluster();
  const { host } = target.actor([]);
  await addIntegrationFinalizers(host, await target.create(), [idle]);
  const none = { phase: 'none', op: 'task', key: 'k', token: 0, holder: 'x/y' };
  await statusOf(target, { guards: { DNS: none } });
  await target.delete();
  const seen = await target.read();
  const mirror = { 'external.se.quencer.io/DNS': '[{"id":1}]' };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: mirror } } });
  await t.throwsAsync(
    removeIntegrationFinalizers(host, seen, { released: [idle], registered: [idle] }),
    { instanceOf: StaleError },
    'a mirror tells of something',
  );
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
  await statusOf(target, { guards: { DNS: { phase: 'intent', token: 1 } } });
  await t.throwsAsync(
    removeIntegrationFinalizers(host, seen, { released: [idle], registered: [idle] }),
    { instanceOf: StaleError },
    'something has begun',
  );
  await statusOf(target, { guards: { DNS: none } });
  await removeIntegrationFinalizers(host, await target.read(), { released: [idle], registered: [idle] });
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});
