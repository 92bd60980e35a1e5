import test from 'ava';
import { isMet, workloadStateOf } from '../../../../integrations/components/workload.ts';
import type { Deployment, Pod } from '../../../../sdk/index.ts';

const aPod = (status: object) =>
  ({ kind: 'Pod', object: { metadata: { name: 'shop-db' }, status } as unknown as Pod }) as const;
const aDeployment = (status: object) =>
  ({
    kind: 'Deployment',
    object: { metadata: { name: 'shop-db', generation: 2 }, spec: { replicas: 1 }, status } as unknown as Deployment,
  }) as const;
const complete = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
const readyIs = (status: 'True' | 'False') => ({ component: 'db', type: 'Ready', status });

test('a pod that its node evicted has ended, one that exited has failed', (t) => {
  t.deepEqual(workloadStateOf(aPod({ phase: 'Failed', reason: 'Evicted' })), { kind: 'ended' });
  t.deepEqual(workloadStateOf(aPod({ phase: 'Failed' })), { kind: 'failed', why: 'pod shop-db has failed' });
  t.deepEqual(workloadStateOf(aPod({ phase: 'Succeeded' })), { kind: 'ready' });
  t.deepEqual(workloadStateOf(aPod({})), { kind: 'pending', why: '' });
});

test('a Deployment is judged by its own status', (t) => {
  t.deepEqual(workloadStateOf(aDeployment(complete)), { kind: 'ready' });
  t.deepEqual(workloadStateOf(aDeployment({})), { kind: 'pending', why: '' });
  const refused = { conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota: pods' }] };
  t.deepEqual(workloadStateOf(aDeployment(refused)), { kind: 'pending', why: 'exceeded quota: pods' });
  const stuck = { conditions: [{ type: 'Progressing', status: 'False', message: 'deadline exceeded' }] };
  t.deepEqual(workloadStateOf(aDeployment(stuck)), {
    kind: 'failed',
    why: 'deployment shop-db has failed: deadline exceeded',
  });
});

test('a dependency is met when the workload shows exactly that status of that condition', (t) => {
  const pod = aPod({ conditions: [{ type: 'Ready', status: 'False' }] });
  t.true(isMet(readyIs('False'), pod));
  t.false(isMet(readyIs('True'), pod));
  t.false(isMet({ ...readyIs('True'), type: 'Initialized' }, pod));
  t.false(isMet(readyIs('True'), undefined));
  t.false(isMet(readyIs('False'), undefined));
});

test('a Deployment is Ready once it is rolled out; its own conditions count by their names', (t) => {
  t.true(isMet(readyIs('True'), aDeployment(complete)));
  t.true(isMet(readyIs('False'), aDeployment({ ...complete, observedGeneration: 1 })));
  const available = aDeployment({ conditions: [{ type: 'Available', status: 'True' }] });
  t.true(isMet({ ...readyIs('True'), type: 'Available' }, available));
});
