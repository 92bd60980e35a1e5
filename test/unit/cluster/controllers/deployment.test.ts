import test from 'ava';
import type { ApiObject } from '../../../cluster/apimachinery/object.ts';
import { anImage, aSelector, aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const web = (spec = {}) => ({
  metadata: { name: 'web' },
  spec: { replicas: 4, selector: aSelector, template: aTemplate(), ...spec },
});
const statusOf = ({ status }: ApiObject) =>
  status as Record<string, unknown> & { conditions: Record<string, string>[] };
const conditionIn = (object: ApiObject, type: string) => statusOf(object).conditions.find((one) => one.type === type);
const revision = 'deployment.kubernetes.io/revision';

test('a Deployment makes a ReplicaSet, which makes pods, and tells how far it is', async (t) => {
  const { make, get, list, pods, told } = await aWorkloadCluster();
  await make('deployments', web());
  const deployment = get('Deployment', 'web');
  t.like(deployment.status, {
    observedGeneration: 1,
    replicas: 4,
    updatedReplicas: 4,
    readyReplicas: 4,
    availableReplicas: 4,
  });
  t.is(deployment.metadata.generation, 1);
  t.is(deployment.metadata.annotations?.[revision], '1');
  t.like(conditionIn(deployment, 'Available'), { status: 'True', reason: 'MinimumReplicasAvailable' });
  t.like(conditionIn(deployment, 'Progressing'), { status: 'True', reason: 'NewReplicaSetAvailable' });
  const [set] = list('ReplicaSet');
  t.true(pods().every(({ metadata }) => metadata.ownerReferences?.[0]?.uid === set!.metadata.uid));
  t.true(
    pods().every(
      ({ metadata }) => metadata.labels?.['pod-template-hash'] === set!.metadata.labels?.['pod-template-hash'],
    ),
  );
  t.true(told().includes(`ScalingReplicaSet: Scaled up replica set ${set!.metadata.name} from 0 to 4`));
});

test('a rolling update never has too few or too many pods', async (t) => {
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
  const { cluster, clock, make, change, get, pass } = await aWorkloadCluster({ kubelet: { readyDelay: 1000 } });
  await make('deployments', web({ strategy: { rollingUpdate } }));
  await pass(1000);
  const seen: { total: number; available: number }[] = [];
  await change('deployments', 'web', { spec: anImage(2) });
  for (let second = 0; second < 10; second += 1) {
    const { replicas = 0, availableReplicas = 0 } = statusOf(get('Deployment', 'web')) as Record<string, number>;
    seen.push({ total: replicas, available: availableReplicas });
    await clock.advance(1000);
    await cluster.settle();
  }
  t.true(seen.every(({ total }) => total <= 5));
  t.true(seen.every(({ available }) => available >= 3));
  t.like(statusOf(get('Deployment', 'web')), { updatedReplicas: 4, availableReplicas: 4, replicas: 4 });
});

test('going back to a former template makes its ReplicaSet the newest, and remembers', async (t) => {
  const { make, change, get, list } = await aWorkloadCluster();
  await make('deployments', web());
  await change('deployments', 'web', { spec: anImage(2) });
  await change('deployments', 'web', { spec: anImage(1) });
  const sets = list('ReplicaSet');
  t.is(sets.length, 2);
  const current = sets.find(({ spec }) => (spec as { replicas: number }).replicas === 4);
  t.like(current?.metadata.annotations, { [revision]: '3', 'deployment.kubernetes.io/revision-history': '1' });
  t.is(get('Deployment', 'web').metadata.annotations?.[revision], '3');
});

test('former ReplicaSets are kept as far as the limit says', async (t) => {
  const { make, change, list } = await aWorkloadCluster();
  await make('deployments', web({ revisionHistoryLimit: 1 }));
  for (const version of [2, 3, 4]) await change('deployments', 'web', { spec: anImage(version) });
  t.is(list('ReplicaSet').length, 2);
});

test('Recreate has no pods of both templates', async (t) => {
  const { make, change, pods, pass } = await aWorkloadCluster({ kubelet: { stopDelay: 5000 } });
  await make('deployments', web({ strategy: { type: 'Recreate' } }));
  await change('deployments', 'web', { spec: anImage(2) });
  const images = () => new Set(pods().map(({ spec }) => spec.containers[0]!.image));
  t.deepEqual([...images()], ['example.test/main:1']);
  await pass(5000);
  t.deepEqual([...images()], ['example.test/main:2']);
  t.is(pods().length, 4);
});

test('a paused Deployment is scaled, but not rolled out', async (t) => {
  const { make, change, get, list } = await aWorkloadCluster();
  await make('deployments', web());
  await change('deployments', 'web', { spec: { paused: true, replicas: 2, ...anImage(2) } });
  t.is(list('ReplicaSet').length, 1);
  t.is(statusOf(get('Deployment', 'web')).replicas, 2);
  t.like(conditionIn(get('Deployment', 'web'), 'Progressing'), { status: 'Unknown', reason: 'DeploymentPaused' });
  await change('deployments', 'web', { spec: { paused: false } });
  t.is(list('ReplicaSet').length, 2);
});

test('a rollout that does not get on is reported after its deadline, by the clock', async (t) => {
  const { cluster, make, change, get, pass } = await aWorkloadCluster();
  await make('deployments', web({ progressDeadlineSeconds: 60 }));
  await cluster.kubelet.fail('default/web-*', { reason: 'ImagePullBackOff' });
  await change('deployments', 'web', { spec: anImage(2) });
  await pass(30_000);
  t.like(conditionIn(get('Deployment', 'web'), 'Progressing'), { status: 'True' });
  await pass(40_000);
  t.like(conditionIn(get('Deployment', 'web'), 'Progressing'), { status: 'False', reason: 'ProgressDeadlineExceeded' });
  t.like(conditionIn(get('Deployment', 'web'), 'Available'), { status: 'True' });
  await cluster.kubelet.heal('default/web-*');
  t.like(conditionIn(get('Deployment', 'web'), 'Progressing'), { status: 'True', reason: 'NewReplicaSetAvailable' });
});

test('minReadySeconds counts by the clock', async (t) => {
  const { make, get, pass } = await aWorkloadCluster();
  await make('deployments', web({ minReadySeconds: 30 }));
  t.is(statusOf(get('Deployment', 'web')).availableReplicas, undefined);
  await pass(31_000);
  t.is(statusOf(get('Deployment', 'web')).availableReplicas, 4);
});

test('a pod whose labels change is let go and replaced; one that fits is adopted', async (t) => {
  const { make, change, list, pods } = await aWorkloadCluster();
  const set = { metadata: { name: 'set' }, spec: { replicas: 2, selector: aSelector, template: aTemplate() } };
  await make('pods', {
    metadata: { name: 'early', labels: { app: 'it' } },
    spec: (aTemplate() as { spec: object }).spec,
  });
  await make('replicasets', set);
  const early = () => pods().find(({ metadata }) => metadata.name === 'early')!;
  t.is(early().metadata.ownerReferences?.[0]?.name, 'set');
  t.is(pods().length, 2);
  await change('pods', 'early', { metadata: { labels: { app: 'mine' } } });
  t.is(early().metadata.ownerReferences, undefined);
  t.is(pods().length, 3);
  t.is((list('ReplicaSet')[0]!.status as { replicas: number }).replicas, 2);
});

test('pods that are not ready go first', async (t) => {
  const { cluster, make, change, pods } = await aWorkloadCluster();
  await make('deployments', web());
  const [, unready] = pods().map(({ metadata }) => metadata.name);
  await cluster.kubelet.unready(`default/${unready}`);
  await change('deployments', 'web', { spec: { replicas: 3 } });
  t.false(pods().some(({ metadata }) => metadata.name === unready));
});
