import test from 'ava';
import type { View } from '../../../../cluster/controllers/engine/reconciler.ts';
import type { Pod } from '../../../../cluster/controllers/pods/pod.ts';
import type { Revision } from '../../../../cluster/controllers/revisions.ts';
import type { StatefulSet } from '../../../../cluster/controllers/workloads/stateful-set.ts';
import { type Members, nextOfMembers } from '../../../../cluster/controllers/workloads/stateful-set-pods.ts';
import { excessiveGrowth, workOn } from '../../../growth.ts';

const view: View = { now: 0, random: () => 0, refusal: undefined, get: () => undefined, list: () => [] };

const aRevision = {
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name: 'db-1' },
  revision: 1,
  data: { spec: { template: { spec: {} } } },
} as unknown as Revision;

const podNamed = (name: string) =>
  ({
    metadata: { name, labels: { 'controller-revision-hash': 'db-1' } },
    spec: { containers: [] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }) as unknown as Pod;

function membersOf(replicas: number, podManagementPolicy: string, pods: readonly Pod[] = []): Members {
  const spec = { replicas, podManagementPolicy, template: { spec: {} }, updateStrategy: { type: 'RollingUpdate' } };
  const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', namespace: 'default' }, spec };
  return { set: set as unknown as StatefulSet, pods, current: aRevision, update: aRevision };
}

test('a StatefulSet of two billion pods creates 500 per sync', (t) => {
  t.is(nextOfMembers(membersOf(2 ** 31 - 1, 'Parallel'), view).writes.length, 500);
});

test('the work of a sync grows with the pods of a StatefulSet, not with their square', async (t) => {
  const growth = await excessiveGrowth(
    workOn(
      (size) =>
        membersOf(
          size,
          'OrderedReady',
          Array.from({ length: size }, (_, index) => podNamed(`db-${index}`)),
        ),
      (members) => nextOfMembers(members, view),
    ),
    { size: 6400 },
  );
  t.is(growth, undefined);
});
