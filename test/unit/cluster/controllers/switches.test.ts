import test from 'ava';
import { createCluster } from '../../../cluster/cluster.ts';
import type { ControllerModes } from '../../../cluster/controllers/engine/modes.ts';
import { aSelector, aTemplate, aWorkloadCluster } from '../fixtures/a-workload-cluster.ts';

const web = { metadata: { name: 'web' }, spec: { replicas: 1, selector: aSelector, template: aTemplate() } };

test('a controller that does not exist is refused, and a mode that does not', async (t) => {
  const wrong = (controllers: object) => createCluster({ controllers: controllers as ControllerModes });
  await t.throwsAsync(wrong({ deploymnet: 'auto' }), {
    message: /no controller "deploymnet"; there are others, namespace/,
  });
  await t.throwsAsync(wrong({ deployment: 'on' }), {
    message: 'controllers.deployment is "on"; it must be auto, step or off',
  });
  const { cluster } = await aWorkloadCluster();
  t.throws(() => cluster.controllers.set('pod' as 'job', 'off'), { message: /no controller "pod"/ });
  t.throws(() => cluster.controllers.set('job', 'on' as 'off'), { message: /the mode of job is "on"; it must be/ });
  await t.throwsAsync(cluster.controllers.step('job'), { message: /job is "auto"/ });
});

test('workloads are left alone unless they are asked for', async (t) => {
  const { make, list } = await aWorkloadCluster({ controllers: {} });
  await make('deployments', web);
  t.is(list('ReplicaSet').length, 0);
});

test('a controller by step does one thing at a time', async (t) => {
  const { cluster, make, list, pods } = await aWorkloadCluster({ controllers: { others: 'auto', deployment: 'step' } });
  await make('deployments', web);
  t.is(list('ReplicaSet').length, 0);
  t.is(cluster.controllers.waiting('deployment'), 1);
  t.true(await cluster.controllers.step('deployment'));
  t.is(list('ReplicaSet').length, 1);
  t.is(pods().length, 1);
  let steps = 0;
  while (await cluster.controllers.step('deployment')) steps += 1;
  t.true(steps >= 1);
  t.false(await cluster.controllers.step('deployment'));
});

test('a controller that is switched on learns what there is', async (t) => {
  const { cluster, make, list } = await aWorkloadCluster({ controllers: { others: 'auto', deployment: 'off' } });
  await make('deployments', web);
  t.is(list('ReplicaSet').length, 0);
  cluster.controllers.set('deployment', 'auto');
  await cluster.settle();
  t.is(list('ReplicaSet').length, 1);
  t.is(cluster.controllers.mode('deployment'), 'auto');
});

test('what a controller has not done yet for the first namespaces is not there', async (t) => {
  const accounts = { apiVersion: 'v1', kind: 'ServiceAccount' };
  const cluster = await createCluster({ controllers: { serviceAccount: 'step', rootCa: 'off' } });
  t.teardown(() => cluster.close());
  t.is(cluster.list(accounts).length, 0);
  t.true(await cluster.controllers.step('serviceAccount'));
  t.is(cluster.list(accounts).length, 1);
  t.is(cluster.list({ apiVersion: 'v1', kind: 'ConfigMap' }).length, 0);
  cluster.controllers.set('rootCa', 'auto');
  await cluster.settle();
  t.is(cluster.list({ apiVersion: 'v1', kind: 'ConfigMap' }).length, 4);
});

test('the garbage collector, switched off and on again, makes up for what it missed', async (t) => {
  const { cluster, make, remove, list } = await aWorkloadCluster();
  await make('deployments', web);
  cluster.controllers.set('garbageCollector', 'off');
  await remove('deployments', 'web');
  t.is(list('ReplicaSet').length, 1);
  cluster.controllers.set('garbageCollector', 'auto');
  await cluster.settle();
  t.is(list('ReplicaSet').length, 0);
});

test('when nothing changes nothing is written', async (t) => {
  const { cluster, make, pass } = await aWorkloadCluster();
  await make('deployments', web);
  const { revision } = cluster;
  await pass(3_600_000);
  t.is(cluster.revision, revision);
});

test('modes and what pods were reported survive a restore', async (t) => {
  const { cluster, make, pods } = await aWorkloadCluster();
  const empty = await cluster.snapshot();
  cluster.controllers.set('deployment', 'off');
  await cluster.restore(empty);
  t.is(cluster.controllers.mode('deployment'), 'off');
  cluster.controllers.set('deployment', 'auto');
  await make('deployments', web);
  t.is(pods().length, 1);
});

test('what a webhook refuses is tried again, and told', async (t) => {
  const refuse = { allowed: false, status: { message: 'no pods today' } };
  const allow = { allowed: true };
  let answer: object = refuse;
  const url = 'https://hooks.example.com/pods';
  const { cluster, ask, make, get, told, pass, pods } = await aWorkloadCluster({
    webhooks: { [url]: () => answer as { allowed: boolean } },
  });
  await ask('POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'pods' },
    webhooks: [
      {
        name: 'pods.example.com',
        clientConfig: { url },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
  await make('deployments', web);
  t.is(pods().length, 0);
  const conditions = get('Deployment', 'web').status as {
    conditions: { type: string; reason: string; message: string }[];
  };
  t.like(
    conditions.conditions.find(({ type }) => type === 'ReplicaFailure'),
    { reason: 'FailedCreate', message: 'admission webhook "pods.example.com" denied the request: no pods today' },
  );
  t.true(told().some((text) => text.startsWith('FailedCreate: Error creating: admission webhook')));
  answer = allow;
  await pass(60_000);
  t.is(pods().length, 1);
  const after = get('Deployment', 'web').status as { conditions: { type: string }[] };
  t.deepEqual(after.conditions.map(({ type }) => type).sort(), ['Available', 'Progressing']);
  await cluster.close();
});
