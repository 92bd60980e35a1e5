import test, { type ExecutionContext } from 'ava';
import type { Draft, Fields } from '../../../cluster/apimachinery/object.ts';
import {
  type ConversionFunction,
  type ConversionReview,
  createCluster,
  createManualClock,
} from '../../../cluster/index.ts';
import { askOf, watchOf } from '../fixtures/ask.ts';

const url = 'https://convert.example.com/convert';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = (version: string): string => `/apis/example.com/${version}/namespaces/default/things`;

const version = (name: string, storage: boolean): Fields => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { [`of${name}`]: { type: 'string' } } } },
    },
  },
});

const definition = (reviews: readonly string[] = ['v1']): Fields => ({
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [version('v1', true), version('v2', false)],
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { url }, conversionReviewVersions: reviews } },
  },
});

const thing = (at: string, name: string, value: string): Fields => ({
  apiVersion: `example.com/${at}`,
  kind: 'Thing',
  metadata: { name },
  spec: { [`of${at}`]: value },
});

/** Converts by renaming the only field of the spec after the wanted version. */
function renamed(object: Fields, desired: string): Fields {
  const [value] = Object.values(object.spec as Fields);
  return { ...object, apiVersion: desired, spec: { [`of${desired.split('/')[1]}`]: value } };
}

const rename: ConversionFunction = ({ request: { objects, desiredAPIVersion } }) => ({
  convertedObjects: objects.map((object) => renamed(object, desiredAPIVersion)),
});

async function start(t: ExecutionContext, webhook: ConversionFunction = rename, reviewVersions?: readonly string[]) {
  const reviews: ConversionReview[] = [];
  const clock = createManualClock();
  const cluster = await createCluster({
    clock,
    kubelet: false,
    conversionWebhooks: {
      [url]: (review) => {
        reviews.push(review);
        return webhook(review);
      },
    },
  });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  await ask(`POST ${definitions}`, definition(reviewVersions));
  return { cluster, ask, reviews, clock };
}

const specOf = ({ body }: { readonly body: Fields }): unknown => (body as unknown as Draft).spec;

test('objects are stored at one version, and a webhook makes them others', async (t) => {
  const { cluster, ask, reviews } = await start(t);
  t.deepEqual(specOf(await ask(`POST ${path('v2')}`, thing('v2', 'a', 'x'))), { ofv2: 'x' });
  t.deepEqual(specOf(await ask(`GET ${path('v1')}/a`)), { ofv1: 'x' });
  t.deepEqual(
    reviews.map(({ request }) => request.desiredAPIVersion),
    ['example.com/v1', 'example.com/v2'],
    'once to be stored, and once to be shown',
  );
  t.is(
    cluster.get({ apiVersion: 'example.com/v1', kind: 'Thing' }, { name: 'a', namespace: 'default' })?.apiVersion,
    'example.com/v1',
  );
});

test('what is at the wanted version is not sent', async (t) => {
  const { ask, reviews } = await start(t);
  await ask(`POST ${path('v1')}`, thing('v1', 'a', 'x'));
  await ask(`GET ${path('v1')}/a`);
  await ask(`GET ${path('v1')}`);
  t.deepEqual(reviews, []);
});

test('a webhook is asked by the first of its review versions that the server knows', async (t) => {
  const { ask, reviews } = await start(t, rename, ['v9', 'v1beta1', 'v1']);
  await ask(`POST ${path('v2')}`, thing('v2', 'a', 'x'));
  t.is(reviews[0]?.apiVersion, 'apiextensions.k8s.io/v1beta1');
});

test('lists, and watches of both versions, show each object as their own', async (t) => {
  const { cluster, ask } = await start(t);
  await ask(`POST ${path('v1')}`, thing('v1', 'a', 'x'));
  await ask(`POST ${path('v2')}`, thing('v2', 'b', 'y'));
  const { body } = await ask(`GET ${path('v2')}`);
  t.deepEqual(
    (body.items as Draft[]).map(({ spec }) => spec),
    [{ ofv2: 'x' }, { ofv2: 'y' }],
  );
  t.is(cluster.list({ apiVersion: 'example.com/v2', kind: 'Thing' }, 'default').length, 2);
});

test('what a webhook refuses fails with its words, and is not stored', async (t) => {
  const { ask } = await start(t, () => ({ convertedObjects: [], result: { status: 'Failure', message: 'not today' } }));
  const refused = await ask(`POST ${path('v2')}`, thing('v2', 'a', 'x'));
  t.is(refused.status, 500);
  t.is(refused.body.message, 'conversion webhook for example.com/v2, Kind=Thing failed: not today');
  t.is((await ask(`GET ${path('v1')}/a`)).status, 404);
});

test('a webhook may change labels and annotations, and nothing else of the metadata', async (t) => {
  const { ask } = await start(t, (review) => ({
    convertedObjects: review.request.objects.map((object) => ({
      ...renamed(object, review.request.desiredAPIVersion),
      metadata: { ...(object.metadata as Fields), labels: { converted: 'yes' }, generation: 42 },
    })),
  }));
  await ask(`POST ${path('v1')}`, thing('v1', 'a', 'x'));
  const { metadata } = (await ask(`GET ${path('v2')}/a`)).body as unknown as Draft;
  t.deepEqual(metadata.labels, { converted: 'yes' });
  t.is(metadata.generation, 1);
});

test('lists of what cannot be converted say so, and continue once it can be', async (t) => {
  let isBroken = true;
  const { ask } = await start(t, (review) =>
    isBroken ? { convertedObjects: [] } : (rename(review) as ReturnType<typeof rename>),
  );
  await ask(`POST ${path('v1')}`, thing('v1', 'a', 'x'));
  const failed = await ask(`GET ${path('v2')}`);
  t.is(failed.body.message, 'conversion webhook for example.com/v1, Kind=Thing returned 0 objects, expected 1');
  t.is((await ask(`GET ${path('v1')}`)).status, 200);
  isBroken = false;
  t.is((await ask(`GET ${path('v2')}`)).status, 200);
});

test('updates, patches and applies at another version are converted both ways', async (t) => {
  const { ask } = await start(t);
  await ask(`POST ${path('v1')}`, thing('v1', 'a', 'x'));
  const { body } = await ask(`GET ${path('v2')}/a`);
  await ask(`PUT ${path('v2')}/a`, { ...body, spec: { ofv2: 'put' } });
  t.deepEqual(specOf(await ask(`GET ${path('v1')}/a`)), { ofv1: 'put' });
  await ask(`PATCH ${path('v2')}/a`, { spec: { ofv2: 'patched' } }, { 'content-type': 'application/merge-patch+json' });
  t.deepEqual(specOf(await ask(`GET ${path('v1')}/a`)), { ofv1: 'patched' });
  const applied = await ask(`PATCH ${path('v2')}/a?fieldManager=me&force=true`, thing('v2', 'a', 'applied'), {
    'content-type': 'application/apply-patch+yaml',
  });
  t.is(applied.status, 200);
  t.deepEqual(specOf(await ask(`GET ${path('v1')}/a`)), { ofv1: 'applied' });
  t.is((await ask(`DELETE ${path('v2')}/a`)).status, 200);
});

test('watches show what is written at any version, in order', async (t) => {
  const { cluster, ask } = await start(t);
  await ask(`POST ${path('v1')}`, thing('v1', 'a', 'x'));
  const watch = await watchOf(
    cluster,
    `${path('v2')}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  );
  await ask(`POST ${path('v2')}`, thing('v2', 'b', 'y'));
  await ask(`DELETE ${path('v1')}/a`);
  const lines = await watch.take(4);
  t.deepEqual(
    lines.map(({ type, object }) => [type, object.apiVersion, object.spec]),
    [
      ['ADDED', 'example.com/v2', { ofv2: 'x' }],
      ['BOOKMARK', 'example.com/v2', undefined],
      ['ADDED', 'example.com/v2', { ofv2: 'y' }],
      ['DELETED', 'example.com/v2', { ofv2: 'x' }],
    ],
  );
});

const exceptBad: ConversionFunction = (review) =>
  review.request.objects.some(({ metadata }) => (metadata as Fields).name === 'bad')
    ? { convertedObjects: [], result: { status: 'Failure', message: 'a bad one' } }
    : rename(review);

test('what cannot be converted holds a watch up, which ends after half a minute', async (t) => {
  const { cluster, ask, clock } = await start(t, exceptBad);
  const watch = await watchOf(cluster, `${path('v2')}?watch=true`);
  await ask(`POST ${path('v1')}`, thing('v1', 'bad', 'x'));
  await ask(`POST ${path('v1')}`, thing('v1', 'good', 'x'));
  await clock.advance(31_000);
  t.deepEqual(await watch.take(1), []);
});

test('what can be converted again lets a watch continue', async (t) => {
  let isBroken = true;
  const { cluster, ask, clock } = await start(t, (review) => (isBroken ? { convertedObjects: [] } : rename(review)));
  const watch = await watchOf(cluster, `${path('v2')}?watch=true`);
  await ask(`POST ${path('v1')}`, thing('v1', 'a', 'x'));
  await clock.advance(5000);
  isBroken = false;
  await clock.advance(1000);
  t.deepEqual((await watch.take(1))[0]?.object.spec, { ofv2: 'x' });
});

test('admission webhooks that ask for another version get it from the conversion webhook', async (t) => {
  const seen: unknown[] = [];
  const hook = 'https://hooks.example.com/validate';
  const cluster = await createCluster({
    conversionWebhooks: { [url]: rename },
    webhooks: {
      [hook]: ({ request }) => {
        seen.push((request.object as Fields).spec);
        return { allowed: true };
      },
    },
  });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  await ask(`POST ${definitions}`, definition());
  await ask('POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'hook.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: hook },
        rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['*'], resources: ['things'] }],
      },
    ],
  });
  t.is((await ask(`POST ${path('v2')}`, thing('v2', 'a', 'x'))).status, 201);
  t.deepEqual(seen, [{ ofv1: 'x' }]);
});
