import test from 'ava';
import type { Deployment } from '../../../../cluster/controllers/workloads/deployment.ts';
import { revise } from '../../../../cluster/controllers/workloads/deployment-revision.ts';
import type { ReplicaSet } from '../../../../cluster/controllers/workloads/replica-set.ts';
import { excessiveGrowth, repeated, workOn } from '../../../growth.ts';

const deployment = { metadata: { name: 'web' }, spec: {} } as unknown as Deployment;
const old = [{ metadata: { annotations: { 'deployment.kubernetes.io/revision': '8' } } }] as unknown as ReplicaSet[];

/** Returns the history of a ReplicaSet that becomes the current one again. */
function historyAfterRollback(before: string): string {
  const annotations = {
    'deployment.kubernetes.io/revision': '7',
    'deployment.kubernetes.io/revision-history': before,
  };
  const current = { metadata: { name: 'web-1', annotations }, spec: {} } as unknown as ReplicaSet;
  const [write] = revise({ deployment, current, old }, current, 0) as unknown as readonly { object: ReplicaSet }[];
  return write!.object.metadata.annotations!['deployment.kubernetes.io/revision-history']!;
}

test('the history of revisions is cut to 2000 characters, the oldest first', (t) => {
  t.is(historyAfterRollback(''), '7');
  t.is(historyAfterRollback('1,3'), '1,3,7');
  t.is(historyAfterRollback(`1,${repeated('23,', 1998)}`.slice(0, -1)), `${repeated('23,', 1998)}7`);
  t.is(historyAfterRollback('9'.repeat(3000)), '7');
});

test('the work of cutting a history grows with its length, not with its square', async (t) => {
  t.is(
    await excessiveGrowth(
      workOn((size) => repeated('1,', size), historyAfterRollback),
      { size: 1 << 17 },
    ),
    undefined,
  );
});
