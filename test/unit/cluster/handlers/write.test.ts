import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aDefinition } from '../fixtures/a-definition.ts';
import { askOf } from '../fixtures/ask.ts';

const crd = aDefinition(
  {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { size: { type: 'integer', default: 1, minimum: 0 } } },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  { kind: 'Thing', subresources: { status: {} } },
);
const things = '/apis/example.com/v1/namespaces/default/things';
const thing = (name: string, more: Fields = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec: {},
  ...more,
});
const meta = (body: Fields) => body.metadata as Record<string, unknown>;

async function withThing() {
  const cluster = await createCluster();
  await cluster.apply(crd);
  const ask = askOf(cluster);
  const { body } = await ask(`POST ${things}`, thing('a'));
  return { cluster, ask, body };
}

test('stamps a new object with uid, version, time and generation, and fills in defaults', async (t) => {
  const { body } = await withThing();
  t.like(body, { kind: 'Thing', spec: { size: 1 }, metadata: { name: 'a', namespace: 'default', generation: 1 } });
  t.regex(String(meta(body).uid), /^[0-9a-f-]{36}$/);
  t.regex(String(meta(body).creationTimestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test('refuses a name that is taken, a version in a new object and a namespace that is not there', async (t) => {
  const { ask } = await withThing();
  t.like(await ask(`POST ${things}`, thing('a')), { status: 409, body: { reason: 'AlreadyExists' } });
  const versioned = thing('b', { metadata: { name: 'b', resourceVersion: '1' } });
  t.is((await ask(`POST ${things}`, versioned)).status, 500);
  const elsewhere = await ask('POST /api/v1/namespaces/nowhere/configmaps', { metadata: { name: 'x' } });
  t.like(elsewhere, { status: 404, body: { message: 'namespaces "nowhere" not found' } });
});

test('checks objects against the schema of their definition', async (t) => {
  const { ask } = await withThing();
  const { status, body } = await ask(`POST ${things}`, thing('b', { spec: { size: -1 } }));
  t.is(status, 422);
  t.regex(String(body.message), /spec\.size: Invalid value: -1/);
});

test('warns of unknown fields, refuses them when asked to be strict, and drops them', async (t) => {
  const { ask } = await withThing();
  const warned = await ask(`POST ${things}`, thing('b', { spec: { nope: 1 } }));
  t.is(warned.headers.warning, '299 - "unknown field \\"spec.nope\\""');
  t.deepEqual(warned.body.spec, { size: 1 });
  const strict = await ask(`POST ${things}?fieldValidation=Strict`, thing('c', { spec: { nope: 1 } }));
  t.is(strict.status, 400);
  const twice = await ask(
    `POST ${things}?fieldValidation=Strict`,
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"d"},"spec":{"size":1,"size":2}}',
  );
  t.regex(String(twice.body.message), /duplicate field "spec.size"/);
});

test('makes up names that differ', async (t) => {
  const { ask } = await withThing();
  const made = async () =>
    meta((await ask(`POST ${things}`, thing('', { metadata: { generateName: 'gen-' } }))).body).name;
  const [one, other] = [await made(), await made()];
  t.regex(String(one), /^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  t.not(one, other);
});

test('a dry run goes through everything and stores nothing', async (t) => {
  const { cluster, ask } = await withThing();
  const before = cluster.revision;
  const created = await ask(`POST ${things}?dryRun=All`, thing('b'));
  t.like(created, { status: 201, body: { spec: { size: 1 } } });
  t.is(meta(created.body).resourceVersion, undefined);
  const versioned = thing('c', { metadata: { name: 'c', resourceVersion: '7' } });
  t.is((await ask(`POST ${things}?dryRun=All`, versioned)).status, 201, 'only the storage minds the version');
  t.is((await ask(`POST ${things}`, versioned)).status, 500);
  t.is((await ask(`DELETE ${things}/a?dryRun=All`)).status, 200);
  t.is(cluster.revision, before);
});

test('a stale version conflicts, none is refused for custom resources', async (t) => {
  const { ask, body } = await withThing();
  const resourceVersion = meta(body).resourceVersion;
  await ask(`PATCH ${things}/a`, { spec: { size: 2 } });
  const stale = thing('a', { metadata: { name: 'a', resourceVersion } });
  t.like(await ask(`PUT ${things}/a`, stale), { status: 409, body: { reason: 'Conflict' } });
  t.is((await ask(`PUT ${things}/a`, thing('a'))).status, 422);
});

test('a write that changes nothing keeps the version', async (t) => {
  const { cluster, ask, body } = await withThing();
  const before = cluster.revision;
  const patched = await ask(`PATCH ${things}/a`, { spec: { size: 1 } });
  t.is(meta(patched.body).resourceVersion, meta(body).resourceVersion);
  t.is((await ask(`PATCH ${things}/a`, [])).status, 200);
  t.is(cluster.revision, before);
});

test('generation counts the spec, not metadata and not the status', async (t) => {
  const { ask } = await withThing();
  const generation = async (what: string, patch: Fields) => meta((await ask(what, patch)).body).generation;
  t.is(await generation(`PATCH ${things}/a`, { metadata: { labels: { x: 'y' } } }), 1);
  t.is(await generation(`PATCH ${things}/a/status`, { status: { phase: 'Ready' } }), 1);
  t.is(await generation(`PATCH ${things}/a`, { spec: { size: 3 } }), 2);
});

test('the object and its status each ignore the other', async (t) => {
  const { ask } = await withThing();
  const status = await ask(`PATCH ${things}/a/status`, {
    spec: { size: 9 },
    metadata: { labels: { x: 'y' } },
    status: { phase: 'Ready' },
  });
  t.like(status.body, { spec: { size: 1 }, status: { phase: 'Ready' } });
  t.is(meta(status.body).labels, undefined);
  const main = await ask(`PATCH ${things}/a`, { status: { phase: 'Lost' } });
  t.like(main.body, { status: { phase: 'Ready' } });
});

test('tests of a JSON patch look at the whole object, on the status too', async (t) => {
  const { ask, body } = await withThing();
  const tests = [
    { op: 'test', path: '/metadata/uid', value: meta(body).uid },
    { op: 'test', path: '/metadata/deletionTimestamp', value: null },
    { op: 'test', path: '/spec/size', value: 1 },
    { op: 'test', path: '/status', value: null },
    { op: 'add', path: '/status', value: { guards: { DNS: { phase: 'intent', token: 1 } } } },
  ];
  t.like(await ask(`PATCH ${things}/a/status`, tests), {
    status: 200,
    body: { status: { guards: { DNS: { token: 1 } } } },
  });
  t.is((await ask(`PATCH ${things}/a/status`, tests)).status, 422);
});

const generic = 'the server rejected our request due to an error in our request';
for (const [why, operations] of [
  ['a test that fails', [{ op: 'test', path: '/spec/size', value: 2 }]],
  ['a test below a missing parent', [{ op: 'test', path: '/status/guards/DNS', value: null }]],
  ['a removal of what is not there', [{ op: 'remove', path: '/spec/nope' }]],
  ['an addition below a missing parent', [{ op: 'add', path: '/status/phase', value: 'x' }]],
] as const) {
  test(`${why} is a 422 that says no more`, async (t) => {
    const { ask } = await withThing();
    const { status, body } = await ask(`PATCH ${things}/a`, operations);
    t.is(status, 422);
    t.like(body, { reason: 'Invalid', message: generic, details: {} });
  });
}

test('a JSON patch of the resourceVersion conflicts when it is another one', async (t) => {
  const { ask } = await withThing();
  const patch = [{ op: 'replace', path: '/metadata/resourceVersion', value: '1' }];
  t.like(await ask(`PATCH ${things}/a`, patch), { status: 409, body: { reason: 'Conflict' } });
});

test('owned metadata can be left out but not changed', async (t) => {
  const { ask, body } = await withThing();
  const { resourceVersion, uid } = meta(body);
  const put = await ask(`PUT ${things}/a`, thing('a', { metadata: { name: 'a', resourceVersion }, spec: { size: 5 } }));
  t.is(meta(put.body).uid, uid);
  const changed = await ask(`PATCH ${things}/a`, { metadata: { uid: '11111111-1111-1111-1111-111111111111' } });
  t.like(changed, { status: 422 });
});

test('strategic patches merge lists of built-in kinds, and are refused for others', async (t) => {
  const { ask } = await withThing();
  const type = { 'content-type': 'application/strategic-merge-patch+json' };
  const containers = [
    { name: 'a', image: 'a:1' },
    { name: 'b', image: 'b:1' },
  ];
  await ask('POST /api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec: { containers } });
  const patch = { spec: { containers: [{ name: 'b', image: 'b:2' }] } };
  const { body } = await ask('PATCH /api/v1/namespaces/default/pods/p', patch, type);
  t.deepEqual(
    (body.spec as { containers: { image: string }[] }).containers.map(({ image }) => image),
    ['a:1', 'b:2'],
  );
  t.is((await ask(`PATCH ${things}/a`, {}, type)).status, 415);
});

test('scale shows and changes the count', async (t) => {
  const cluster = await createCluster();
  const ask = askOf(cluster);
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await ask(`POST ${deployments}`, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  });
  t.like((await ask(`GET ${deployments}/d/scale`)).body, {
    kind: 'Scale',
    spec: { replicas: 1 },
    status: { selector: 'a=b' },
  });
  await ask(`PATCH ${deployments}/d/scale`, { spec: { replicas: 4 } });
  t.like((await ask(`GET ${deployments}/d`)).body, { spec: { replicas: 4 }, metadata: { generation: 2 } });
});

test('bodies that are too big, of a wrong type or no JSON are refused', async (t) => {
  const { ask } = await withThing();
  t.is((await ask(`POST ${things}`, 'x'.repeat(3 * 1024 * 1024 + 1))).status, 413);
  t.is((await ask(`POST ${things}`, '<a/>', { 'content-type': 'application/xml' })).status, 415);
  t.is((await ask(`POST ${things}`, '{"a"')).status, 400);
});
