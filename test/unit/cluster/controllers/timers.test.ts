import test from 'ava';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import { type Pod, phaseOf } from '../../../cluster/controllers/pods/pod.ts';
import { aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const task = { metadata: { name: 'task' }, spec: { template: aTemplate({}, { restartPolicy: 'Never' }) } };
const pod = { metadata: { name: 'web' }, spec: { containers: [{ name: 'main', image: 'example.test/main' }] } };
const Pods = { apiVersion: 'v1', kind: 'Pod' };
const phasesIn = (cluster: Awaited<ReturnType<typeof createCluster>>) =>
  cluster.list(Pods, 'default').map((one) => phaseOf(one as unknown as Pod));
const addressesIn = (cluster: Awaited<ReturnType<typeof createCluster>>) =>
  cluster.list(Pods, 'default').map(({ status }) => (status as { podIP?: string }).podIP);

test('what was due after a delay is due then in a fork, too', async (t) => {
  const { cluster, clock, make } = await aWorkloadCluster({ kubelet: { readyDelay: 1500, taskDelay: 5000 } });
  await make('jobs', task);
  await clock.advance(1000);
  const fork = await cluster.fork();
  await clock.advance(499);
  await fork.settle();
  t.deepEqual(phasesIn(fork), ['Pending']);
  await clock.advance(1);
  await fork.settle();
  t.deepEqual(phasesIn(fork), ['Running']);
  t.deepEqual(phasesIn(fork), phasesIn(cluster));
  await clock.advance(3000);
  const second = await fork.fork();
  await clock.advance(2000);
  await second.settle();
  t.deepEqual(phasesIn(second), ['Succeeded']);
  await fork.close();
  await second.close();
});

test('what was due after a delay is due then after a restore, be it of a file in another cluster', async (t) => {
  const { cluster, clock, make, remove, pass } = await aWorkloadCluster({ kubelet: { readyDelay: 10_000 } });
  await make('pods', pod);
  await clock.advance(4000);
  const snapshot = await cluster.snapshot();
  await pass(1000);
  await remove('pods', 'web');
  await cluster.restore(snapshot);
  await pass(4000);
  t.deepEqual(phasesIn(cluster), ['Pending']);
  await pass(1000);
  t.deepEqual(phasesIn(cluster), ['Running']);
  const other = createManualClock(clock.now());
  const elsewhere = await createCluster({ clock: other, controllers: 'all', kubelet: { readyDelay: 10_000 } });
  await elsewhere.restore(JSON.parse(JSON.stringify(snapshot)));
  await elsewhere.settle();
  t.deepEqual(phasesIn(elsewhere), ['Running']);
  t.deepEqual(addressesIn(elsewhere), addressesIn(cluster));
  await elsewhere.close();
});

test('pods keep their addresses in a fork, and new ones have others', async (t) => {
  const { cluster, make, ask: _ask } = await aWorkloadCluster();
  await make('pods', pod);
  await make('pods', { ...pod, metadata: { name: 'other' } });
  const fork = await cluster.fork();
  await fork.settle();
  t.deepEqual(addressesIn(fork), addressesIn(cluster));
  await fork.apply({ ...Pods, ...pod, metadata: { name: 'third', namespace: 'default' } });
  t.is(new Set(addressesIn(fork)).size, 3);
  await fork.close();
});

test('back-off continues in a fork', async (t) => {
  const { cluster, clock, make } = await aWorkloadCluster();
  await cluster.kubelet.fail('default/web', { times: 2 });
  await make('pods', pod);
  await clock.advance(4000);
  const fork = await cluster.fork();
  const runs = () =>
    fork
      .list(Pods, 'default')
      .map((one) => (one as unknown as Pod).status?.containerStatuses?.[0])
      .map((status) => `${status?.restartCount} ${Object.keys(status?.state ?? {})}`);
  t.deepEqual(runs(), ['1 waiting']);
  await clock.advance(6000);
  await fork.settle();
  t.deepEqual(runs(), ['2 running']);
  await fork.close();
});
