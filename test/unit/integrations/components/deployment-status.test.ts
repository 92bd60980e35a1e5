import test from 'ava';
import { isRolledOut, refusedPodsOf, rolloutFailureOf } from '../../../../integrations/components/deployment-status.ts';
import type { Deployment } from '../../../../sdk/index.ts';

const aDeployment = (status: object, replicas = 2): Deployment =>
  ({ metadata: { name: 'shop-web', generation: 3 }, spec: { replicas }, status }) as unknown as Deployment;
const complete = { observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

test('a Deployment is rolled out when all replicas are of its template and available', (t) => {
  t.true(isRolledOut(aDeployment(complete)));
  t.false(isRolledOut(aDeployment({ ...complete, observedGeneration: 2 })));
  t.false(isRolledOut(aDeployment({ ...complete, availableReplicas: 1 })));
  t.false(isRolledOut(aDeployment({ ...complete, updatedReplicas: 1 })));
  t.false(isRolledOut(aDeployment({ ...complete, replicas: 3 })));
  t.true(isRolledOut(aDeployment({ observedGeneration: 3 }, 0)));
  t.false(isRolledOut(aDeployment({})));
});

test('a Deployment without progress has failed, and says why', (t) => {
  const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];
  t.is(rolloutFailureOf(aDeployment({ conditions })), 'deployment shop-web has failed: ProgressDeadlineExceeded');
  t.is(rolloutFailureOf(aDeployment({ conditions: [{ type: 'Progressing', status: 'True' }] })), undefined);
  t.is(rolloutFailureOf(aDeployment({})), undefined);
});

test('pods that are refused are reported in the words of the refusal', (t) => {
  const condition = { type: 'ReplicaFailure', status: 'True', message: 'exceeded quota: pods' };
  t.is(refusedPodsOf(aDeployment({ conditions: [condition] })), 'exceeded quota: pods');
  t.is(refusedPodsOf(aDeployment({ conditions: [{ ...condition, status: 'False' }] })), undefined);
  t.is(refusedPodsOf(aDeployment({})), undefined);
});
