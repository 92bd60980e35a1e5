import test from 'ava';
import { goDuration } from '../../../../cluster/controllers/kubelet/containers.ts';
import type { Pod } from '../../../../cluster/controllers/pods/pod.ts';
import { aTemplate, aWorkloadCluster, type WorkloadCluster } from '../../fixtures/a-workload-cluster.ts';

const pod = (spec = {}, name = 'p') => ({
  metadata: { name, labels: { app: 'it' } },
  spec: (aTemplate({}, spec) as { spec: object }).spec,
});
const theOne = ({ get }: WorkloadCluster) => get<Pod>('Pod', 'p');
const container = (world: WorkloadCluster) => theOne(world).status!.containerStatuses![0]!;
const condition = (world: WorkloadCluster, type: string) =>
  theOne(world).status!.conditions!.find((one) => one.type === type);

test('durations are written as Go does', (t) => {
  t.deepEqual([0, 10_000, 80_000, 300_000].map(goDuration), ['0s', '10s', '1m20s', '5m0s']);
});

test('a pod is scheduled, runs and is ready, and that is reported', async (t) => {
  const world = await aWorkloadCluster();
  await world.make('pods', pod());
  t.like(theOne(world), { spec: { nodeName: 'in-memory-node' }, status: { phase: 'Running', hostIP: '10.0.0.1' } });
  t.deepEqual(world.told().toSorted(), [
    'Created: Created container: main',
    'Pulled: Container image "example.test/main:1" already present on machine',
    'Scheduled: Successfully assigned default/p to in-memory-node',
    'Started: Started container main',
  ]);
});

test('a container that fails is restarted at once, then after longer and longer waits', async (t) => {
  const world = await aWorkloadCluster();
  await world.make('pods', pod());
  const { uid } = theOne(world).metadata;
  await world.cluster.kubelet.fail('default/p', { exitCode: 3, times: 3 });
  t.like(container(world), {
    restartCount: 1,
    ready: false,
    state: {
      waiting: {
        reason: 'CrashLoopBackOff',
        message: `back-off 10s restarting failed container=main pod=p_default(${uid})`,
      },
    },
    lastState: { terminated: { exitCode: 3, reason: 'Error' } },
  });
  t.like(condition(world, 'Ready'), { status: 'False', message: 'containers with unready status: [main]' });
  await world.pass(10_000);
  t.is(container(world).restartCount, 2);
  t.regex(container(world).state.waiting!.message!, /^back-off 20s /);
  await world.pass(20_000);
  t.like(container(world), { restartCount: 3, ready: true });
  t.is(condition(world, 'Ready')?.status, 'True');
});

test('restartPolicy says what becomes of a pod whose containers end', async (t) => {
  const world = await aWorkloadCluster();
  const cases = [
    ['Never', 1, 'Failed'],
    ['Never', 0, 'Succeeded'],
    ['OnFailure', 0, 'Succeeded'],
    ['OnFailure', 1, 'Running'],
    ['Always', 1, 'Running'],
  ] as const;
  for (const [restartPolicy, exitCode, phase] of cases) {
    await world.make('pods', pod({ restartPolicy }));
    await (exitCode === 0 ? world.cluster.kubelet.complete('default/p') : world.cluster.kubelet.fail('default/p'));
    t.is(theOne(world).status?.phase, phase, `${restartPolicy} ${exitCode}`);
    await world.cluster.kubelet.heal('default/p');
    await world.remove('pods', 'p');
  }
});

test('an image that cannot be pulled keeps its container waiting until it can', async (t) => {
  const world = await aWorkloadCluster();
  await world.cluster.kubelet.fail('default/*', { reason: 'ImagePullBackOff' });
  await world.make('pods', pod());
  t.is(theOne(world).status?.phase, 'Pending');
  t.like(container(world).state, {
    waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "example.test/main:1"' },
  });
  const logs = await world.ask('GET /api/v1/namespaces/default/pods/p/log');
  t.is(logs.body.message, 'container "main" in pod "p" is waiting to start: trying and failing to pull image');
  await world.cluster.kubelet.heal('default/*');
  t.is(theOne(world).status?.phase, 'Running');
});

test('pods can be made unready, run out of memory, and be evicted', async (t) => {
  const world = await aWorkloadCluster();
  await world.make('pods', pod({ restartPolicy: 'Never' }));
  await world.cluster.kubelet.unready('default/p');
  t.is(condition(world, 'Ready')?.status, 'False');
  t.is(theOne(world).status?.phase, 'Running');
  await world.cluster.kubelet.fail('default/p', { reason: 'OOMKilled' });
  t.like(container(world).state, { terminated: { exitCode: 137, reason: 'OOMKilled' } });
  await world.make('pods', pod({}, 'other'));
  await world.cluster.kubelet.evict('default/other');
  t.like(world.get<Pod>('Pod', 'other').status, { phase: 'Failed', reason: 'Evicted' });
});

test('what can never mean a pod is refused', async (t) => {
  const { cluster } = await aWorkloadCluster();
  await t.throwsAsync(cluster.kubelet.fail('web'), { instanceOf: TypeError, message: /write namespace\/name/ });
  await t.throwsAsync(cluster.kubelet.fail('default/web', { exitCode: 0 }), { message: /exitCode other than 0/ });
});

test('a pod waits until a node fits, and says why', async (t) => {
  const world = await aWorkloadCluster();
  await world.make('pods', pod({ nodeSelector: { disk: 'ssd' } }));
  const message =
    "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
  t.like(condition(world, 'PodScheduled'), { status: 'False', reason: 'Unschedulable', message });
  await world.ask('PATCH /api/v1/nodes/in-memory-node', { metadata: { labels: { disk: 'ssd' } } });
  await world.cluster.settle();
  t.is(theOne(world).status?.phase, 'Running');
});

test('pods are spread over the nodes that are ready', async (t) => {
  const world = await aWorkloadCluster({ kubelet: { nodes: ['a', 'b', 'c'] } });
  const { body } = await world.ask('GET /api/v1/nodes/c');
  const conditions = [{ type: 'Ready', status: 'False' }];
  await world.ask('PUT /api/v1/nodes/c/status', { ...body, status: { conditions } });
  await world.cluster.settle();
  for (const name of ['p', 'q', 'r', 's']) await world.make('pods', pod({}, name));
  t.deepEqual(
    world
      .pods()
      .map(({ spec }) => spec.nodeName)
      .sort(),
    ['a', 'a', 'b', 'b'],
  );
});

test('another scheduler binds its own pods', async (t) => {
  const world = await aWorkloadCluster();
  await world.make('pods', pod({ schedulerName: 'mine' }));
  t.is(theOne(world).spec.nodeName, undefined);
  const path = 'POST /api/v1/namespaces/default/pods/p/binding';
  const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'in-memory-node' } };
  t.is((await world.ask(path, binding)).status, 201);
  await world.cluster.settle();
  t.is(theOne(world).status?.phase, 'Running');
  const again = await world.ask(path, binding);
  t.is(again.status, 409);
  t.is(
    again.body.message,
    'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "in-memory-node"',
  );
});

test('logs are what the test says', async (t) => {
  const logs = (one: { metadata: { name: string } }, name: string) => `${one.metadata.name} ${name}\nsecond\nthird\n`;
  const world = await aWorkloadCluster({ kubelet: { logs } });
  await world.make('pods', pod());
  const path = 'GET /api/v1/namespaces/default/pods/p/log';
  t.is((await world.ask(path)).text, 'p main\nsecond\nthird\n');
  t.is((await world.ask(`${path}?tailLines=1`)).text, 'third\n');
  const wrong = await world.ask(`${path}?container=x`);
  t.is(wrong.status, 400);
  t.is(wrong.body.message, 'container x is not valid for pod p');
});

test('a pod that is deleted stops within its grace period', async (t) => {
  const world = await aWorkloadCluster({ kubelet: { stopDelay: 60_000 } });
  await world.make('pods', pod());
  await world.remove('pods', 'p', { gracePeriodSeconds: 5 });
  await world.pass(4000);
  t.is(world.pods().length, 1);
  await world.pass(1000);
  t.is(world.pods().length, 0);
});

const withInit = (spec = {}) =>
  pod({
    initContainers: [
      { name: 'first', image: 'example.test/first' },
      { name: 'second', image: 'example.test/second' },
    ],
    ...spec,
  });
const initStates = (world: WorkloadCluster) =>
  (theOne(world).status!.initContainerStatuses ?? []).map(
    ({ name, restartCount, state }) =>
      `${name} ${restartCount} ${state.waiting?.reason ?? (state.terminated ? `exit ${state.terminated.exitCode}` : 'running')}`,
  );

test('an init container that fails is tried again, and the others wait', async (t) => {
  const world = await aWorkloadCluster();
  await world.cluster.kubelet.fail('default/p', { container: 'first', exitCode: 7, times: 2 });
  await world.make('pods', withInit());
  t.deepEqual(initStates(world), ['first 1 CrashLoopBackOff', 'second 0 PodInitializing']);
  t.like(container(world), { started: false, state: { waiting: { reason: 'PodInitializing' } } });
  t.is(theOne(world).status?.phase, 'Pending');
  t.like(condition(world, 'Initialized'), {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: 'containers with incomplete status: [first second]',
  });
  t.true(world.told().some((text) => text.startsWith('BackOff: Back-off restarting failed container first in pod p_')));
  await world.pass(10_000);
  t.deepEqual(initStates(world), ['first 2 exit 0', 'second 0 exit 0']);
  t.is(theOne(world).status?.phase, 'Running');
  t.like(condition(world, 'Initialized'), { status: 'True' });
});

test('a pod that is not restarted fails with its init container', async (t) => {
  const world = await aWorkloadCluster();
  await world.cluster.kubelet.fail('default/p', { container: 'second' });
  await world.make('pods', withInit({ restartPolicy: 'Never' }));
  t.deepEqual(initStates(world), ['first 0 exit 0', 'second 0 exit 1']);
  t.is(theOne(world).status?.phase, 'Failed');
  t.like(container(world), { state: { waiting: { reason: 'PodInitializing' } } });
});

test('what is said of a pod is not said of its init containers', async (t) => {
  const world = await aWorkloadCluster();
  await world.cluster.kubelet.fail('default/p');
  await world.make('pods', withInit());
  t.deepEqual(initStates(world), ['first 0 exit 0', 'second 0 exit 0']);
  t.is(container(world).restartCount, 1);
});
