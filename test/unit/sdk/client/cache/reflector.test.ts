import test from 'ava';
import { ConfigMap, Namespace } from '../../../../../sdk/api/kinds.ts';
import { createReflector } from '../../../../../sdk/client/cache/reflector.ts';
import { Store } from '../../../../../sdk/client/cache/store.ts';
import type { Interceptor } from '../../../../cluster/index.ts';
import { aConfigMap, reflected } from '../reflected.ts';

const answer = (status: number, reason: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the test says ${reason}`,
    reason,
    code: status,
  }),
});
/** A server without streaming lists that refuses unknown parameters. */
const refusing: Interceptor = async (request, next) =>
  request.url.includes('sendInitialEvents') ? answer(422, 'Invalid') : next(request);
/** A server without streaming lists that ignores unknown parameters. */
const overlooking: Interceptor = async (request, next) =>
  next({
    ...request,
    url: request.url.replace(/&(sendInitialEvents|resourceVersionMatch|allowWatchBookmarks)=\w+/g, ''),
  });

for (const [title, intercept, wait] of [
  ['a streaming list', undefined, 0],
  ['pages where streaming is refused', refusing, 0],
  ['pages where streaming is overlooked', overlooking, 10_000],
] as const)
  test(`lists by ${title}, then follows every change`, async (t) => {
    const world = await reflected(intercept && { intercept });
    const { cluster, clock, told, reflector, names } = world;
    await clock.advance(wait);
    await reflector.synced;
    t.true(reflector.health().synced);
    await cluster.apply(aConfigMap('a'));
    await cluster.apply(aConfigMap('a', { x: '1' }));
    await cluster.apply(aConfigMap('b'));
    await world.remove('b');
    await clock.advance(0);
    t.deepEqual(told, ['added a', 'updated a', 'added b', 'deleted b']);
    t.deepEqual(names(), ['a']);
    t.is(world.store.version, String(cluster.revision));
    t.is(reflector.health().lists, 1);
    t.is(reflector.health().failures, 0);
    t.is(world.requests('limit=').length, intercept === undefined ? 0 : 1);
    world.stop.abort();
    await world.ended;
  });

test('a streaming list that is silent is replaced by pages that time, and after three in a row for good', async (t) => {
  let isSlow = true;
  let streamed = 0;
  const intercept: Interceptor = async (request, next) => {
    if (!request.url.includes('sendInitialEvents')) return next(request);
    streamed += 1;
    return isSlow ? new Promise<never>(() => {}) : next(request);
  };
  const world = await reflected({ intercept });
  const { cluster, clock, reflector, wires } = world;
  await clock.advance(10_000);
  await reflector.synced;
  const listAgain = async () => {
    wires.end(`${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })}\n`);
    await cluster.apply(aConfigMap('a', { at: String(clock.now()) }));
    await clock.advance(15_000);
    return [reflector.health().lists, streamed, world.requests('limit=').length];
  };
  isSlow = false;
  t.deepEqual(await listAgain(), [2, 2, 1]);
  isSlow = true;
  t.deepEqual(await listAgain(), [3, 3, 2]);
  t.deepEqual(await listAgain(), [4, 4, 3]);
  t.deepEqual(await listAgain(), [5, 5, 4]);
  t.deepEqual(await listAgain(), [6, 5, 5]);
  world.stop.abort();
  await world.ended;
});

test('tells what is there at the start as initial', async (t) => {
  let open = false;
  const intercept: Interceptor = async (request, next) => (open ? next(request) : answer(500, 'InternalError'));
  const world = await reflected({ intercept });
  open = true;
  await world.cluster.apply(aConfigMap('a'));
  await world.clock.advance(1000);
  t.deepEqual(world.told, ['added a (initial)']);
  await world.cluster.apply(aConfigMap('b'));
  await world.clock.advance(0);
  t.deepEqual(world.told, ['added a (initial)', 'added b']);
});

test('continues from where it was when a watch ends, without a list', async (t) => {
  const world = await reflected();
  await world.clock.advance(10_000);
  world.wires.end();
  await world.cluster.apply(aConfigMap('a'));
  await world.clock.advance(1000);
  t.deepEqual(world.told, ['added a']);
  t.is(world.reflector.health().lists, 1);
  t.is(world.reflector.health().failures, 0, 'the end of a long watch is not a failure');
});

test('bookmarks move the version it continues from', async (t) => {
  const world = await reflected({ selection: { namespace: 'default', labels: 'mine=yes' } });
  for (let i = 0; i < 5; i += 1) await world.cluster.apply(aConfigMap(`other-${i}`));
  await world.clock.advance(60_000);
  t.is(world.store.version, String(world.cluster.revision));
  world.cluster.compact();
  world.wires.end();
  await world.cluster.apply(aConfigMap('a', {}, { mine: 'yes' }));
  await world.clock.advance(1000);
  t.is(world.reflector.health().lists, 1, 'nothing had expired');
  t.deepEqual(world.told, ['added a']);
});

test('takes its own echo from the answer to the write, without parsing the event', async (t) => {
  const answers = new Map<string, ConfigMap>();
  const world = await reflected({ answerOf: (version) => answers.get(version) });
  const undo = world.cluster.intercept(async (request, next) => {
    const response = await next(request);
    if (request.method === 'POST')
      answers.set(
        String(JSON.parse(String(response.body)).metadata.resourceVersion),
        Object.freeze(JSON.parse(String(response.body))),
      );
    return response;
  });
  const written = await world.client.create(ConfigMap, aConfigMap('a', { resourceVersion: '1' }));
  await world.clock.advance(0);
  undo();
  await world.client.create(ConfigMap, aConfigMap('b'));
  await world.clock.advance(0);
  t.deepEqual(world.told, ['added a', 'added b']);
  t.is(
    world.store.get({ namespace: 'default', name: 'a' })?.metadata.resourceVersion,
    written.metadata.resourceVersion,
  );
});

test('asks only for what is selected', async (t) => {
  const world = await reflected({
    selection: { namespace: 'default', labels: 'a=b,c!=d', fields: 'metadata.name=x' },
    intercept: refusing,
  });
  const urls = world.requests('/namespaces/default/configmaps').map(({ url }) => decodeURIComponent(url));
  t.is(urls.length, 3, 'the refused one, the list and the watch');
  for (const url of urls) {
    t.true(url.includes('labelSelector=a=b,c!=d'), url);
    t.true(url.includes('fieldSelector=metadata.name=x'), url);
  }
  t.true(urls.at(-1)?.includes('allowWatchBookmarks=true'));
});

test('refuses a namespace for a kind that has none', (t) => {
  const options = {
    client: undefined as never,
    kind: Namespace,
    store: new Store<Namespace>(),
    selection: { namespace: 'n' },
  };
  t.throws(() => createReflector(options), {
    instanceOf: TypeError,
    message: 'namespaces are not namespaced: leave selection.namespace (n) out',
  });
});

test('ends when told to, whatever it is doing, and leaves no timer', async (t) => {
  for (const intercept of [undefined, refusing, async () => answer(500, 'InternalError')]) {
    const world = await reflected(intercept && { intercept });
    await world.clock.advance(5000);
    world.stop.abort(new Error('enough'));
    await world.clock.advance(0);
    await world.ended;
    if (!world.reflector.health().synced) await t.throwsAsync(world.reflector.synced, { message: 'enough' });
    t.is(world.clock.pending, 0);
  }
});
