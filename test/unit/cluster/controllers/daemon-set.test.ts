import test from 'ava';
import { anImage, aSelector, aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const agent = (template = aTemplate()) => ({ metadata: { name: 'agent' }, spec: { selector: aSelector, template } });
const three = { kubelet: { nodes: ['a', 'b', 'c'] } };

test('every node has a daemon, new ones too', async (t) => {
  const { ask, cluster, make, get, pods } = await aWorkloadCluster(three);
  await make('daemonsets', agent());
  t.deepEqual(
    pods()
      .map(({ spec }) => spec.nodeName)
      .sort(),
    ['a', 'b', 'c'],
  );
  await ask('POST /api/v1/nodes', { metadata: { name: 'd' } });
  await cluster.settle();
  t.like(get('DaemonSet', 'agent').status, { desiredNumberScheduled: 4, numberReady: 4, numberAvailable: 4 });
  await ask('DELETE /api/v1/nodes/d');
  await cluster.settle();
  t.is(pods().length, 3);
});

test('selectors and taints keep daemons away', async (t) => {
  const { ask, cluster, make, get, pods } = await aWorkloadCluster(three);
  await ask('PATCH /api/v1/nodes/a', { metadata: { labels: { disk: 'ssd' } } });
  await ask('PATCH /api/v1/nodes/b', { metadata: { labels: { disk: 'ssd' } } });
  await make('daemonsets', agent(aTemplate({ app: 'it' }, { nodeSelector: { disk: 'ssd' } })));
  t.deepEqual(
    pods()
      .map(({ spec }) => spec.nodeName)
      .sort(),
    ['a', 'b'],
  );
  await ask('PATCH /api/v1/nodes/b', { spec: { taints: [{ key: 'gone', effect: 'NoExecute' }] } });
  await cluster.settle();
  t.deepEqual(
    pods().map(({ spec }) => spec.nodeName),
    ['a'],
  );
  t.like(get('DaemonSet', 'agent').status, { desiredNumberScheduled: 1 });
});

test('an update replaces one daemon after the other', async (t) => {
  const { make, change, get, pass, pods } = await aWorkloadCluster({
    kubelet: { nodes: ['a', 'b', 'c'], readyDelay: 1000 },
  });
  await make('daemonsets', agent());
  await pass(1000);
  await change('daemonsets', 'agent', { spec: anImage(2) });
  t.is((get('DaemonSet', 'agent').status as { numberAvailable: number }).numberAvailable, 2);
  await pass(5000);
  t.true(pods().every(({ spec }) => spec.containers[0]!.image === 'example.test/main:2'));
  t.like(get('DaemonSet', 'agent').status, { updatedNumberScheduled: 3, numberAvailable: 3 });
});

test('with a surge, the new daemon is up before the old one goes', async (t) => {
  const { make, change, get, pass, pods } = await aWorkloadCluster({
    kubelet: { nodes: ['a', 'b', 'c'], readyDelay: 1000 },
  });
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const { metadata, spec } = agent();
  await make('daemonsets', { metadata, spec: { ...spec, updateStrategy } });
  await pass(1000);
  await change('daemonsets', 'agent', { spec: anImage(2) });
  t.is(pods().length, 4);
  t.like(get('DaemonSet', 'agent').status, { numberAvailable: 3, updatedNumberScheduled: undefined });
  await pass(1000);
  t.is(pods().length, 4);
  await pass(3000);
  t.is(pods().length, 3);
  t.true(pods().every(({ spec: { containers } }) => containers[0]!.image === 'example.test/main:2'));
  t.like(get('DaemonSet', 'agent').status, { updatedNumberScheduled: 3, numberAvailable: 3 });
});

test('with a surge, a daemon that is down has its successor at once', async (t) => {
  const { cluster, make, change, pods } = await aWorkloadCluster(three);
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const { metadata, spec } = agent();
  await make('daemonsets', { metadata, spec: { ...spec, updateStrategy } });
  await cluster.kubelet.unready('default/*');
  await change('daemonsets', 'agent', { spec: anImage(2) });
  t.true(pods().every(({ spec: { containers } }) => containers[0]!.image === 'example.test/main:2'));
});

test('a DaemonSet that is created again adopts the pods and revisions that its predecessor left', async (t) => {
  const { make, remove, get, list } = await aWorkloadCluster(three);
  await make('daemonsets', agent());
  const [before] = list('ControllerRevision');
  await remove('daemonsets', 'agent', { propagationPolicy: 'Orphan' });
  await make('daemonsets', agent());
  t.deepEqual(
    list('ControllerRevision').map(({ metadata }) => [metadata.uid, metadata.ownerReferences?.[0]?.uid]),
    [[before!.metadata.uid, get('DaemonSet', 'agent').metadata.uid]],
  );
  t.like(get('DaemonSet', 'agent').status, { numberReady: 3, updatedNumberScheduled: 3 });
});
