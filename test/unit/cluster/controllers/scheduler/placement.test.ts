import test from 'ava';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import type { Pod } from '../../../../cluster/controllers/pods/pod.ts';
import { aWorkloadCluster } from '../../fixtures/a-workload-cluster.ts';

const hostname = 'kubernetes.io/hostname';
const pod = (name: string, spec: Fields = {}, labels: Fields = {}) => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'main', image: 'example.test/main' }], ...spec },
});
const needing = (cpu: string) => ({ containers: [{ name: 'm', image: 'i', resources: { requests: { cpu } } }] });
const nodesOf = (pods: readonly Pod[]): Fields =>
  Object.fromEntries(pods.map((one) => [one.metadata.name, one.spec.nodeName]));

/** Starts a cluster with nodes of these labels, each with one cpu. */
async function withNodes(nodes: Readonly<Record<string, Fields>>) {
  const it = await aWorkloadCluster({ kubelet: { nodes: Object.keys(nodes), events: true, stopDelay: 5_000 } });
  for (const [name, labels] of Object.entries(nodes)) {
    await it.ask(`PATCH /api/v1/nodes/${name}`, { metadata: { labels } });
    await it.ask(`PATCH /api/v1/nodes/${name}/status`, { status: { allocatable: { cpu: '1', pods: '10' } } });
  }
  await it.cluster.settle();
  const why = (name: string): string | undefined =>
    it
      .pods()
      .find((one) => one.metadata.name === name)
      ?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
  return { ...it, why };
}

const term = (app: string, topologyKey = hostname) => ({ labelSelector: { matchLabels: { app } }, topologyKey });
const must = (kind: string, ...terms: readonly Fields[]) => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const wish = (kind: string, weight: number, podAffinityTerm: Fields) => ({
  affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }] } },
});
const no = (reason: string, count = 2) =>
  `0/2 nodes are available: ${count} node(s) ${reason}. preemption: 0/2 nodes are available: `;

test('pods go where their affinity says, and say why they cannot', async (t) => {
  const it = await withNodes({ a: { zone: 'x' }, b: { zone: 'y' } });
  await it.make('pods', pod('near', must('podAffinity', term('db')), { app: 'web' }));
  t.is(it.why('near'), `${no("didn't match pod affinity rules")}2 Preemption is not helpful for scheduling.`);
  await it.make('pods', pod('db', { nodeSelector: { zone: 'y' } }, { app: 'db' }));
  await it.make('pods', pod('near2', must('podAffinity', term('db')), { app: 'web' }));
  await it.make('pods', pod('first', must('podAffinity', term('self', 'zone')), { app: 'self' }));
  const first = nodesOf(it.pods()).first;
  await it.make('pods', pod('second', must('podAffinity', term('self', 'zone')), { app: 'self' }));
  t.like(nodesOf(it.pods()), { db: 'b', near2: 'b', second: first });
});

test('pods keep away from each other, whichever of them says so', async (t) => {
  const it = await withNodes({ a: { zone: 'x' }, b: { zone: 'y' } });
  const apart = must('podAntiAffinity', term('web'));
  for (const name of ['one', 'two', 'three']) await it.make('pods', pod(name, apart, { app: 'web' }));
  t.like(nodesOf(it.pods()), { one: 'a', two: 'b', three: undefined });
  t.is(it.why('three'), `${no("didn't match pod anti-affinity rules")}2 No preemption victims found for incoming pod.`);
  await it.make('pods', pod('guest', {}, { app: 'web' }));
  t.is(
    it.why('guest'),
    `${no("didn't satisfy existing pods anti-affinity rules")}2 No preemption victims found for incoming pod.`,
  );
  await it.remove('pods', 'one', { gracePeriodSeconds: 0 });
  await it.pass(5_000);
  t.is(it.pods().filter(({ spec }) => spec.nodeName === 'a').length, 1);
});

test('namespaces of terms are named, selected or the own one', async (t) => {
  const it = await withNodes({ a: {}, b: {} });
  await it.ask('POST /api/v1/namespaces', { metadata: { name: 'other', labels: { team: 'x' } } });
  await it.ask('POST /api/v1/namespaces/other/pods', pod('db', { nodeSelector: { [hostname]: 'b' } }, { app: 'db' }));
  await it.cluster.settle();
  const from = (more: Fields) => must('podAffinity', { ...term('db'), ...more });
  await it.make('pods', pod('own', from({})));
  await it.make('pods', pod('named', from({ namespaces: ['other'] })));
  await it.make('pods', pod('selected', from({ namespaceSelector: { matchLabels: { team: 'x' } } })));
  await it.make('pods', pod('all', from({ namespaceSelector: {} })));
  await it.make('pods', pod('none', from({ namespaceSelector: { matchLabels: { team: 'y' } } })));
  t.like(nodesOf(it.pods()), { own: undefined, named: 'b', selected: 'b', all: 'b', none: undefined });
});

test('wishes decide where rules leave a choice', async (t) => {
  const it = await withNodes({ a: { zone: 'x' }, b: { zone: 'y' }, c: { zone: 'z' } });
  await it.make('pods', pod('db', { nodeSelector: { zone: 'y' } }, { app: 'db' }));
  await it.make('pods', pod('near', wish('podAffinity', 10, term('db'))));
  await it.make('pods', pod('far', wish('podAntiAffinity', 10, term('db')), { app: 'far' }));
  const zone = (value: string) => ({ matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] });
  const preferring = [{ weight: 1, preference: zone('z') }];
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferring };
  await it.make('pods', pod('there', { affinity: { nodeAffinity } }));
  t.like(nodesOf(it.pods()), { near: 'b', far: 'a', there: 'c' });
});

test('pods spread over zones as far as they must, and as far as they can', async (t) => {
  const it = await withNodes({ a: { zone: 'x' }, b: { zone: 'x' }, c: {} });
  const spread = (whenUnsatisfiable: string, topologyKey: string, labels: Fields) => ({
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: labels } }],
  });
  const web = { app: 'web' };
  const strict = spread('DoNotSchedule', hostname, web);
  for (let index = 0; index < 4; index += 1) await it.make('pods', pod(`web-${index}`, strict, web));
  t.deepEqual(
    ['a', 'b', 'c'].map((name) => it.pods().filter(({ spec }) => spec.nodeName === name).length),
    [2, 1, 1],
  );
  const strictly = { ...strict, nodeSelector: { [hostname]: 'a' } };
  await it.make(
    'pods',
    pod(
      'stuck',
      {
        ...strictly,
        topologySpreadConstraints: [{ ...strict.topologySpreadConstraints[0]!, nodeAffinityPolicy: 'Ignore' }],
      },
      web,
    ),
  );
  t.regex(
    it.why('stuck')!,
    /^0\/3 nodes are available: 1 node\(s\) didn't match pod topology spread constraints, 2 node\(s\) didn't match Pod's node affinity\/selector\. /,
  );
  await it.make('pods', pod('zoned', spread('DoNotSchedule', 'zone', { app: 'zoned' }), { app: 'zoned' }));
  await it.make('pods', pod('zoned2', spread('DoNotSchedule', 'rack', { app: 'zoned' }), { app: 'zoned' }));
  t.not(nodesOf(it.pods()).zoned, 'c');
  t.is(
    it.why('zoned2'),
    "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label). preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  );
  const soft = { app: 'soft' };
  await it.make(
    'pods',
    pod('soft-0', { ...spread('ScheduleAnyway', hostname, soft), nodeSelector: { [hostname]: 'c' } }, soft),
  );
  for (const name of ['soft-1', 'soft-2'])
    await it.make('pods', pod(name, spread('ScheduleAnyway', hostname, soft), soft));
  t.is(new Set(['soft-0', 'soft-1', 'soft-2'].map((name) => nodesOf(it.pods())[name])).size, 3);
});

test('a port of a host is for one pod', async (t) => {
  const it = await withNodes({ a: {}, b: {} });
  const port = (hostPort: number, more: Fields = {}) => ({
    containers: [{ name: 'm', image: 'i', ports: [{ containerPort: 80, hostPort, ...more }] }],
  });
  for (const name of ['one', 'two', 'three']) await it.make('pods', pod(name, port(8080)));
  await it.make('pods', pod('udp', port(8080, { protocol: 'UDP' })));
  t.truthy(nodesOf(it.pods()).udp);
  t.is(
    it.why('three'),
    `${no("didn't have free ports for the requested pod ports")}2 No preemption victims found for incoming pod.`,
  );
});

test('what matters more takes the place of what matters less, as little of it as possible', async (t) => {
  const it = await withNodes({ a: {}, b: {} });
  const classed = (name: string, value: number, more: Fields = {}) =>
    it.ask('POST /apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value, ...more });
  await classed('low', 1);
  await classed('high', 100);
  await classed('shy', 100, { preemptionPolicy: 'Never' });
  const low = (cpu: string, where: string) => ({
    ...needing(cpu),
    priorityClassName: 'low',
    nodeSelector: { [hostname]: where },
  });
  await it.make('pods', pod('small', low('300m', 'a')));
  await it.make('pods', pod('medium', low('600m', 'a')));
  await it.make('pods', pod('guarded', low('900m', 'b'), { app: 'guarded' }));
  const minAvailable = 1;
  await it.make('poddisruptionbudgets', {
    metadata: { name: 'keep' },
    spec: { minAvailable, selector: { matchLabels: { app: 'guarded' } } },
  });
  await it.make('pods', pod('polite', { ...needing('500m'), priorityClassName: 'shy' }));
  t.is(
    it.why('polite'),
    '0/2 nodes are available: 2 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.',
  );
  await it.remove('pods', 'polite', { gracePeriodSeconds: 0 });
  await it.make('pods', pod('urgent', { ...needing('500m'), priorityClassName: 'high' }));
  const urgent = () => it.pods().find(({ metadata }) => metadata.name === 'urgent')!;
  t.is(urgent().status?.nominatedNodeName, 'a');
  t.is(it.why('urgent'), '0/2 nodes are available: 2 Insufficient cpu.');
  const victim = it.pods().find(({ metadata }) => metadata.name === 'medium')!;
  t.truthy(victim.metadata.deletionTimestamp);
  t.like(
    victim.status?.conditions?.find(({ type }) => type === 'DisruptionTarget'),
    {
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
    },
  );
  t.true(it.told().includes(`Preempted: Preempted by pod ${urgent().metadata.uid} on node a`));
  // A pod of lower priority does not take the place that was cleared.
  await it.make('pods', pod('late', low('500m', 'a')));
  await it.pass(5_000);
  t.like(nodesOf(it.pods()), { urgent: 'a', small: 'a', guarded: 'b', late: undefined, medium: undefined });
});
