import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { aContainer, aPod, aQuotaCluster, core } from '../fixtures/a-quota-cluster.ts';

const limits = (...items: readonly Fields[]): Fields => ({ metadata: { name: 'limits' }, spec: { limits: items } });

test('a LimitRange fills in what its containers do not say, and notes it', async (t) => {
  const { ask } = await aQuotaCluster(t);
  const { body: range } = await ask(
    `POST ${core}/limitranges`,
    limits({
      type: 'Container',
      min: { cpu: '50m' },
      max: { cpu: '500m', memory: '500Mi' },
      default: { memory: '250Mi' },
    }),
  );
  t.deepEqual((range.spec as { limits: Fields[] }).limits[0], {
    type: 'Container',
    min: { cpu: '50m' },
    max: { cpu: '500m', memory: '500Mi' },
    default: { cpu: '500m', memory: '250Mi' },
    defaultRequest: { cpu: '500m', memory: '250Mi' },
  });
  const { body: pod } = await ask(`POST ${core}/pods`, aPod('a', { cpu: '100m' }));
  const { containers } = pod.spec as { containers: Fields[] };
  t.deepEqual(containers[0]!.resources, {
    requests: { cpu: '100m', memory: '250Mi' },
    limits: { cpu: '500m', memory: '250Mi' },
  });
  t.is(
    (pod.metadata as { annotations: Fields }).annotations['kubernetes.io/limit-ranger'],
    'LimitRanger plugin set: memory request for container main; cpu, memory limit for container main',
  );
  t.is((pod.status as Fields).qosClass, 'Burstable');
});

const refusals: readonly (readonly [string, Fields, Fields, Fields, string])[] = [
  [
    'too little',
    { min: { cpu: '50m' } },
    { cpu: '10m' },
    {},
    'minimum cpu usage per Container is 50m, but request is 10m',
  ],
  [
    'too much',
    { max: { cpu: '1' } },
    { cpu: '1' },
    { cpu: '2' },
    'maximum cpu usage per Container is 1, but limit is 2',
  ],
  [
    'too far apart',
    { maxLimitRequestRatio: { cpu: '2' } },
    { cpu: '1' },
    { cpu: '3' },
    'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
  ],
  [
    'unsaid',
    { maxLimitRequestRatio: { memory: '2' } },
    {},
    {},
    'memory max limit to request ratio per Container is 2, but no request is specified or request is 0',
  ],
];

for (const [what, rule, requests, most, message] of refusals)
  test(`a LimitRange refuses what is ${what}`, async (t) => {
    const { ask } = await aQuotaCluster(t);
    await ask(`POST ${core}/limitranges`, limits({ type: 'Container', ...rule }));
    const spec = { containers: [aContainer(requests, most)] };
    const { status, body } = await ask(`POST ${core}/pods`, { metadata: { name: 'a' }, spec });
    t.is(status, 403);
    t.is(body.message, `pods "a" is forbidden: ${message}`);
  });

test('a LimitRange limits whole pods and claims, and says all that is wrong', async (t) => {
  const { ask } = await aQuotaCluster(t);
  await ask(
    `POST ${core}/limitranges`,
    limits(
      { type: 'Pod', max: { cpu: '1', memory: '1Gi' } },
      { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } },
    ),
  );
  const two = { cpu: '2', memory: '2Gi' };
  const { body } = await ask(`POST ${core}/pods`, {
    metadata: { name: 'a' },
    spec: { containers: [aContainer(two, two)] },
  });
  t.is(
    body.message,
    'pods "a" is forbidden: [maximum cpu usage per Pod is 1, but limit is 2, maximum memory usage per Pod is 1Gi, but limit is 2Gi]',
  );
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '6Gi' } } };
  const refused = await ask(`POST ${core}/persistentvolumeclaims`, { metadata: { name: 'a' }, spec: claim });
  t.is(
    refused.body.message,
    'persistentvolumeclaims "a" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 6Gi',
  );
});
