import test from 'ava';
import type { View } from '../../../../cluster/controllers/engine/reconciler.ts';
import { daemonSetReconciler } from '../../../../cluster/controllers/workloads/daemon-set-reconciler.ts';
import { excessiveGrowth, workOn } from '../../../growth.ts';

const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent', controller: true };
const agent = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'default', uid: 'agent' },
  spec: { selector: { matchLabels: { app: 'it' } }, template: { spec: {} }, updateStrategy: { type: 'OnDelete' } },
};
const revision = {
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name: 'agent-1', labels: { app: 'it' }, ownerReferences: [controller] },
  revision: 1,
  data: { spec: { template: { spec: {}, $patch: 'replace' } } },
};
const podOn = (nodeName: string) => ({
  metadata: { name: `agent-${nodeName}`, labels: { app: 'it' }, ownerReferences: [controller] },
  spec: { nodeName, containers: [] },
});

test('the work of a sync grows with the nodes, not with their square', async (t) => {
  const growth = await excessiveGrowth(
    workOn(
      (size) => Array.from({ length: size }, (_, index) => `node-${index}`),
      (names) => {
        const lists: Readonly<Record<string, readonly object[]>> = {
          '/nodes': names.map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })),
          '/pods': names.map(podOn),
          'apps/controllerrevisions': [revision],
        };
        const view = { now: 0, random: () => 0, refusal: undefined, get: () => undefined };
        return daemonSetReconciler.decide(agent, { ...view, list: (name: string) => lists[name] } as unknown as View);
      },
    ),
    { size: 12_800 },
  );
  t.is(growth, undefined);
});
