import test from 'ava';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import { aWorkloadCluster } from '../../fixtures/a-workload-cluster.ts';

const pod = (name: string, spec: Fields = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example.test/main' }], nodeSelector: { on: 'a' }, ...spec },
});

async function onTwoNodes() {
  const it = await aWorkloadCluster({ kubelet: { nodes: ['a', 'b'], events: true } });
  const node = async (name: string, body: Fields, subresource = '') => {
    await it.ask(`PATCH /api/v1/nodes/${name}${subresource}`, body);
    await it.cluster.settle();
  };
  await node('a', { metadata: { labels: { on: 'a' } } });
  const report = async (status: string) => {
    const found = it.cluster.get({ apiVersion: 'v1', kind: 'Node' }, { name: 'a' }) as unknown as {
      status: { conditions: Fields[] };
    };
    const conditions = found.status.conditions.map((one) => (one.type === 'Ready' ? { ...one, status } : one));
    await node('a', { status: { conditions } }, '/status');
  };
  const names = () =>
    it.pods().map(({ metadata: { name, deletionTimestamp } }) => (deletionTimestamp ? `${name} leaving` : name));
  return { ...it, node, report, names };
}

test('pods are given up five minutes after their node was lost, and stay until it is back', async (t) => {
  const it = await onTwoNodes();
  const forever = { tolerations: [{ operator: 'Exists' }] };
  const soon = {
    tolerations: [
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
    ],
  };
  await it.make('pods', pod('usual'));
  await it.make('pods', pod('soon', soon));
  await it.make('pods', pod('forever', forever));
  await it.report('Unknown');
  await it.pass(60_000);
  t.deepEqual(it.names(), ['forever', 'soon leaving', 'usual']);
  await it.pass(239_000);
  t.deepEqual(it.names(), ['forever', 'soon leaving', 'usual']);
  await it.pass(1_000);
  t.deepEqual(it.names(), ['forever', 'soon leaving', 'usual leaving']);
  t.like(
    it.pods()[1]!.status?.conditions?.find(({ type }) => type === 'DisruptionTarget'),
    { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' },
  );
  t.true(it.told().includes('TaintManagerEviction: Marking for deletion Pod default/usual'));
  await it.report('True');
  t.deepEqual(it.names(), ['forever']);
});

test('a node that is back in time keeps its pods', async (t) => {
  const it = await onTwoNodes();
  await it.make('pods', pod('usual'));
  await it.report('False');
  await it.pass(200_000);
  await it.report('True');
  t.true(it.told().includes('TaintManagerEviction: Cancelling deletion of Pod default/usual'));
  await it.report('Unknown');
  await it.pass(200_000);
  t.deepEqual(it.names(), ['usual']);
});

test('taints by hand evict at once what does not tolerate them', async (t) => {
  const it = await onTwoNodes();
  await it.make('pods', pod('usual'));
  await it.make('pods', pod('tolerant', { tolerations: [{ key: 'mine', operator: 'Exists' }] }));
  await it.node('a', { spec: { taints: [{ key: 'mine', effect: 'NoExecute' }] } });
  t.deepEqual(it.names(), ['tolerant']);
});

test('pods of a node that was deleted are collected after a while', async (t) => {
  const it = await onTwoNodes();
  await it.make('pods', pod('usual'));
  await it.ask('DELETE /api/v1/nodes/a');
  await it.pass(39_000);
  t.deepEqual(it.names(), ['usual']);
  await it.pass(1_000);
  t.deepEqual(it.names(), []);
});

test('probes succeed after their delay, and pods are ready then', async (t) => {
  const it = await onTwoNodes();
  const probe = (initialDelaySeconds: number, more: Fields = {}) => ({
    tcpSocket: { port: 80 },
    initialDelaySeconds,
    ...more,
  });
  const container = (name: string, probes: Fields) => ({ name, image: 'i', ...probes });
  const containers = [
    container('slow', { startupProbe: probe(10), readinessProbe: probe(5) }),
    container('twice', { readinessProbe: probe(5, { successThreshold: 2, periodSeconds: 20 }) }),
    container('plain', { livenessProbe: probe(60) }),
  ];
  await it.make('pods', pod('web', { containers }));
  const said = () =>
    it.pods()[0]!.status!.containerStatuses!.map(({ name, started, ready }) => `${name} ${started} ${ready}`);
  t.deepEqual(said(), ['slow false false', 'twice true false', 'plain true true']);
  await it.pass(10_000);
  t.deepEqual(said(), ['slow true true', 'twice true false', 'plain true true']);
  await it.pass(15_000);
  t.is(it.pods()[0]!.status!.conditions!.find(({ type }) => type === 'Ready')!.status, 'True');
  await it.cluster.kubelet.unready('default/web');
  t.is(it.pods()[0]!.status!.conditions!.find(({ type }) => type === 'Ready')!.status, 'False');
});
