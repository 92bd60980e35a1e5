import test from 'ava';
import { aDefinition } from '../fixtures/a-definition.ts';
import { aContainer, aPod, aQuotaCluster, core } from '../fixtures/a-quota-cluster.ts';

test('a quota counts what is there when it is made', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await ask(`POST ${core}/pods`, aPod('a', { cpu: '250m' }));
  await quota({ pods: '2', cpu: 1, 'count/deployments.apps': 1, configmaps: '5', resourcequotas: '1' });
  t.deepEqual(await status(), {
    hard: { configmaps: '5', 'count/deployments.apps': '1', cpu: '1', pods: '2', resourcequotas: '1' },
    used: { configmaps: '1', 'count/deployments.apps': '0', cpu: '250m', pods: '1', resourcequotas: '1' },
  });
});

test('what is made is counted at once, and given back when it is gone', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await quota({ secrets: '1' });
  await ask(`POST ${core}/secrets`, { metadata: { name: 'a' } });
  t.deepEqual((await status()).used, { secrets: '1' });
  await ask(`DELETE ${core}/secrets/a`);
  t.deepEqual((await status()).used, { secrets: '0' });
});

test('more than the quota is refused in the words of the server', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await quota({ cpu: '1', memory: '1Gi' });
  t.is((await ask(`POST ${core}/pods`, aPod('a', { cpu: '500m', memory: '252Mi' }))).status, 201);
  const { status: code, body } = await ask(`POST ${core}/pods`, aPod('b', { cpu: '600m', memory: '1Mi' }));
  t.is(code, 403);
  t.is(body.message, 'pods "b" is forbidden: exceeded quota: all, requested: cpu=600m, used: cpu=500m, limited: cpu=1');
  t.deepEqual((await status()).used, { cpu: '500m', memory: '252Mi' });
});

test('a dry run is held against the quota and takes nothing from it', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await quota({ pods: '1' });
  t.is((await ask(`POST ${core}/pods?dryRun=All`, aPod('a'))).status, 201);
  t.deepEqual((await status()).used, { pods: '0' });
});

test('with a quota on cpu each container has to say what it needs', async (t) => {
  const { ask, quota } = await aQuotaCluster(t);
  await quota({ 'limits.memory': '1Gi', 'requests.cpu': '1' });
  const { body } = await ask(`POST ${core}/pods`, aPod('a'));
  t.is(
    body.message,
    'pods "a" is forbidden: failed quota: all: must specify limits.memory for: main; requests.cpu for: main',
  );
});

test('a pod that has ended uses nothing but its place among all objects', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await quota({ pods: '1', cpu: '1', 'count/pods': '2' });
  await ask(`POST ${core}/pods`, aPod('a', { cpu: '1' }));
  await ask(`PATCH ${core}/pods/a/status`, { status: { phase: 'Succeeded' } });
  t.deepEqual((await status()).used, { 'count/pods': '1', cpu: '0', pods: '0' });
  t.is((await ask(`POST ${core}/pods`, aPod('b', { cpu: '1' }))).status, 201);
});

test('init containers, sidecars, overhead and devices count as they are used', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await quota({ cpu: '20', 'requests.example.com/gpu': '4' });
  const initContainers = [
    { ...aContainer({ cpu: '1' }), name: 'sidecar', restartPolicy: 'Always' },
    { ...aContainer({ cpu: '5' }), name: 'first' },
  ];
  const gpu = { 'example.com/gpu': '2' };
  const containers = [{ ...aContainer({ cpu: '2', ...gpu }, gpu) }];
  t.is((await ask(`POST ${core}/pods`, { metadata: { name: 'a' }, spec: { containers, initContainers } })).status, 201);
  t.deepEqual((await status()).used, { cpu: '6', 'requests.example.com/gpu': '2' });
});

test('scopes choose the pods that count', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await quota({ pods: '5' }, { scopes: ['NotTerminating', 'BestEffort'] });
  await ask(`POST ${core}/pods`, aPod('a'));
  await ask(`POST ${core}/pods`, aPod('b', { cpu: '1' }));
  await ask(`POST ${core}/pods`, aPod('c', {}, { activeDeadlineSeconds: 60 }));
  t.deepEqual((await status()).used, { pods: '1' });
  await ask(`PATCH ${core}/pods/a`, { spec: { activeDeadlineSeconds: 10 } });
  t.deepEqual((await status()).used, { pods: '0' });
});

test('scope selectors choose pods by their priority class', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await ask('POST /apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 1000 });
  const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }];
  await quota({ pods: '1' }, { scopeSelector: { matchExpressions } });
  await ask(`POST ${core}/pods`, aPod('low'));
  const high = { priorityClassName: 'high' };
  t.is((await ask(`POST ${core}/pods`, aPod('a', {}, high))).status, 201);
  t.is((await ask(`POST ${core}/pods`, aPod('b', {}, high))).status, 403);
  t.deepEqual((await status()).used, { pods: '1' });
});

test('services count by type and by their node ports', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  await quota({ services: '10', 'services.nodeports': '2', 'services.loadbalancers': '1' });
  const ports = [
    { port: 80, name: 'a' },
    { port: 81, name: 'b' },
  ];
  const service = (name: string, type: string) => ({ metadata: { name }, spec: { type, ports } });
  t.is((await ask(`POST ${core}/services`, service('a', 'ClusterIP'))).status, 201);
  t.is((await ask(`POST ${core}/services`, service('b', 'NodePort'))).status, 201);
  t.is((await ask(`POST ${core}/services`, service('c', 'LoadBalancer'))).status, 403);
  // The API server's own Service counts too.
  t.deepEqual((await status()).used, { services: '3', 'services.loadbalancers': '0', 'services.nodeports': '2' });
  t.is((await ask(`PATCH ${core}/services/a`, { spec: { type: 'NodePort' } })).status, 403);
});

test('claims count by size, and by their class', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  const gold = 'gold.storageclass.storage.k8s.io';
  await quota({ 'requests.storage': '3Gi', [`${gold}/requests.storage`]: '1Gi', persistentvolumeclaims: '5' });
  const claim = (name: string, storage: string, storageClassName: string) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
  });
  t.is((await ask(`POST ${core}/persistentvolumeclaims`, claim('a', '1Gi', 'gold'))).status, 201);
  t.is((await ask(`POST ${core}/persistentvolumeclaims`, claim('b', '1Gi', 'gold'))).status, 403);
  t.is((await ask(`POST ${core}/persistentvolumeclaims`, claim('c', '1Gi', 'silver'))).status, 201);
  t.deepEqual((await status()).used, {
    [`${gold}/requests.storage`]: '1Gi',
    persistentvolumeclaims: '2',
    'requests.storage': '2Gi',
  });
});

test('ResourceClaims count, and their devices by class', async (t) => {
  const { ask, quota, status } = await aQuotaCluster(t);
  const [claims, gpus] = [
    'count/resourceclaims.resource.k8s.io',
    'gpu.example.com.deviceclass.resource.k8s.io/devices',
  ];
  await quota({ [claims]: '2', [gpus]: '4' });
  const path = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
  const one = (count: number) => ({ deviceClassName: 'gpu.example.com', count });
  const claim = (name: string, request: object) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name },
    spec: { devices: { requests: [{ name: 'gpu', ...request }] } },
  });
  t.is((await ask(`POST ${path}`, claim('a', { exactly: one(2) }))).status, 201);
  const alternatives = [
    { name: 'many', ...one(3) },
    { name: 'few', ...one(1) },
  ];
  t.is((await ask(`POST ${path}`, claim('b', { firstAvailable: alternatives }))).status, 403);
  t.is((await ask(`POST ${path}`, claim('b', { exactly: one(2) }))).status, 201);
  t.is((await ask(`POST ${path}`, claim('c', { exactly: one(1) }))).status, 403);
  t.deepEqual((await status()).used, { [claims]: '2', [gpus]: '4' });
});

test('objects of a definition are counted', async (t) => {
  const { cluster, ask, quota, status } = await aQuotaCluster(t);
  await cluster.apply(aDefinition({ type: 'object' }) as Parameters<typeof cluster.apply>[0]);
  await quota({ 'count/gadgets.example.com': '1' });
  const path = '/apis/example.com/v1/namespaces/default/gadgets';
  const gadget = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name } });
  t.is((await ask(`POST ${path}`, gadget('a'))).status, 201);
  t.is((await ask(`POST ${path}`, gadget('b'))).status, 403);
  t.deepEqual((await status()).used, { 'count/gadgets.example.com': '1' });
});

test('a ReplicaSet makes no more pods than the quota has, and tells of it', async (t) => {
  const { cluster, ask, quota } = await aQuotaCluster(t, { controllers: 'all' });
  await quota({ pods: '1' });
  const labels = { app: 'it' };
  await ask('POST /apis/apps/v1/namespaces/default/replicasets', {
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [aContainer()] } },
    },
  });
  t.is(cluster.list({ apiVersion: 'v1', kind: 'Pod' }, 'default').length, 1);
  const told = cluster.list({ apiVersion: 'v1', kind: 'Event' }, 'default').map(({ message }) => String(message));
  t.regex(told.join('\n'), /Error creating: pods "web-\w{5}" is forbidden: exceeded quota: all, requested: pods=1/);
});

test('without its controller a quota limits nothing, as without a controller manager', async (t) => {
  const { ask, quota } = await aQuotaCluster(t, { controllers: { resourceQuota: 'off' } });
  await quota({ pods: '0' });
  t.is((await ask(`POST ${core}/pods`, aPod('a'))).status, 201);
});
