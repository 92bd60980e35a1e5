import test from 'ava';
import type { ApiObject, Fields } from '../../../../cluster/apimachinery/object.ts';
import type { Node } from '../../../../cluster/controllers/node-lifecycle/nodes.ts';
import type { Pod } from '../../../../cluster/controllers/pods/pod.ts';
import { aWorkloadCluster } from '../../fixtures/a-workload-cluster.ts';

const pod = (name: string, requests?: Fields, spec: Fields = {}) => ({
  metadata: { name },
  spec: {
    containers: [{ name: 'main', image: 'example.test/main', ...(requests && { resources: { requests } }) }],
    ...spec,
  },
});
const nodesOf = (pods: readonly Pod[]): Fields =>
  Object.fromEntries(pods.map((one) => [one.metadata.name, one.spec.nodeName]));

/** Starts a cluster whose nodes have these resources. */
async function sized(sizes: Readonly<Record<string, Fields>>) {
  const cluster = await aWorkloadCluster({ kubelet: { nodes: Object.keys(sizes), events: true, taskDelay: false } });
  for (const [name, allocatable] of Object.entries(sizes)) {
    await cluster.ask(`PATCH /api/v1/nodes/${name}/status`, { status: { allocatable } });
  }
  await cluster.cluster.settle();
  return cluster;
}

const whyIn = ({ list }: { list: (kind: string) => readonly ApiObject[] }, name: string): string | undefined =>
  (list('Pod') as readonly Pod[])
    .find(({ metadata }) => metadata.name === name)
    ?.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message;

test('pods wait for room, and say what there is too little of', async (t) => {
  const it = await sized({ a: { cpu: '1', memory: '1Gi', pods: '3' }, b: { cpu: '500m', memory: '4Gi', pods: '3' } });
  await it.make('pods', pod('first', { cpu: '800m' }));
  await it.make('pods', pod('second', { cpu: '400m', memory: '2Gi' }));
  t.deepEqual(nodesOf(it.pods()), { first: 'a', second: 'b' });
  await it.make('pods', pod('third', { cpu: '300m', memory: '3Gi' }));
  t.is(
    whyIn(it, 'third'),
    '0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory. preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
  );
  t.true(it.told().some((text) => text.startsWith('FailedScheduling: 0/2 nodes are available: ')));
  await it.remove('pods', 'second', { gracePeriodSeconds: 0 });
  t.is(nodesOf(it.pods()).third, 'b');
});

test('pods that have ended take no room', async (t) => {
  const it = await sized({ a: { cpu: '1', pods: '1' } });
  const template = { spec: { restartPolicy: 'Never', ...pod('x', { cpu: '1' }).spec } };
  await it.make('jobs', { metadata: { name: 'task' }, spec: { template } });
  await it.make('pods', pod('next', { cpu: '1' }));
  t.is(
    whyIn(it, 'next'),
    '0/1 nodes are available: 1 Insufficient cpu, 1 Too many pods. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
  );
  await it.cluster.kubelet.complete('default/task-*');
  t.is(nodesOf(it.pods()).next, 'a');
});

test('what a node does not have at all, no other pod can give back', async (t) => {
  const it = await sized({ a: { cpu: '1' } });
  await it.make('pods', pod('big', { cpu: '2' }));
  t.is(
    whyIn(it, 'big'),
    '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
  );
  await it.ask('PATCH /api/v1/nodes/a/status', { status: { allocatable: { cpu: '4' } } });
  await it.cluster.settle();
  t.is(nodesOf(it.pods()).big, 'a');
});

test('a cordoned node is tainted, and takes no pods until it is let go', async (t) => {
  const it = await sized({ a: {} });
  const taints = async () => {
    await it.cluster.settle();
    const [node] = it.cluster.list({ apiVersion: 'v1', kind: 'Node' }) as unknown as readonly Node[];
    return (node?.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
  };
  await it.ask('PATCH /api/v1/nodes/a', { spec: { unschedulable: true } });
  t.deepEqual(await taints(), ['node.kubernetes.io/unschedulable:NoSchedule']);
  await it.make('pods', pod('web'));
  t.is(
    whyIn(it, 'web'),
    '0/1 nodes are available: 1 node(s) were unschedulable. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
  );
  const tolerant = { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }] };
  await it.make('pods', pod('daemon', undefined, tolerant));
  t.is(nodesOf(it.pods()).daemon, 'a');
  await it.ask('PATCH /api/v1/nodes/a', { spec: { unschedulable: null } });
  t.deepEqual(await taints(), []);
  t.is(nodesOf(it.pods()).web, 'a');
});
