import test from 'ava';
import { defineIntegration } from '../../../../sdk/index.ts';
import { countedWorkspaces } from '../../../../sequencer/run/counted-workspaces.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aWorkspace } from '../../a-workspace.ts';

const integration = defineIntegration({
  name: 'acme',
  condition: 'Acme',
  handles: () => true,
  limits: { rate: 1 },
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});

test('conditions of the config are counted, of the class alone, and none that others have written', async (t) => {
  const stage = await aTargetCluster();
  const { host } = stage.actor([integration]);
  const all = [
    aWorkspace({ conditions: { Acme: 'Locked', Invented: 'Locked' } }),
    aWorkspace({ name: 'blue', spec: { className: 'blue' }, conditions: { Acme: 'Error' } }),
  ];
  const counted = countedWorkspaces({
    integrations: [integration],
    host,
    className: undefined,
    store: { list: () => all },
  });
  t.deepEqual(counted.types, ['Acme']);
  t.like([...counted.conditions()], [{ condition: 'Acme', status: 'Locked' }]);
  t.is([...counted.conditions()].length, 1);
  t.deepEqual(counted.circuits(), [{ integration: 'acme', open: 0, halfOpen: 0 }]);
  await stage.cluster.close();
});
