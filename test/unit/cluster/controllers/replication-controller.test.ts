import test from 'ava';
import { aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const controller = (replicas: number) => ({ metadata: { name: 'old' }, spec: { replicas, template: aTemplate() } });

test('a ReplicationController keeps as many pods as it asks for, and says so', async (t) => {
  const { make, change, remove, pods, get, told } = await aWorkloadCluster();
  await make('replicationcontrollers', controller(2));
  t.is(pods().length, 2);
  t.like(get('ReplicationController', 'old').status, { replicas: 2, fullyLabeledReplicas: 2 });
  t.true(told().includes(`SuccessfulCreate: Created pod: ${pods()[0]!.metadata.name}`));
  await remove('pods', pods()[0]!.metadata.name, { gracePeriodSeconds: 0 });
  t.is(pods().length, 2);
  await change('replicationcontrollers', 'old', { spec: { replicas: 1 } });
  t.is(pods().filter(({ metadata }) => metadata.deletionTimestamp === undefined).length, 1);
});

test('a ReplicationController adopts pods with its labels, and leaves them behind unless told otherwise', async (t) => {
  const { make, remove, pods } = await aWorkloadCluster();
  const { metadata, spec } = aTemplate() as { metadata: object; spec: object };
  await make('pods', { metadata: { name: 'first', ...metadata }, spec });
  await make('replicationcontrollers', controller(1));
  t.deepEqual(
    pods().map((pod) => [pod.metadata.name, pod.metadata.ownerReferences?.[0]?.kind]),
    [['first', 'ReplicationController']],
  );
  await remove('replicationcontrollers', 'old');
  t.deepEqual(
    pods().map((pod) => [pod.metadata.name, pod.metadata.ownerReferences]),
    [['first', undefined]],
  );
});
