import test from 'ava';
import { createDryRunController } from '../../../../../sdk/host/index.ts';
import { ConfigMap, createController, Namespace } from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';

for (const kind of ['controller', 'planner'] as const)
  test(`a ${kind} reads from the workspace’s namespace, unless told otherwise`, async (t) => {
    const stage = await aTargetCluster();
    await stage.client.create(Namespace, { metadata: { name: 'other' } });
    for (const namespace of ['default', 'other'])
      await stage.client.create(ConfigMap, { metadata: { name: 'settings', namespace }, data: { namespace } });
    const workspace = await stage.create();
    const [{ host }, scope] = [stage.actor([]), { type: 'DNS', claim: 'se.quencer.io/dns', terminating: false }];
    const handle =
      kind === 'planner'
        ? createDryRunController(host, workspace, scope).controller
        : createController(host, workspace, scope);
    const listed = async (namespace?: string) => {
      const { items } = await handle.list(ConfigMap, namespace === undefined ? {} : { namespace });
      return items.flatMap(({ metadata, data }) => (metadata.name === 'settings' ? [data?.namespace] : []));
    };
    t.is((await handle.get(ConfigMap, { name: 'settings' })).data?.namespace, 'default');
    t.is((await handle.get(ConfigMap, { name: 'settings', namespace: 'other' })).data?.namespace, 'other');
    t.is((await handle.get(Namespace, { name: 'other' })).metadata.name, 'other');
    t.deepEqual(await listed(), ['default']);
    t.deepEqual(await listed('other'), ['other']);
    t.deepEqual(await listed(''), ['default', 'other']);
    t.true((await handle.list(Namespace)).items.length > 1);
  });
