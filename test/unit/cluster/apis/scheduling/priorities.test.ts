import test from 'ava';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { askOf } from '../../fixtures/ask.ts';

const pods = 'POST /api/v1/namespaces/default/pods';
const classes = 'POST /apis/scheduling.k8s.io/v1/priorityclasses';
const pod = (name: string, spec: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const priorityClass = (name: string, more: Fields) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  ...more,
});

test('pods get what their PriorityClass gives, or the one that is for all', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  t.like((await ask(pods, pod('plain'))).body.spec, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  await ask(classes, priorityClass('high', { value: 7, preemptionPolicy: 'Never' }));
  await ask(classes, priorityClass('usual', { value: 3, globalDefault: true }));
  t.like((await ask(pods, pod('a', { priorityClassName: 'high' }))).body.spec, {
    priority: 7,
    preemptionPolicy: 'Never',
  });
  t.like((await ask(pods, pod('b'))).body.spec, { priorityClassName: 'usual', priority: 3 });
  t.like((await ask(pods, pod('c', { priorityClassName: 'system-node-critical' }))).body.spec, {
    priority: 2_000_001_000,
  });
});

test('a PriorityClass that there is not is refused, and a priority of a pod of its own', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const { body } = await ask(pods, pod('a', { priorityClassName: 'none' }));
  t.is(body.message, 'pods "a" is forbidden: no PriorityClass with name none was found');
  const { body: own } = await ask(pods, pod('a', { priority: 5 }));
  t.is(
    own.message,
    'pods "a" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  );
});
