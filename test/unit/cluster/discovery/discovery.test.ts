import test from 'ava';
import { createAuditLog } from '../../../cluster/audit/audit.ts';
import { auditEntryOf } from '../../../cluster/audit/entry.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aDefinition } from '../fixtures/a-definition.ts';
import { askOf } from '../fixtures/ask.ts';

const pages: readonly (readonly [string, number, object])[] = [
  ['/version', 200, { gitVersion: 'v1.34.1', major: '1', minor: '34' }],
  ['/version/', 200, { gitVersion: 'v1.34.1' }],
  ['/api', 200, { kind: 'APIVersions', versions: ['v1'] }],
  ['/apis/apps', 200, { kind: 'APIGroup', preferredVersion: { groupVersion: 'apps/v1' } }],
  ['/api/v1', 200, { kind: 'APIResourceList', groupVersion: 'v1' }],
  ['/api/v2', 404, { reason: 'NotFound' }],
  ['/api/v1/nope', 404, { message: 'the server could not find the requested resource' }],
  ['/api/v1/namespaces/default/nodes', 404, { reason: 'NotFound' }],
  ['/api/v1/configmaps/a', 404, { reason: 'NotFound' }],
  ['/api/v1/pods?timeout=bad', 400, { reason: 'BadRequest' }],
];
for (const [path, status, body] of pages) {
  test(`${path} is a ${status}`, async (t) => {
    const answer = await askOf(await createCluster())(`GET ${path}`);
    t.is(answer.status, status);
    t.like(answer.body, body as never);
  });
}

test('is healthy', async (t) => {
  const ask = askOf(await createCluster());
  t.is((await ask('GET /readyz')).text, 'ok');
  const [alive, ready] = await Promise.all(['livez', 'readyz'].map((path) => ask(`GET /${path}?verbose`)));
  t.regex(alive!.text, /^\[\+\]ping ok\n[\s\S]*livez check passed\n$/);
  t.false(alive!.text.includes('[+]informer-sync ok'));
  t.true(ready!.text.includes('[+]informer-sync ok\n'));
});

test('tells Prometheus how many objects there are, and what was asked', async (t) => {
  const ask = askOf(await createCluster());
  await ask('POST /api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  const { status, text, headers } = await ask('GET /metrics');
  t.is(status, 200);
  t.regex(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
  t.regex(text, /^apiserver_resource_objects\{group="",resource="namespaces"\} 4$/m);
  t.regex(text, /^apiserver_resource_objects\{group="",resource="configmaps"\} 5$/m);
  t.regex(text, /^apiserver_storage_objects\{resource="deployments.apps"\} 0$/m);
  t.regex(text, /^kubernetes_build_info\{git_version="v1\.34\.1",major="1",minor="34"\} 1$/m);
  const created = 'code="201",component="apiserver",dry_run="",group="",resource="configmaps",scope="namespace"';
  t.true(text.includes(`apiserver_request_total{${created},subresource="",verb="POST",version="v1"} 1\n`));
  const again = (await ask('GET /metrics')).text;
  t.regex(again, /^apiserver_request_total\{code="200",.*subresource="\/metrics",verb="GET",version=""\} 1$/m);
  t.regex((await ask('GET /metrics/slis')).text, /^kubernetes_healthcheck\{name="etcd",type="livez"\} 1$/m);
});

test('groups of definitions follow built-in ones, by name', async (t) => {
  const cluster = await createCluster();
  for (const group of ['zeta.example.com', 'alpha.example.com'])
    await cluster.apply(aDefinition({ type: 'object' }, { group }));
  const { body } = await askOf(cluster)('GET /apis');
  const names = (body.groups as readonly { readonly name: string }[]).map(({ name }) => name);
  t.deepEqual(names.slice(-3), ['flowcontrol.apiserver.k8s.io', 'alpha.example.com', 'zeta.example.com']);
});

test('counts requests also when it no longer keeps them', (t) => {
  const log = createAuditLog();
  const { user, headers } = { user: { name: 'a', groups: [] }, headers: {} };
  const request = { method: 'GET', url: '/api/v1/pods?limit=1', headers, body: undefined, user };
  const entry = auditEntryOf(request, { response: { status: 200, headers: {}, body: '' }, at: 0, before: 1, after: 1 });
  for (let count = 0; count < 13_000; count += 1) log.add(entry);
  t.true(log.audit.length < 13_000);
  t.deepEqual([...log.totals().values()], [13_000]);
  t.regex([...log.totals().keys()][0]!, /resource="pods",scope="cluster",subresource="",verb="LIST",version="v1"$/);
});

test('every answer has its id and is not to be kept', async (t) => {
  const { headers } = await askOf(await createCluster())('GET /nope');
  t.regex(String(headers['audit-id']), /^[0-9a-f-]{36}$/);
  t.is(headers['cache-control'], 'no-cache, private');
});

test('publishes OpenAPI documents with what kubectl looks for', async (t) => {
  const ask = askOf(await createCluster());
  const index = JSON.parse((await ask('GET /openapi/v3')).text) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const { body } = await ask(`GET ${index.paths['apis/apps/v1']!.serverRelativeURL}`);
  const paths = body.paths as Record<string, { patch: { parameters: { name: string }[] } }>;
  const { parameters } = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!.patch;
  t.true(['dryRun', 'fieldValidation'].every((wanted) => parameters.some(({ name }) => name === wanted)));
});

test('answers in YAML and indented when asked to', async (t) => {
  const ask = askOf(await createCluster());
  const { text } = await ask('GET /api/v1/namespaces/default', undefined, { accept: 'application/yaml' });
  t.regex(text, /^apiVersion: v1\nkind: Namespace\n/);
  t.regex((await ask('GET /api/v1/namespaces/default?pretty=true')).text, /^\{\n {2}"/);
});

test('reviews cannot be had as tables', async (t) => {
  const ask = askOf(await createCluster());
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const { status, body } = await ask(`POST ${path}`, review, { accept });
  t.is(status, 406);
  t.is(body.reason, 'NotAcceptable');
  t.is((await ask(`POST ${path}`, review, { accept: `${accept}, application/json` })).status, 201);
});

test('knows the objects of priority and fairness, and of API services', async (t) => {
  const ask = askOf(await createCluster());
  const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';
  const level = {
    metadata: { name: 'low' },
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } },
  };
  const made = await ask(`POST ${flow}/prioritylevelconfigurations`, level);
  t.deepEqual(made.body.spec, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 30,
      lendablePercent: 0,
      limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
    },
  });
  const schema = { metadata: { name: 'all' }, spec: { priorityLevelConfiguration: { name: 'low' } } };
  t.like((await ask(`POST ${flow}/flowschemas`, schema)).body.spec, { matchingPrecedence: 1000 });
  const status = { conditions: [{ type: 'Dangling', status: 'False' }] };
  t.is((await ask(`PATCH ${flow}/flowschemas/all/status`, { status })).status, 200);
  t.is((await ask('GET /apis/apiregistration.k8s.io/v1/apiservices')).body.kind, 'APIServiceList');
});
