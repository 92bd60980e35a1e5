import test, { type ExecutionContext } from 'ava';
import { type Fields, isFields } from '../../../cluster/apimachinery/object.ts';
import { builtinResources } from '../../../cluster/apis/builtin-resources.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import { createCluster, createManualClock } from '../../../cluster/index.ts';
import { createDocuments } from '../../../cluster/openapi/document-cache.ts';
import { textOfComment } from '../../../cluster/openapi/unescape-comment.ts';
import { upstreamTexts } from '../../../cluster/openapi/upstream-descriptions.ts';
import { messageOf, textOf } from '../../../cluster/resources/protobuf/protobuf-wire.ts';
import { aDefinition } from '../fixtures/a-definition.ts';
import { askOf } from '../fixtures/ask.ts';

const start = async (t: ExecutionContext) => {
  const cluster = await createCluster({ clock: createManualClock() });
  t.teardown(() => cluster.close());
  return { cluster, ask: askOf(cluster) };
};

const apps = builtinResources.filter(({ group }) => group === 'apps');
const sources = { types: builtinTypes(), version: 'v1.34.1' };
const parsed = (json: string) => JSON.parse(json) as Fields;

/** Yields all schemas of fields, and all parameters, of a document. */
function* described(value: unknown, word = ''): Generator<Fields> {
  if (Array.isArray(value)) for (const item of value) yield* described(item, word === 'parameters' ? 'parameter' : '');
  if (!isFields(value)) return;
  if (word === 'property' || word === 'parameter') yield value;
  for (const [name, member] of Object.entries(value))
    yield* described(member, word === 'properties' ? 'property' : name);
}

const withoutTexts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isFields(value)) return value;
  const rest = Object.entries(value).filter(([name, member]) => name !== 'description' || isFields(member));
  return Object.fromEntries(rest.map(([name, member]) => [name, withoutTexts(member)]));
};

test('comments are read as what was written before they became comments', (t) => {
  t.is(textOfComment(String.raw`The pod\'s \"name\"; \&#39;a\&#39; \&lt;b\&gt;.`), `The pod's "name"; 'a' <b>.`);
  t.is(textOfComment(String.raw`\'*_/_*\' and \'pods/_*\'`), `'*/*' and 'pods/*'`);
  t.is(textOfComment('One.  Two.'), 'One.\n\nTwo.');
  t.is(textOfComment('One.  Two.', true), 'One.  Two.');
  t.is(textOfComment('an event  will be sent'), 'an event  will be sent');
  t.is(textOfComment('- A: this goes   on. - B: that.'), '- A: this goes\n  on.\n- B: that.');
});

test('fields, types and parameters of built-in kinds are explained', async (t) => {
  const { ask } = await start(t);
  for (const root of ['api/v1', 'apis/apps/v1', 'apis/rbac.authorization.k8s.io/v1', 'apis/autoscaling/v2']) {
    const { body } = await ask(`GET /openapi/v3/${root}`);
    const all = [...described(body)];
    t.true(all.length > 100, root);
    const silent = all.filter(({ description }) => typeof description !== 'string' || description === '');
    t.true(silent.length <= 1, JSON.stringify(silent.slice(0, 3)));
    const { schemas } = body.components as { schemas: Record<string, Fields> };
    t.deepEqual(
      Object.entries(schemas).filter(([, { description }]) => description === undefined),
      [],
    );
  }
});

test('the values of a field are reported in its text', (t) => {
  const document = createDocuments(sources).version3('apis/apps/v1', apps).json;
  const { schemas } = parsed(document).components as {
    schemas: Record<string, { properties: Record<string, Fields> }>;
  };
  const { type } = schemas['io.k8s.api.apps.v1.DeploymentStrategy']!.properties;
  t.regex(String(type!.description), /\n\nPossible enum values:\n - `"Recreate"`\n - `"RollingUpdate"`$/);
});

test('fields of definitions say what their authors wrote, their parameters what all say', async (t) => {
  const { cluster, ask } = await start(t);
  await cluster.apply(aDefinition({ type: 'object', properties: { a: { type: 'string', description: 'An a.' } } }));
  const { body } = await ask('GET /openapi/v3/apis/example.com/v1');
  const { schemas } = body.components as { schemas: Record<string, { properties: Record<string, Fields> }> };
  t.is(schemas['com.example.v1.Gadget']!.properties.a!.description, 'An a.');
  t.is((schemas['com.example.v1.GadgetList'] as Fields | undefined)?.description, 'GadgetList is a list of Gadget');
  const parameters = [...described(body.paths)];
  t.true(parameters.length > 20);
  t.true(parameters.every(({ description }) => typeof description === 'string'));
});

test('without the comments documents are the same but for their texts', (t) => {
  const nowhere = upstreamTexts(new URL('file:///nowhere/at/all/'));
  t.false(nowhere.isAtHand);
  const silent = parsed(createDocuments(sources, nowhere).version3('apis/apps/v1', apps).json);
  t.deepEqual(
    [...described(silent.components)].filter(({ description }) => description !== undefined),
    [],
  );
  const explained = parsed(createDocuments(sources).version3('apis/apps/v1', apps).json);
  t.deepEqual(withoutTexts(silent), withoutTexts(explained));
});

test('a document is made once, until something else is served', (t) => {
  const documents = createDocuments(sources);
  const first = documents.version3('apis/apps/v1', apps);
  t.is(documents.version3('apis/apps/v1', [...apps]), first);
  t.not(documents.version3('apis/apps/v1', apps.slice(1)), first);
});

test('pages of the server have documents of their own', async (t) => {
  const { ask } = await start(t);
  const { paths } = JSON.parse((await ask('GET /openapi/v3')).text) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const roots = Object.keys(paths);
  t.deepEqual(roots, [...roots].sort());
  for (const root of ['api', 'apis', 'apis/apps', 'version', 'openid/v1/jwks', '.well-known/openid-configuration']) {
    const document = (await ask(`GET ${paths[root]!.serverRelativeURL}`)).body;
    t.deepEqual(Object.keys(document.paths as object), [`/${root}/`]);
  }
});

test('v3 is protobuf for clients that ask for it', async (t) => {
  const { ask } = await start(t);
  const type = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
  const { status, headers } = await ask('GET /openapi/v3/apis/apps/v1', undefined, { accept: type });
  t.like({ status, type: headers['content-type'] }, { status: 200, type });
  t.is((await ask('GET /openapi/v3/apis/apps/v1', undefined, { accept: 'text/html' })).status, 406);
  t.is((await ask('GET /openapi/v3/apis/nothing/v1')).status, 404);
  const documents = createDocuments(sources);
  const document = messageOf(await documents.version3('apis/apps/v1', apps).protobuf());
  t.is(textOf(document.get(1)?.[0]), '3.0.0');
  const schemas = messageOf(messageOf(document.get(5)![0] as Uint8Array).get(1)![0] as Uint8Array).get(1)!;
  const names = schemas.map((one) => textOf(messageOf(one as Uint8Array).get(1)?.[0]));
  const { components } = parsed(documents.version3('apis/apps/v1', apps).json);
  t.deepEqual(names, Object.keys((components as { schemas: object }).schemas));
});
