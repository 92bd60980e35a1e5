import test from 'ava';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { askOf } from '../../fixtures/ask.ts';

const pods = 'POST /api/v1/namespaces/default/pods';
const classes = 'POST /apis/node.k8s.io/v1/runtimeclasses';

const pod = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', ...metadata },
  spec: { containers: [{ name: 'main', image: 'i' }], ...spec },
});

test('labels of a new pod become part of its selectors, and a gate is reported in its status', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  t.teardown(() => cluster.close());
  const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] };
  const spec = { schedulingGates: [{ name: 'g' }], topologySpreadConstraints: [{ ...spread, labelSelector: {} }] };
  const { body } = await askOf(cluster)(pods, pod(spec, { labels: { app: 'b' } }));
  const [made] = (body.spec as Fields).topologySpreadConstraints as Fields[];
  t.deepEqual(made?.labelSelector, { matchExpressions: [{ key: 'app', operator: 'In', values: ['b'] }] });
  t.like(((body.status as Fields).conditions as Fields[])[0], { type: 'PodScheduled', reason: 'SchedulingGated' });
});

test('fields of features that are not on are taken, and gone', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  t.teardown(() => cluster.close());
  const lifecycle = { stopSignal: 'SIGTERM' };
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  const containers = [{ name: 'main', image: 'i', lifecycle, volumeMounts, restartPolicy: 'Never' }];
  const spec = { containers, hostnameOverride: 'b', volumes: [{ name: 'v', image: { reference: 'i' } }] };
  const { status, body } = await askOf(cluster)(pods, pod(spec));
  const { containers: made, hostnameOverride, volumes } = body.spec as Fields;
  const { lifecycle: life, volumeMounts: mounts, restartPolicy } = (made as Fields[])[0]!;
  t.is(status, 201);
  t.deepEqual([life, mounts, restartPolicy, hostnameOverride, volumes], Array(5).fill(undefined));
});

test('a RuntimeClass gives overhead and nodes, and pods may say no other', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  await ask(classes, {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'c' },
    handler: 'h',
    overhead: { podFixed: { cpu: '1' } },
    scheduling: { nodeSelector: { a: 'b' } },
  });
  const { body } = await ask(pods, pod({ runtimeClassName: 'c' }));
  t.like(body.spec, { overhead: { cpu: '1' }, nodeSelector: { a: 'b' } });
  const refused = [
    { runtimeClassName: 'none' },
    { overhead: { cpu: '1' } },
    { runtimeClassName: 'c', overhead: { cpu: '2' } },
  ];
  for (const spec of refused) t.is((await ask(pods, pod(spec, { name: 'b' }))).status, 403);
});
