import test from 'ava';
import { aSelector, aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const web = { metadata: { name: 'web' }, spec: { replicas: 3, selector: aSelector, template: aTemplate() } };
const budget = (spec: object) => ({ metadata: { name: 'web' }, spec: { selector: aSelector, ...spec } });

const cases: readonly (readonly [object, object])[] = [
  [{ minAvailable: 2 }, { expectedPods: 3, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 }],
  [{ minAvailable: '50%' }, { expectedPods: 3, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 }],
  [{ maxUnavailable: 2 }, { expectedPods: 3, desiredHealthy: 1, currentHealthy: 3, disruptionsAllowed: 2 }],
  [{ maxUnavailable: '40%' }, { expectedPods: 3, desiredHealthy: 1, currentHealthy: 3, disruptionsAllowed: 2 }],
];

for (const [spec, expected] of cases) {
  test(`a budget of ${JSON.stringify(spec)} for three pods`, async (t) => {
    const { make, get } = await aWorkloadCluster();
    await make('poddisruptionbudgets', budget(spec));
    await make('deployments', web);
    t.like(get('PodDisruptionBudget', 'web').status, expected);
  });
}

test('evictions are refused when a budget is used up', async (t) => {
  const { cluster, ask, make, pods, pass } = await aWorkloadCluster({
    kubelet: { stopDelay: 10_000, readyDelay: 1000 },
  });
  await make('poddisruptionbudgets', budget({ maxUnavailable: 1 }));
  await make('deployments', web);
  await pass(1000);
  const names = pods().map(({ metadata }) => metadata.name);
  const evict = (index: number) => {
    const name = names[index];
    return ask(`POST /api/v1/namespaces/default/pods/${name}/eviction`, { metadata: { name } });
  };
  t.is((await evict(0)).status, 201);
  const refused = await evict(1);
  t.is(refused.status, 429);
  t.like(refused.body, {
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [
        { reason: 'DisruptionBudget', message: 'The disruption budget web needs 2 healthy pods and has 2 currently' },
      ],
    },
  });
  t.is(refused.headers['retry-after'], undefined);
  await cluster.settle();
  t.like(
    pods()
      .find(({ metadata }) => metadata.name === names[0])
      ?.status?.conditions?.find(({ type }) => type === 'DisruptionTarget'),
    { reason: 'EvictionByEvictionAPI' },
  );
});

test('an eviction with preconditions is of the pod that has them, which otherwise stays as it is', async (t) => {
  const { cluster, ask, make, pods, pass } = await aWorkloadCluster({
    kubelet: { stopDelay: 10_000, readyDelay: 1000 },
  });
  await make('deployments', web);
  await pass(1000);
  const { name, uid, resourceVersion } = pods()[0]!.metadata;
  const evict = (preconditions: object) =>
    ask(`POST /api/v1/namespaces/default/pods/${name}/eviction`, {
      metadata: { name },
      deleteOptions: { preconditions },
    });
  for (const [preconditions, message] of [
    [{ uid: 'other' }, /the UID in the precondition \(other\) does not match/],
    [{ uid, resourceVersion: '1' }, /the ResourceVersion in the precondition \(1\) does not match/],
  ] as const) {
    const { status, body } = await evict(preconditions);
    t.is(status, 409);
    t.regex(String(body.message), message);
  }
  t.is(pods()[0]!.metadata.resourceVersion, resourceVersion);
  t.is((await evict({ uid, resourceVersion })).status, 201);
  await cluster.settle();
  t.truthy(pods().find(({ metadata }) => metadata.name === name)?.metadata.deletionTimestamp);
});

test('a pod named as a member of every JavaScript object counts as healthy', async (t) => {
  const { make, get } = await aWorkloadCluster();
  await make('poddisruptionbudgets', budget({ minAvailable: 1 }));
  await make('pods', { ...aTemplate(), metadata: { name: 'constructor', labels: { app: 'it' } } });
  t.like(get('PodDisruptionBudget', 'web').status, { currentHealthy: 1, expectedPods: 1 });
});

test('a ReplicaSet that is its own controller has its own replicas in a budget', async (t) => {
  const { make, change, get } = await aWorkloadCluster();
  await make('replicasets', web);
  const { uid } = get('ReplicaSet', 'web').metadata;
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true };
  await change('replicasets', 'web', { metadata: { ownerReferences: [owner] } });
  await make('poddisruptionbudgets', budget({ maxUnavailable: 1 }));
  t.like(get('PodDisruptionBudget', 'web').status, { expectedPods: 3, desiredHealthy: 2 });
});
