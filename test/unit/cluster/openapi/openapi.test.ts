import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { type Cluster, createCluster, createManualClock } from '../../../cluster/index.ts';
import { messageOf, textOf, type Value } from '../../../cluster/resources/protobuf/protobuf-wire.ts';
import { aDefinition } from '../fixtures/a-definition.ts';
import { askOf } from '../fixtures/ask.ts';

const gadgets = aDefinition({
  type: 'object',
  description: 'A gadget.',
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 9 },
    port: { 'x-kubernetes-int-or-string': true },
    note: { type: 'string', nullable: true },
    open: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'string' } },
    },
  },
});

async function start(t: ExecutionContext): Promise<Cluster> {
  const cluster = await createCluster({ clock: createManualClock() });
  t.teardown(() => cluster.close());
  return cluster;
}

const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const jsonOf = async (cluster: Cluster) => (await askOf(cluster)('GET /openapi/v2')).body;
const definitionsOf = async (cluster: Cluster) => (await jsonOf(cluster)).definitions as Record<string, Fields>;
const name = 'com.example.v1.Gadget';

test('v2 describes built-in kinds, and says what can be patched', async (t) => {
  const cluster = await start(t);
  const body = await jsonOf(cluster);
  const { swagger, paths, definitions } = body as {
    swagger: string;
    paths: Record<string, Record<string, Fields>>;
    definitions: Record<string, Fields>;
  };
  t.is(swagger, '2.0');
  const deployment = definitions['io.k8s.api.apps.v1.Deployment']!;
  t.like(deployment, {
    type: 'object',
    properties: { spec: { $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentSpec' } },
    'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'Deployment', version: 'v1' }],
  });
  t.like(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'], { type: 'string', format: 'int-or-string' });
  const patch = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!.patch!;
  t.deepEqual(patch['x-kubernetes-group-version-kind'], { group: 'apps', kind: 'Deployment', version: 'v1' });
  const parameters = patch.parameters as { name: string; in: string; type?: string; $ref?: string }[];
  t.true(parameters.some((one) => one.name === 'dryRun' && one.in === 'query' && one.type === 'string'));
  const shared = body.parameters as Record<string, Fields>;
  t.deepEqual(
    parameters.flatMap(({ $ref }) => ($ref === undefined ? [] : [shared[$ref.slice('#/parameters/'.length)]?.name])),
    ['body', 'fieldManager', 'force'],
  );
  const refs = [...JSON.stringify({ paths, definitions }).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)];
  t.true(refs.length > 1000);
  t.deepEqual(
    refs.map(([, target]) => target!).filter((target) => !(target in definitions)),
    [],
  );
  for (const word of ['"oneOf":[', '"anyOf":[', 'components/schemas'])
    t.false(JSON.stringify(definitions).includes(word), word);
});

test('operations have the ids, parameters and answers that generated clients are made of', async (t) => {
  const ask = askOf(await start(t));
  const { body } = await ask('GET /openapi/v3/api/v1');
  const paths = body.paths as Record<string, Record<string, Fields>>;
  const ids = (path: string) =>
    Object.fromEntries(
      Object.entries(paths[`/api/v1/${path}`]!).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : [[method, operationId]],
      ),
    );
  t.deepEqual(ids('namespaces/{namespace}/pods'), {
    get: 'listCoreV1NamespacedPod',
    post: 'createCoreV1NamespacedPod',
    delete: 'deleteCoreV1CollectionNamespacedPod',
  });
  t.deepEqual(ids('pods'), { get: 'listCoreV1PodForAllNamespaces' });
  t.deepEqual(ids('watch/namespaces/{namespace}/pods'), { get: 'watchCoreV1NamespacedPodList' });
  t.deepEqual(ids('namespaces/{namespace}/pods/{name}/eviction'), { post: 'createCoreV1NamespacedPodEviction' });
  t.deepEqual(ids('nodes/{name}/proxy/{path}').head, 'connectCoreV1HeadNodeProxyWithPath');
  const { parameters, get } = paths['/api/v1/namespaces/{namespace}/pods/{name}/log']!;
  t.true((parameters as unknown as Fields[]).some(({ name: one }) => one === 'tailLines'));
  t.deepEqual(Object.keys(get!.responses as Fields), ['200', '401']);
  const { schemas } = body.components as { schemas: Record<string, { properties: Fields }> };
  const { description: _, ...protocol } = schemas['io.k8s.api.core.v1.ContainerPort']!.properties.protocol as Fields;
  t.deepEqual(protocol, {
    type: 'string',
    enum: ['SCTP', 'TCP', 'UDP'],
    default: 'TCP',
  });
});

test('definitions are published in v2 and v3, and withdrawn when they go', async (t) => {
  const cluster = await start(t);
  const ask = askOf(cluster);
  t.is((await definitionsOf(cluster))[name], undefined);
  await cluster.apply(gadgets);
  t.like((await definitionsOf(cluster))[name], {
    description: 'A gadget.',
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 9 },
      port: { 'x-kubernetes-int-or-string': true },
      open: { 'x-kubernetes-preserve-unknown-fields': true },
    },
  });
  const { properties } = (await definitionsOf(cluster))[name] as { properties: Record<string, Fields> };
  t.deepEqual(properties.note, {});
  t.is(properties.open?.properties, undefined);
  t.is((await ask('GET /openapi/v3/apis/example.com/v1')).status, 200);
  t.true((await ask('GET /openapi/v3')).text.includes('apis/example.com/v1'));
  await ask('DELETE /apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.example.com');
  await cluster.settle();
  t.is((await definitionsOf(cluster))[name], undefined);
  t.is((await ask('GET /openapi/v3/apis/example.com/v1')).status, 404);
  t.false((await ask('GET /openapi/v3')).text.includes('example.com'));
});

test('v2 says nothing of kinds that are open at their root, so that clients let everything through', async (t) => {
  const cluster = await start(t);
  const schema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { a: { type: 'string' } },
  };
  await cluster.apply(aDefinition(schema));
  t.deepEqual((await definitionsOf(cluster))[name], {
    type: 'object',
    'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Gadget', version: 'v1' }],
  });
});

test('v3 says nothing that Go would leave out, so that documents stay the same when they are written again', async (t) => {
  const ask = askOf(await start(t));
  for (const group of ['apiextensions.k8s.io/v1', 'apps/v1', 'flowcontrol.apiserver.k8s.io/v1'])
    t.notRegex((await ask(`GET /openapi/v3/apis/${group}`)).text, /"(properties|required|parameters)":(\{\}|\[\])/);
});

test('metadata is explained', async (t) => {
  const definitions = await definitionsOf(await start(t));
  const { properties } = definitions['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'] as { properties: Fields };
  t.regex(String((properties.creationTimestamp as Fields).description), /^CreationTimestamp is a timestamp/);
});

test('clients that have the document are told so, until something else is served', async (t) => {
  const cluster = await start(t);
  const ask = askOf(cluster);
  const { headers } = await ask('GET /openapi/v2');
  const etag = String(headers.etag);
  t.is((await ask('GET /openapi/v2', undefined, { 'if-none-match': etag })).status, 304);
  await cluster.apply(gadgets);
  t.is((await ask('GET /openapi/v2', undefined, { 'if-none-match': etag })).status, 200);
});

const messagesOf = (bytes: Value | undefined, number: number) =>
  (messageOf((bytes ?? new Uint8Array()) as Uint8Array).get(number) ?? []).map((one) => messageOf(one as Uint8Array));

test('the protobuf form says the same', async (t) => {
  const cluster = await start(t);
  await cluster.apply(gadgets);
  const { body } = await request(`${cluster.url}/openapi/v2`, {
    dispatcher: cluster.dispatcher,
    headers: { accept: protobuf },
  });
  const bytes = new Uint8Array(await body.arrayBuffer());
  const document = messageOf(bytes);
  t.is(textOf(document.get(1)?.[0]), '2.0');
  const definitions = messagesOf(document.get(9)?.[0], 1);
  const json = await jsonOf(cluster);
  t.deepEqual(
    definitions.map((one) => textOf(one.get(1)?.[0])),
    Object.keys(json.definitions as object),
  );
  const gadget = definitions.find((one) => textOf(one.get(1)?.[0]) === name)!;
  const schema = messageOf(gadget.get(2)![0] as Uint8Array);
  t.is(textOf(schema.get(4)?.[0]), 'A gadget.');
  const [size] = messagesOf(schema.get(25)?.[0], 1);
  t.is(textOf(size?.get(1)?.[0]), 'size');
  const sizeSchema = messageOf(size!.get(2)![0] as Uint8Array);
  t.deepEqual([sizeSchema.get(7)?.[0], sizeSchema.get(9)?.[0]], [9, 1]);
  const [extension] = messagesOf(gadget.get(2)![0], 31);
  t.is(textOf(extension?.get(1)?.[0]), 'x-kubernetes-group-version-kind');
  const yaml = messageOf(extension!.get(2)![0] as Uint8Array).get(2)?.[0];
  t.deepEqual(JSON.parse(textOf(yaml)), [{ group: 'example.com', kind: 'Gadget', version: 'v1' }]);
  const paths = messagesOf(document.get(8)?.[0], 2).map((one) => textOf(one.get(1)?.[0]));
  t.deepEqual(paths, Object.keys(json.paths as object));
});
