import test from 'ava';
import { request } from 'undici';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };

/** Encodes a protobuf field: bytes, or a small number. */
const field = (number: number, value: Uint8Array | string | number): Buffer =>
  typeof value === 'number'
    ? Buffer.from([number << 3, value])
    : Buffer.concat([Buffer.from([(number << 3) | 2, value.length]), Buffer.from(value)]);

/** Encodes a Scale with so many replicas, as client-go sends for its known types. */
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

const unread = 'error decoding patch: unexpected end of JSON input';
const [json, merge, strategic] = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json'].map(
  (type) => `application/${type}`,
);
const into = (type: string) => `into Go value of type ${type}`;
const unrecognized =
  "the object provided is unrecognized (must be of type Scale): couldn't get version/kind; json parse error: ";

/** Answers of kube-apiserver 1.34 to bodies that are not a Scale, and to invalid patches of one. */
const refused: readonly (readonly [
  method: 'PATCH' | 'PUT',
  type: string,
  body: string,
  code: number,
  message: string,
])[] = [
  ['PATCH', 'application/json', '{}', 415, '415: Unsupported Media Type'],
  ['PATCH', 'text/plain', '', 415, '415: Unsupported Media Type'],
  ['PATCH', merge!, '', 400, unread],
  ['PATCH', merge!, '[]', 400, `error decoding patch: json: cannot unmarshal array ${into('map[string]interface {}')}`],
  [
    'PATCH',
    merge!,
    'true',
    400,
    `error decoding patch: json: cannot unmarshal bool ${into('map[string]interface {}')}`,
  ],
  ['PATCH', merge!, 'null', 400, 'Invalid JSON Patch'],
  ['PATCH', json!, '{', 400, unread],
  ['PATCH', json!, '{}', 400, `error decoding patch: json: cannot unmarshal object ${into('[]handlers.jsonPatchOp')}`],
  ['PATCH', strategic!, '', 400, 'unexpected end of JSON input'],
  ['PATCH', strategic!, '3', 400, `json: cannot unmarshal number ${into('map[string]interface {}')}`],
  ['PUT', 'application/json', '', 400, `${unrecognized}unexpected end of JSON input (<empty>)`],
  [
    'PUT',
    'application/json',
    'null',
    400,
    'the name of the object (web based on URL) was undeterminable: name must be provided',
  ],
];

test('what is not a Scale, and no patch of one, is refused in the server’s words', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  await askOf(cluster)(`POST ${deployments}`, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, template },
  });
  for (const [method, type, body, code, message] of refused) {
    const answer = await request(`${cluster.url}${deployments}/web/scale`, {
      dispatcher: cluster.dispatcher,
      method,
      headers: { 'content-type': type },
      body,
    });
    t.like(await answer.body.json(), { code, message }, `${method} ${type} ${body}`);
  }
});
