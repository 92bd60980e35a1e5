import test from 'ava';
import { request } from 'undici';
import { askOf } from './ask.ts';
import { createCluster } from './index.ts';
import type { Fields } from './objects/object.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };

/** A field of protobuf: bytes, or a small number. */
const field = (number: number, value: Uint8Array | string | number): Buffer =>
  typeof value === 'number'
    ? Buffer.from([number << 3, value])
    : Buffer.concat([Buffer.from([(number << 3) | 2, value.length]), Buffer.from(value)]);

/** A Scale of so many replicas, as client-go sends those it has types for. */
function scaleBytes(replicas: number): Buffer {
  const type = Buffer.concat([field(1, 'autoscaling/v1'), field(2, 'Scale')]);
  const scale = Buffer.concat([field(1, field(1, 'web')), field(2, field(1, replicas))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, scale)]);
}

test('a scale may come as protobuf', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  await ask(`POST ${deployments}`, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, template },
  });
  const { statusCode } = await request(`${cluster.url}${deployments}/web/scale`, {
    dispatcher: cluster.dispatcher,
    method: 'PUT',
    headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
    body: scaleBytes(3),
  });
  t.is(statusCode, 200);
  t.is(((await ask(`GET ${deployments}/web`)).body.spec as Fields).replicas, 3);
});
