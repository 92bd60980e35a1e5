import test from 'ava';
import type { ProviderHost } from '../../../../../sdk/host/index.ts';
import { ConfigMap, createController } from '../../../../../sdk/index.ts';
import { createDryRunController } from '../../../../../sdk/provider/controller/dry-run.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';

const scope = { type: 'DNS', claim: 'se.quencer.io/dns', terminating: false };

test('what it owns is reported by the cache where the host has one, else read live, strangers left out', async (t) => {
  const stage = await aTargetCluster();
  const workspace = await stage.create();
  const controller = createController(stage.actor([]).host, workspace, scope);
  await controller.create(ConfigMap, { metadata: { name: 'mine' } });
  const label = { 'workspaces.sequencer.io/instance': 'shop' };
  await stage.client.create(ConfigMap, { metadata: { name: 'theirs', namespace: 'default', labels: label } });
  t.deepEqual(
    (await controller.owned(ConfigMap)).map(({ metadata }) => metadata.name),
    ['mine'],
  );
  const cached = { ...stage.actor([]).host, owned: () => [] };
  t.deepEqual(await createController(cached, workspace, scope).owned(ConfigMap), []);
});

test('a workspace whose name is longer than a label may be owns objects as others do', async (t) => {
  const stage = await aTargetCluster();
  for (const name of ['x'.repeat(64), `${'x'.repeat(64)}.y`]) {
    const workspace = await stage.create({}, name);
    const controller = createController(stage.actor([]).host, workspace, scope);
    t.deepEqual(await controller.owned(ConfigMap), []);
    const { metadata } = await controller.create(ConfigMap, { metadata: { name: `of-${name}` } });
    t.deepEqual(
      (await controller.owned(ConfigMap)).map((one) => one.metadata.name),
      [metadata.name],
    );
  }
});

test('the others with a unique name are asked for by its claim and its workspace; without a cache there are none', async (t) => {
  const stage = await aTargetCluster();
  const workspace = await stage.create();
  t.deepEqual(createController(stage.actor([]).host, workspace, scope).othersWith('80'), []);
  const asked: unknown[] = [];
  const othersWith = (...[claim, { metadata }, name]: Parameters<ProviderHost['othersWith']>) => {
    asked.push([claim, metadata.name, name]);
    return [workspace];
  };
  const controller = createController({ ...stage.actor([]).host, othersWith }, workspace, scope);
  t.deepEqual(controller.othersWith('80'), [workspace]);
  t.deepEqual(asked, [[scope.claim, 'shop', '80']]);
});

test('a controller whose changes are only planned shows what it would have written; one that writes, what it wrote', async (t) => {
  const stage = await aTargetCluster();
  const workspace = await stage.create();
  const { host } = stage.actor([]);
  const real = createController(host, workspace, scope);
  const { controller: planned } = createDryRunController(host, workspace, scope);
  for (const controller of [planned, real]) {
    t.is(controller.condition.status, 'Initialized');
    await controller.updateCondition('In Progress', 'working');
    t.like(controller.condition, { status: 'In Progress', reason: 'working' });
    t.is(controller.workspace.status?.conditions?.find(({ type }) => type === 'DNS')?.status, 'In Progress');
  }
  t.is(planned.namespace, real.namespace);
});
