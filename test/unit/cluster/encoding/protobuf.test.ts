import test from 'ava';
import { request } from 'undici';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import type { Cluster } from '../../../cluster/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { decodeProtobuf, openEnvelope } from '../../../cluster/resources/protobuf/protobuf.ts';
import { aDefinition } from '../fixtures/a-definition.ts';
import { askOf } from '../fixtures/ask.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const metadataOf = (kind: string) => `${protobuf};as=${kind};g=meta.k8s.io;v=v1`;
const types = builtinTypes();
const maps = '/api/v1/namespaces/default/configmaps';

async function get({ url, dispatcher }: Cluster, path: string, accept = protobuf) {
  const { statusCode, headers, body } = await request(url + path, { dispatcher, headers: { accept } });
  return { status: statusCode, type: headers['content-type'], bytes: Buffer.from(await body.arrayBuffer()) };
}

function read(bytes: Uint8Array, type: string): { name: string; value: Fields } {
  const { apiVersion, kind, raw } = openEnvelope(bytes)!;
  return { name: `${apiVersion} ${kind}`, value: decodeProtobuf(types, type, raw) };
}

/** Body that kube-apiserver 1.34.1 sent. */
const recorded: readonly (readonly [string, number, string])[] = [
  [
    `${maps}/none`,
    404,
    'azhzAAoMCgJ2MRIGU3RhdHVzElUKBgoAEgAaABIHRmFpbHVyZRobY29uZmlnbWFwcyAibm9uZSIgbm90IGZvdW5kIghOb3RGb3VuZCoYCgRub25lEgAaCmNvbmZpZ21hcHMoADIAMJQDGgAiAA==',
  ],
  ['/apis/apps', 200, 'azhzAAoOCgJ2MRIIQVBJR3JvdXASJAoEYXBwcxINCgdhcHBzL3YxEgJ2MRoNCgdhcHBzL3YxEgJ2MRoAIgA='],
  [
    '/apis/policy/v1',
    200,
    'azhzAAoVCgJ2MRIPQVBJUmVzb3VyY2VMaXN0EoACCglwb2xpY3kvdjESngEKFHBvZGRpc3J1cHRpb25idWRnZXRzEAEaE1BvZERpc3J1cHRpb25CdWRnZXQiQwoGY3JlYXRlCgZkZWxldGUKEGRlbGV0ZWNvbGxlY3Rpb24KA2dldAoEbGlzdAoFcGF0Y2gKBnVwZGF0ZQoFd2F0Y2gqA3BkYjITcG9kZGlzcnVwdGlvbmJ1ZGdldEIASgBSDEVWV2lEbVdxeUp3PRJSChtwb2RkaXNydXB0aW9uYnVkZ2V0cy9zdGF0dXMQARoTUG9kRGlzcnVwdGlvbkJ1ZGdldCIUCgNnZXQKBXBhdGNoCgZ1cGRhdGUyAEIASgBSABoAIgA=',
  ],
  [
    '/version',
    406,
    'azhzAAoMCgJ2MRIGU3RhdHVzEnEKBgoAEgAaABIHRmFpbHVyZRpANDA2OiBOb3QgQWNjZXB0YWJsZQoKQXZhaWxhYmxlIHJlcHJlc2VudGF0aW9uczogYXBwbGljYXRpb24vanNvbiINTm90QWNjZXB0YWJsZSoKCgASABoAKAAyADCWAxoAIgA=',
  ],
];
for (const [path, status, base64] of recorded) {
  test(`${path} is answered in protobuf as it was recorded`, async (t) => {
    const answer = await get(await createCluster(), path);
    t.deepEqual(answer, { status, type: protobuf, bytes: Buffer.from(base64, 'base64') });
  });
}

test('objects, lists and what subresources answer come in protobuf, and a client that prefers JSON gets JSON', async (t) => {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  await ask(`POST ${maps}`, { metadata: { name: 'a' }, data: { b: 'ä' } });
  const one = read((await get(cluster, `${maps}/a`, `${protobuf},application/json`)).bytes, 'core.ConfigMap');
  t.is(one.name, 'v1 ConfigMap');
  t.deepEqual(one.value.data, { b: 'ä' });
  const list = openEnvelope((await get(cluster, `${maps}?fieldSelector=metadata.name%3Da`)).bytes)!;
  t.is(list.kind, 'ConfigMapList');
  t.true(Buffer.from(list.raw).includes(Buffer.from(openEnvelope((await get(cluster, `${maps}/a`)).bytes)!.raw)));
  const token = await ask(
    'POST /api/v1/namespaces/default/serviceaccounts/default/token',
    { spec: {} },
    { accept: protobuf },
  );
  t.deepEqual([token.status, token.headers['content-type'], token.text.slice(0, 3)], [201, protobuf, 'k8s']);
  t.is((await get(cluster, `${maps}/a`, `application/json,${protobuf}`)).type, 'application/json');
  const groups = await get(cluster, '/apis', `${protobuf};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`);
  t.is(groups.type, `${protobuf};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`);
  t.is(read(groups.bytes, 'pages.APIGroupDiscoveryList').name, 'apidiscovery.k8s.io/v2 APIGroupDiscoveryList');
});

const thing = aDefinition({ type: 'object' }, { kind: 'Thing' });

test('custom resources are JSON, their metadata and their refusals may be protobuf', async (t) => {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  await ask('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', thing);
  const path = '/apis/example.com/v1/namespaces/default/things';
  await ask(`POST ${path}`, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } });
  t.is((await get(cluster, `${path}/a`, `${protobuf},application/json`)).type, 'application/json');
  const refused = await get(cluster, `${path}/a`);
  t.deepEqual([refused.status, refused.type], [406, protobuf]);
  const part = await get(cluster, `${path}/a`, metadataOf('PartialObjectMetadata'));
  const { name, value } = read(part.bytes, 'pages.PartialObjectMetadata');
  t.is(name, 'meta.k8s.io/v1 PartialObjectMetadata');
  t.like(value.metadata, { name: 'a', namespace: 'default' });
  const all = await get(cluster, path, metadataOf('PartialObjectMetadataList'));
  t.is(openEnvelope(all.bytes)!.kind, 'PartialObjectMetadataList');
  t.is((await get(cluster, `${path}/a`, metadataOf('PartialObjectMetadataList'))).status, 500);
  t.is((await get(cluster, `${maps}/a`, `${protobuf};as=Table;g=meta.k8s.io;v=v1`)).type, 'application/json');
});

/** Reads length-prefixed events of a watch until it ends or the reader stops. */
async function watched(
  cluster: Cluster,
  path: string,
  count: number,
): Promise<readonly { type: string; bytes: Buffer }[]> {
  const { body, headers } = await request(cluster.url + path, {
    dispatcher: cluster.dispatcher,
    headers: { accept: protobuf },
  });
  if (headers['content-type'] !== `${protobuf};stream=watch`) throw new Error(`no watch: ${headers['content-type']}`);
  let rest = Buffer.alloc(0);
  const events: { type: string; bytes: Buffer }[] = [];
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length > 4 && rest.length >= rest.readUInt32BE() + 4) {
      const bytes = rest.subarray(4, 4 + rest.readUInt32BE());
      rest = rest.subarray(4 + bytes.length);
      events.push({ type: bytes.subarray(2, 2 + bytes[1]!).toString(), bytes });
    }
    if (events.length >= count) break;
  }
  return events;
}

const typesOf = (events: readonly { type: string }[]): readonly string[] => events.map(({ type }) => type);

test('watches come in frames of protobuf, and end with a Status in one', async (t) => {
  const cluster = await createCluster();
  const since = cluster.revision;
  const put = (name: string) =>
    cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
  await put('a');
  await put('b');
  const events = await watched(cluster, `${maps}?watch=1&resourceVersion=${since}`, 2);
  t.deepEqual(typesOf(events), ['ADDED', 'ADDED']);
  t.true(events[1]!.bytes.includes((await get(cluster, `${maps}/b`)).bytes));
  cluster.compact();
  const late = await watched(cluster, `${maps}?watch=1&resourceVersion=${since}`, 1);
  t.deepEqual(typesOf(late), ['ERROR']);
  t.true(late[0]!.bytes.includes('too old resource version'));
});

test('faults know events in protobuf from each other', async (t) => {
  const cluster = await createCluster();
  const from = `${maps}?watch=1&resourceVersion=${cluster.revision}`;
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } });
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'default' } });
  const twice = cluster.faults.watches('configmaps').duplicate({ times: 1 });
  t.deepEqual(typesOf(await watched(cluster, from, 3)), ['ADDED', 'ADDED', 'ADDED']);
  twice.remove();
  cluster.faults.watches('configmaps').after(1).expire();
  t.deepEqual(typesOf(await watched(cluster, from, 9)), ['ADDED', 'ERROR']);
});
