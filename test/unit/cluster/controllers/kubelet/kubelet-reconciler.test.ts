import test from 'ava';
import type { Pod } from '../../../../cluster/controllers/pods/pod.ts';
import { aTemplate, aWorkloadCluster } from '../../fixtures/a-workload-cluster.ts';
import { watchOf } from '../../fixtures/ask.ts';

const pod = (spec = {}, name = 'p') => ({
  metadata: { name, labels: { app: 'it' } },
  spec: (aTemplate({}, spec) as { spec: object }).spec,
});

test('a pod that is deleted before it runs goes as soon', async (t) => {
  const world = await aWorkloadCluster({ kubelet: { readyDelay: 50, stopDelay: 50 } });
  await world.make('pods', pod());
  await world.pass(1);
  await world.remove('pods', 'p');
  await world.pass(50);
  t.is(world.pods().length, 0);
});

test('a pod that never ran ends when it is deleted, though a finalizer holds it', async (t) => {
  const world = await aWorkloadCluster({ kubelet: { readyDelay: 50 } });
  const { metadata, spec } = pod();
  await world.make('pods', { metadata: { ...metadata, finalizers: ['example.test/held'] }, spec });
  await world.remove('pods', 'p');
  t.is(world.get<Pod>('Pod', 'p').status?.phase, 'Failed');
});

test('a pod that was deleted ends before it goes, which watches see', async (t) => {
  const world = await aWorkloadCluster();
  await world.make('pods', pod());
  const watch = await watchOf(world.cluster, `/api/v1/pods?watch=true&resourceVersion=${world.cluster.revision}`);
  await world.remove('pods', 'p');
  const seen = (await watch.take(4)).map(({ type, object }) => {
    const { conditions, containerStatuses, phase } = (object as unknown as Pod).status!;
    const ready = conditions?.find((one) => one.type === 'Ready')?.status;
    return [type, phase, ready, ...Object.keys(containerStatuses?.[0]?.state ?? {})].join(' ');
  });
  t.deepEqual(seen, [
    'MODIFIED Running True running',
    'MODIFIED Failed False terminated',
    'MODIFIED Failed False terminated',
    'DELETED Failed False terminated',
  ]);
  t.is(world.pods().length, 0);
});
