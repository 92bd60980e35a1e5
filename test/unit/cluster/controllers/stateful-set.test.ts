import test from 'ava';
import type { ApiObject } from '../../../cluster/apimachinery/object.ts';
import type { StatefulSet } from '../../../cluster/controllers/workloads/stateful-set.ts';
import { anImage, aSelector, aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const db = (spec = {}) => ({
  metadata: { name: 'db' },
  spec: { serviceName: 'db', replicas: 3, selector: aSelector, template: aTemplate(), ...spec },
});
const nameOf = ({ metadata }: ApiObject): string => metadata.name;

test('pods come one after the other, each with its name, and go in reverse', async (t) => {
  const { make, change, get, pods, pass } = await aWorkloadCluster({ kubelet: { readyDelay: 1000 } });
  await make('statefulsets', db());
  t.deepEqual(pods().map(nameOf), ['db-0']);
  await pass(1000);
  t.deepEqual(pods().map(nameOf), ['db-0', 'db-1']);
  await pass(2000);
  t.like(get<StatefulSet>('StatefulSet', 'db').status, {
    replicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    currentReplicas: 3,
  });
  t.like(pods()[1]!.metadata.labels, {
    'apps.kubernetes.io/pod-index': '1',
    'statefulset.kubernetes.io/pod-name': 'db-1',
  });
  t.like(pods()[1]!.spec, { hostname: 'db-1', subdomain: 'db' });
  await change('statefulsets', 'db', { spec: { replicas: 1 } });
  t.deepEqual(pods().map(nameOf), ['db-0']);
});

test('in parallel they all come at once', async (t) => {
  const { make, pods } = await aWorkloadCluster({ kubelet: { readyDelay: 1000 } });
  await make('statefulsets', db({ podManagementPolicy: 'Parallel', ordinals: { start: 5 } }));
  t.deepEqual(pods().map(nameOf), ['db-5', 'db-6', 'db-7']);
});

test('an update goes from the last to the partition', async (t) => {
  const { make, change, get, list, pods } = await aWorkloadCluster();
  await make('statefulsets', db());
  const rollingUpdate = { partition: 2 };
  await change('statefulsets', 'db', { spec: { updateStrategy: { rollingUpdate }, ...anImage(2) } });
  const images = () => pods().map(({ spec }) => spec.containers[0]!.image?.split(':')[1]);
  t.deepEqual(images(), ['1', '1', '2']);
  const { status } = get<StatefulSet>('StatefulSet', 'db');
  t.like(status, { currentReplicas: 2, updatedReplicas: 1 });
  t.not(status?.currentRevision, status?.updateRevision);
  t.is(list('ControllerRevision').length, 2);
  await change('statefulsets', 'db', { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
  t.deepEqual(images(), ['2', '2', '2']);
  const after = get<StatefulSet>('StatefulSet', 'db').status;
  t.is(after?.currentRevision, after?.updateRevision);
});

test('OnDelete waits until a client deletes the pod', async (t) => {
  const { make, change, remove, pods } = await aWorkloadCluster();
  await make('statefulsets', db({ replicas: 1, updateStrategy: { type: 'OnDelete' } }));
  await change('statefulsets', 'db', { spec: anImage(2) });
  t.is(pods()[0]!.spec.containers[0]!.image, 'example.test/main:1');
  await remove('pods', 'db-0');
  t.is(pods()[0]!.spec.containers[0]!.image, 'example.test/main:2');
});

test('a pod that fails is made again under its name, and claims outlive their pods', async (t) => {
  const { cluster, ask, make, change, pods, list, told } = await aWorkloadCluster();
  await ask('POST /apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'fast' },
    provisioner: 'example.test/disks',
  });
  const claim = {
    metadata: { name: 'data' },
    spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  await make('statefulsets', db({ replicas: 2, volumeClaimTemplates: [claim] }));
  const [, before] = pods();
  await cluster.kubelet.evict('default/db-1');
  await cluster.kubelet.heal('default/db-1');
  const [, after] = pods();
  t.is(after!.metadata.name, 'db-1');
  t.not(after!.metadata.uid, before!.metadata.uid);
  t.true(told().some((text) => text.startsWith('RecreatingFailedPod: ')));
  await change('statefulsets', 'db', { spec: { replicas: 0 } });
  t.deepEqual(list('PersistentVolumeClaim').map(nameOf), ['data-db-0', 'data-db-1']);
  t.true(list('PersistentVolumeClaim').every(({ status }) => (status as { phase: string }).phase === 'Bound'));
});

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const ownersOf = ({ metadata }: ApiObject): string =>
  `${metadata.name}: ${(metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`).join(', ')}`;

test('claims go with pods that are too many, when that is wanted', async (t) => {
  const { make, change, list, pods, pass } = await aWorkloadCluster({ kubelet: { stopDelay: 5000 } });
  const policy = { whenScaled: 'Delete', whenDeleted: 'Delete' };
  const spec = { volumeClaimTemplates: [claim], persistentVolumeClaimRetentionPolicy: policy };
  await make('statefulsets', db({ ...spec, replicas: 2 }));
  t.deepEqual(list('PersistentVolumeClaim').map(ownersOf), ['data-db-0: StatefulSet db', 'data-db-1: StatefulSet db']);
  await change('statefulsets', 'db', { spec: { replicas: 1 } });
  t.deepEqual(list('PersistentVolumeClaim').map(ownersOf), ['data-db-0: StatefulSet db', 'data-db-1: Pod db-1']);
  await change('statefulsets', 'db', { spec: { replicas: 2 } });
  t.deepEqual(pods().map(nameOf), ['db-0', 'db-1']);
  await pass(10_000);
  t.deepEqual(pods().map(nameOf), ['db-0', 'db-1']);
  t.deepEqual(list('PersistentVolumeClaim').map(ownersOf), ['data-db-0: StatefulSet db', 'data-db-1: StatefulSet db']);
  await change('statefulsets', 'db', { spec: { replicas: 1 } });
  await pass(10_000);
  t.deepEqual(list('PersistentVolumeClaim').map(nameOf), ['data-db-0']);
  const retained = { whenScaled: 'Retain', whenDeleted: 'Retain' };
  await change('statefulsets', 'db', { spec: { persistentVolumeClaimRetentionPolicy: retained } });
  t.deepEqual(list('PersistentVolumeClaim').map(ownersOf), ['data-db-0: ']);
});

test('pods count as available after minReadySeconds, and the next one waits for that', async (t) => {
  const { make, get, pods, pass } = await aWorkloadCluster();
  await make('statefulsets', db({ replicas: 2, minReadySeconds: 10 }));
  t.deepEqual(pods().map(nameOf), ['db-0']);
  await pass(10_000);
  t.deepEqual(pods().map(nameOf), ['db-0', 'db-1']);
  t.like(get('StatefulSet', 'db').status, { readyReplicas: 2, availableReplicas: 1 });
  await pass(10_000);
  t.like(get('StatefulSet', 'db').status, { availableReplicas: 2 });
});

test('a StatefulSet that is created again adopts the pods and revisions that its predecessor left', async (t) => {
  const { make, remove, pods, get, list } = await aWorkloadCluster();
  await make('statefulsets', db({ replicas: 2 }));
  const [before] = list('ControllerRevision');
  await remove('statefulsets', 'db', { propagationPolicy: 'Orphan' });
  t.is(pods().length, 2);
  await make('statefulsets', db());
  const [{ metadata }, ...others] = list('ControllerRevision') as [ApiObject, ...ApiObject[]];
  t.deepEqual(others, []);
  t.is(metadata.uid, before!.metadata.uid);
  t.is(metadata.ownerReferences?.[0]?.uid, get('StatefulSet', 'db').metadata.uid);
  t.like(get('StatefulSet', 'db').status, { readyReplicas: 3, updatedReplicas: 3 });
});
