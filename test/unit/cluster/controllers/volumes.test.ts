import test from 'ava';
import type { ApiObject } from '../../../cluster/apimachinery/object.ts';
import { aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const claim = (storageClassName?: string) => ({
  metadata: { name: 'data' },
  spec: {
    ...(storageClassName !== undefined && { storageClassName }),
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
  },
});
const phase = ({ status }: ApiObject) => (status as { phase: string }).phase;
const classes = '/apis/storage.k8s.io/v1/storageclasses';

test('a claim gets a volume of its class, which goes with it', async (t) => {
  const { cluster, ask, make, remove, get } = await aWorkloadCluster();
  await ask(`POST ${classes}`, { metadata: { name: 'fast' }, provisioner: 'example.test/disks' });
  await make('persistentvolumeclaims', claim('fast'));
  const bound = get('PersistentVolumeClaim', 'data');
  t.is(phase(bound), 'Bound');
  t.like(bound.status, { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] });
  const volumes = () => cluster.list({ apiVersion: 'v1', kind: 'PersistentVolume' });
  t.deepEqual(volumes().map(phase), ['Bound']);
  await remove('persistentvolumeclaims', 'data');
  t.deepEqual(volumes(), []);
});

test('a class may wait for the first pod', async (t) => {
  const { ask, make, get, told } = await aWorkloadCluster();
  await ask(`POST ${classes}`, {
    metadata: { name: 'local' },
    provisioner: 'example.test/disks',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  await make('persistentvolumeclaims', claim('local'));
  t.is(phase(get('PersistentVolumeClaim', 'data')), 'Pending');
  t.true(told().includes('WaitForFirstConsumer: waiting for first consumer to be created before binding'));
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  await make('pods', { metadata: { name: 'user' }, spec: (aTemplate({}, { volumes }) as { spec: object }).spec });
  t.is(phase(get('PersistentVolumeClaim', 'data')), 'Bound');
});

test('a claim without a class gets the default one as soon as there is one', async (t) => {
  const { cluster, ask, make, get, told } = await aWorkloadCluster();
  await make('persistentvolumeclaims', claim());
  t.true(told().includes('FailedBinding: no persistent volumes available for this claim and no storage class is set'));
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await ask(`POST ${classes}`, { metadata: { name: 'standard', annotations }, provisioner: 'example.test/disks' });
  await cluster.settle();
  t.is(phase(get('PersistentVolumeClaim', 'data')), 'Bound');
});

test('a volume that is there and suits is taken, and kept when its policy says so', async (t) => {
  const { cluster, ask, make, remove, get } = await aWorkloadCluster();
  const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '5Gi' }, hostPath: { path: '/x' } };
  await ask('POST /api/v1/persistentvolumes', { metadata: { name: 'disk' }, spec });
  await cluster.settle();
  const disk = () => cluster.get({ apiVersion: 'v1', kind: 'PersistentVolume' }, { name: 'disk' })!;
  t.is(phase(disk()), 'Available');
  await make('persistentvolumeclaims', claim(''));
  t.is((get('PersistentVolumeClaim', 'data').spec as { volumeName: string }).volumeName, 'disk');
  await remove('persistentvolumeclaims', 'data');
  t.is(phase(disk()), 'Released');
});

test('a claim is reported the class of attributes of its volume', async (t) => {
  const { ask, make, get } = await aWorkloadCluster();
  const spec = {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    csi: { driver: 'example.test', volumeHandle: 'one' },
    storageClassName: 'fast',
    volumeAttributesClassName: 'gold',
  };
  await ask('POST /api/v1/persistentvolumes', { metadata: { name: 'one' }, spec });
  await make('persistentvolumeclaims', claim('fast'));
  t.like(get('PersistentVolumeClaim', 'data').status, { phase: 'Bound', currentVolumeAttributesClassName: 'gold' });
});

test('of default classes of the same age, the first by name is taken', async (t) => {
  const { cluster, ask, make, get } = await aWorkloadCluster({ controllers: { others: 'auto', volumeBinding: 'off' } });
  await make('persistentvolumeclaims', claim());
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  for (const name of ['beta', 'alpha', 'gamma'])
    await ask(`POST ${classes}`, { metadata: { name, annotations }, provisioner: 'example.test/disks' });
  cluster.controllers.set('volumeBinding', 'auto');
  await cluster.settle();
  t.like(get('PersistentVolumeClaim', 'data').spec, { storageClassName: 'alpha' });
});

test('a bound volume that is deleted stays until its claim is deleted', async (t) => {
  const { cluster, ask, make, remove, get } = await aWorkloadCluster();
  const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '5Gi' }, hostPath: { path: '/x' } };
  await ask('POST /api/v1/persistentvolumes', { metadata: { name: 'disk' }, spec });
  await make('persistentvolumeclaims', claim(''));
  await ask('DELETE /api/v1/persistentvolumes/disk');
  await cluster.settle();
  const disk = () => cluster.get({ apiVersion: 'v1', kind: 'PersistentVolume' }, { name: 'disk' });
  t.is(phase(disk()!), 'Bound');
  t.truthy(disk()!.metadata.deletionTimestamp);
  t.is(phase(get('PersistentVolumeClaim', 'data')), 'Bound');
  await remove('persistentvolumeclaims', 'data');
  t.is(disk(), undefined);
});

test('a claim that is deleted waits for the pods that use it, but for those that are not scheduled', async (t) => {
  const { make, remove, get } = await aWorkloadCluster();
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const pod = (name: string, spec = {}) => ({
    metadata: { name },
    spec: (aTemplate({}, { volumes, ...spec }) as { spec: object }).spec,
  });
  await make('persistentvolumeclaims', claim(''));
  await make('pods', pod('user'));
  await make('pods', pod('waiting', { schedulingGates: [{ name: 'example.test/gate' }] }));
  await remove('persistentvolumeclaims', 'data');
  t.truthy(get('PersistentVolumeClaim', 'data').metadata.deletionTimestamp);
  await remove('pods', 'user');
  t.is(get('PersistentVolumeClaim', 'data'), undefined as never);
});
