import test from 'ava';
import { askOf } from './ask.ts';
import { createCluster } from './index.ts';
import type { Fields } from './objects/object.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const version = (name: string, more: Fields = {}) => ({
  name,
  served: true,
  storage: false,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  },
  ...more,
});
const definition = (
  plural: string,
  versions: readonly object[] = [version('v1', { storage: true })],
  kind = 'Thing',
) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind }, versions },
});
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

test('clients of a deprecated version are told of the best one that is not', async (t) => {
  const { cluster, ask } = await start();
  const versions = ['v1alpha1', 'v1beta1', 'v1beta3', 'v2', 'v3'].map((name) =>
    version(name, {
      storage: name === 'v1beta1',
      served: name !== 'v3',
      deprecated: !['v1beta1', 'v1beta3'].includes(name),
    }),
  );
  await cluster.apply(definition('things', versions));
  const told = async (name: string) =>
    (await ask(`GET /apis/example.com/${name}/namespaces/default/things/x`)).headers.warning;
  t.is(await told('v1alpha1'), '299 - "example.com/v1alpha1 Thing is deprecated; use example.com/v1beta3 Thing"');
  t.is(await told('v1beta1'), undefined);
  t.is(await told('v2'), '299 - "example.com/v2 Thing is deprecated"');
});

test('what a write does not change gets no defaults of its version, but shows those that are stored', async (t) => {
  const { cluster, ask } = await start();
  const schemaOf = (name: string) => {
    const part = {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { [name]: { type: 'string', default: 'D' } },
    };
    return { openAPIV3Schema: { type: 'object', properties: { spec: part, status: part } } };
  };
  const versions = [
    version('v1', { schema: schemaOf('shown'), subresources: { status: {} } }),
    version('v2', { schema: schemaOf('kept'), subresources: { status: {} }, storage: true, served: false }),
  ];
  const serve = (all: readonly object[]) => cluster.apply(definition('things', all));
  const path = '/apis/example.com/v1/namespaces/default/things';
  const plain = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await serve([
    { ...versions[0]!, schema: plain },
    { ...versions[1]!, schema: plain },
  ]);
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: {} };
  await ask(`POST ${path}`, thing);
  await serve(versions);
  const { metadata, spec } = (await ask(`GET ${path}/a`)).body;
  t.deepEqual(spec, { kept: 'D' });
  const { body } = await ask(`PUT ${path}/a/status`, { ...thing, metadata, status: {} });
  t.deepEqual([body.spec, body.status], [{ kept: 'D' }, { kept: 'D', shown: 'D' }]);
});

test('defaults of the metadata of embedded objects may have unknown fields, others not', async (t) => {
  const { ask } = await start();
  const object = { type: 'object', properties: { name: { type: 'string' } }, default: { name: 'a', unknown: 'b' } };
  const embedding = (name: string, plural: string) => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { [name]: object } };
    const openAPIV3Schema = { type: 'object', properties: { template: embedded } };
    return definition(plural, [version('v1', { storage: true, schema: { openAPIV3Schema } })], plural);
  };
  t.is((await ask(`POST ${definitions}`, embedding('metadata', 'things'))).status, 201);
  t.regex(
    String((await ask(`POST ${definitions}`, embedding('spec', 'others'))).body.message),
    /must not have unknown/,
  );
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

test('definitions in groups of Kubernetes itself say whether they are approved', async (t) => {
  const { ask } = await start();
  const post = (approved: unknown) => {
    const { metadata: _, spec, ...rest } = definition('knots');
    const metadata = { name: 'knots.sigs.k8s.io', annotations: { 'api-approved.kubernetes.io': approved } };
    return ask(`POST ${definitions}`, { ...rest, metadata, spec: { ...spec, group: 'sigs.k8s.io' } });
  };
  for (const bad of ['no', 'http:a', '//host/a', 'https:///a', 'https://a b/']) {
    const { status, body } = await post(bad);
    t.is(status, 422, bad);
    t.true(
      String(body.message).endsWith(
        `metadata.annotations[api-approved.kubernetes.io]: Invalid value: "${bad}": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`,
      ),
    );
  }
  t.is((await post(undefined)).status, 422);
  t.is((await post('https://example.com/1')).status, 201);
  const path = `${definitions}/knots.sigs.k8s.io`;
  const last = async () =>
    ((await ask(`GET ${path}`)).body.status as { conditions: readonly object[] }).conditions.at(2);
  const type = 'KubernetesAPIApprovalPolicyConformant';
  t.like(await last(), {
    type,
    status: 'True',
    reason: 'ApprovedAnnotation',
    message: 'approved in https://example.com/1',
  });
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
  await ask(`PATCH ${path}`, { metadata: { annotations } }, { 'content-type': 'application/merge-patch+json' });
  const message = 'not approved: "unapproved, a test"';
  t.like(await last(), { type, status: 'False', reason: 'UnapprovedAnnotation', message });
});
