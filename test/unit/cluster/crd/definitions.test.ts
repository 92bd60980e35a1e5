import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';
import { definition, definitions, version } from '../fixtures/some-definitions.ts';

const conditionsOf = (body: Fields) =>
  Object.fromEntries(
    (body.status as { conditions: { type: string; status: string }[] }).conditions.map(({ type, status }) => [
      type,
      status,
    ]),
  );

async function start() {
  const cluster = await createCluster();
  return { cluster, ask: askOf(cluster) };
}

test('a definition is established, served and found by discovery in both forms', async (t) => {
  const { cluster, ask } = await start();
  t.is((await ask('GET /apis/example.com/v1/things')).text, '404 page not found\n');
  await cluster.apply(definition('things'));
  t.deepEqual(conditionsOf((await ask(`GET ${definitions}/things.example.com`)).body), {
    NamesAccepted: 'True',
    Established: 'True',
  });
  t.like((await ask('GET /apis/example.com/v1')).body, { resources: [{ name: 'things', kind: 'Thing' }] });
  const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const found = await ask('GET /apis', undefined, { accept: aggregated });
  t.true(
    (found.body.items as { metadata: { name: string } }[]).some(({ metadata }) => metadata.name === 'example.com'),
  );
  const again = await ask('GET /apis', undefined, { accept: aggregated, 'if-none-match': String(found.headers.etag) });
  t.is(again.status, 304);
});

test('a definition may be changed while it waits for its objects to go', async (t) => {
  const { cluster, ask } = await start();
  await cluster.apply(definition('things'));
  const finalizers = ['example.test/held'];
  const made = await ask('POST /apis/example.com/v1/namespaces/default/things', {
    ...aThing,
    metadata: { name: 'a', finalizers },
  });
  t.is(made.status, 201, made.text);
  const path = `${definitions}/things.example.com`;
  t.is((await ask(`DELETE ${path}`)).status, 200);
  const { status, body } = await ask(`PATCH ${path}`, { metadata: { annotations: { still: 'here' } } });
  t.is(status, 200, String(body.message));
  t.like(body, {
    metadata: { annotations: { still: 'here' }, finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
  });
});

test('a second definition of the same kind waits until the first has gone', async (t) => {
  const { cluster, ask } = await start();
  await cluster.apply(definition('things'));
  await cluster.apply(definition('others'));
  const path = `${definitions}/others.example.com`;
  t.deepEqual(conditionsOf((await ask(`GET ${path}`)).body), { NamesAccepted: 'False', Established: 'False' });
  t.is((await ask('GET /apis/example.com/v1/others')).status, 404);
  await ask(`DELETE ${definitions}/things.example.com`);
  await cluster.settle();
  t.deepEqual(conditionsOf((await ask(`GET ${path}`)).body), { NamesAccepted: 'True', Established: 'True' });
});

const aThing = { apiVersion: 'example.com/v1', kind: 'Thing' };

test('versions show the same objects, each by its own schema', async (t) => {
  const { cluster, ask } = await start();
  const b = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', default: 'new' } } };
  const v2 = version('v2', { schema: { openAPIV3Schema: { type: 'object', properties: { spec: b } } } });
  await cluster.apply(definition('things', [version('v1', { storage: true }), v2]));
  const path = (name: string) => `/apis/example.com/${name}/namespaces/default/things`;
  await ask(`POST ${path('v1')}`, { ...aThing, metadata: { name: 'x' }, spec: { a: '1' } });
  const shown = await ask(`GET ${path('v2')}/x`);
  t.like(shown.body, { apiVersion: 'example.com/v2' });
  t.deepEqual(shown.body.spec, { a: '1' }, 'only the version that is stored has defaults when it is read');
  const { body } = await ask(`GET ${path('v1')}/x`);
  t.deepEqual(body.spec, { a: '1' });
});

test('a default that comes later shows in objects that were there before', async (t) => {
  const { cluster, ask } = await start();
  await cluster.apply(definition('things'));
  const path = '/apis/example.com/v1/namespaces/default/things';
  await ask(`POST ${path}`, { ...aThing, metadata: { name: 'x' }, spec: {} });
  const a = { type: 'object', properties: { a: { type: 'string', default: 'late' } } };
  const changed = version('v1', {
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: a } } },
  });
  await cluster.apply(definition('things', [changed]));
  t.like((await ask(`GET ${path}/x`)).body, { spec: { a: 'late' } });
});

test('a deleted definition takes its objects with it, and waits for those that are held', async (t) => {
  const { cluster, ask } = await start();
  await cluster.apply(definition('things'));
  const path = '/apis/example.com/v1/namespaces/default/things';
  await ask(`POST ${path}`, { ...aThing, metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await ask(`DELETE ${definitions}/things.example.com`);
  await cluster.settle();
  t.is((await ask(`POST ${path}`, { ...aThing, metadata: { name: 'late' } })).status, 403);
  t.is((await ask(`GET ${path}/held`)).status, 200);
  await ask(`PATCH ${path}/held`, { metadata: { finalizers: null } });
  await cluster.settle();
  t.is((await ask(`GET ${definitions}/things.example.com`)).status, 404);
  t.is((await ask(`GET ${path}`)).status, 404);
});

test('deprecated versions say so with every answer', async (t) => {
  const { cluster, ask } = await start();
  await cluster.apply(definition('things', [version('v1', { storage: true, deprecated: true })]));
  const { headers } = await ask('GET /apis/example.com/v1/namespaces/default/things/x');
  t.is(headers.warning, '299 - "example.com/v1 Thing is deprecated"');
});

test('each version that definitions serve has its APIService, for as long as one does', async (t) => {
  const { cluster, ask } = await start();
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  const statusOf = async (version: string) => (await ask(`GET ${services}/${version}.example.com`)).status;
  await cluster.apply(definition('things', [version('v1', { storage: true }), version('v2')]));
  await cluster.apply(definition('others', [version('v1', { storage: true })], 'Other'));
  t.like((await ask(`GET ${services}/v1.example.com`)).body, {
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
  });
  await ask(`DELETE ${services}/v2.example.com`);
  await cluster.settle();
  t.is(await statusOf('v2'), 200);
  await ask(`DELETE ${definitions}/things.example.com`);
  await cluster.settle();
  t.deepEqual([await statusOf('v1'), await statusOf('v2')], [200, 404]);
  await ask(`DELETE ${definitions}/others.example.com`);
  await cluster.settle();
  t.is(await statusOf('v1'), 404);
});

test('members of a custom resource come back in the order of their names, as the server keeps them', async (t) => {
  const { cluster, ask } = await start();
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await cluster.apply(definition('things', [version('v1', { storage: true, schema: { openAPIV3Schema } })]));
  const spec = { zone: 'z', list: [{ b: 1, a: { d: 1, c: 2 } }], name: 'n' };
  const thing = {
    spec,
    metadata: { name: 'one', labels: { b: '1', a: '2' } },
    kind: 'Thing',
    apiVersion: 'example.com/v1',
  };
  const path = '/apis/example.com/v1/namespaces/default/things';
  t.is((await ask(`POST ${path}`, thing)).status, 201);
  const sorted = '{"list":[{"a":{"c":2,"d":1},"b":1}],"name":"n","zone":"z"}';
  const { body } = await ask(`GET ${path}/one`);
  t.is(JSON.stringify(body.spec), sorted);
  t.deepEqual(Object.keys(body), ['apiVersion', 'kind', 'metadata', 'spec']);
  t.is(JSON.stringify((body.metadata as Fields).labels), '{"a":"2","b":"1"}');
  const patch = { spec: { zone: null, more: { z: 1, y: 2 } } };
  await ask(`PATCH ${path}/one`, patch, { 'content-type': 'application/merge-patch+json' });
  const patched = (await ask(`GET ${path}/one`)).body;
  t.is(JSON.stringify(patched.spec), '{"list":[{"a":{"c":2,"d":1},"b":1}],"more":{"y":2,"z":1},"name":"n"}');
});
