import test from 'ava';
import { ConfigMap, Namespace } from '../../../sdk/api/kinds.ts';
import { createReflector } from '../../../sdk/client/reflector.ts';
import { Store } from '../../../sdk/client/store.ts';
import type { Interceptor } from '../../cluster/index.ts';
import { aConfigMap, reflected } from './reflected.ts';

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
const watching = (url: string) => url.includes('watch=true');
/** A server from before streaming lists that refuses what it does not know. */
const refusing: Interceptor = async (request, next) =>
  request.url.includes('sendInitialEvents') ? answer(422, 'Invalid') : next(request);
/** A server from before streaming lists that overlooks what it does not know. */
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

test('goes on from where it was when a watch ends, without a list', async (t) => {
  const world = await reflected();
  await world.clock.advance(10_000);
  world.wires.end();
  await world.cluster.apply(aConfigMap('a'));
  await world.clock.advance(1000);
  t.deepEqual(world.told, ['added a']);
  t.is(world.reflector.health().lists, 1);
  t.is(world.reflector.health().failures, 0, 'the end of a long watch is no failure');
});

test('goes on when a connection breaks in the middle of an event', async (t) => {
  const world = await reflected();
  await world.clock.advance(10_000);
  world.wires.end('{"type":"ADDED","object":{"apiVersion":"v1"');
  await world.cluster.apply(aConfigMap('a'));
  await world.clock.advance(1000);
  t.deepEqual(world.told, ['added a']);
  t.is(world.reflector.health().failures, 1);
  t.regex(world.reflector.health().lastError ?? '', /mid-line/);
});

test('lists anew when its version has expired, and tells what was deleted meanwhile', async (t) => {
  const world = await reflected();
  for (const name of ['a', 'b', 'c']) await world.cluster.apply(aConfigMap(name));
  await world.clock.advance(10_000);
  world.told.length = 0;
  let refused = 0;
  const undo = world.cluster.intercept(async () => {
    refused += 1;
    return answer(500, 'InternalError');
  });
  world.wires.end();
  await world.clock.advance(100);
  undo();
  t.true(refused > 0);
  await world.remove('a');
  await world.cluster.apply(aConfigMap('b', { x: '1' }));
  world.cluster.compact();
  await world.clock.advance(5000);
  t.deepEqual(world.told, ['deleted a', 'updated b']);
  t.is(world.reflector.health().lists, 2);
  t.deepEqual(world.names(), ['b', 'c']);
});

test('notices a connection that has fallen silent and catches up', async (t) => {
  const world = await reflected();
  await world.clock.advance(30_000);
  world.wires.mute();
  await world.cluster.apply(aConfigMap('a'));
  await world.clock.advance(60_000);
  t.deepEqual(world.told, [], 'nothing can be known yet');
  t.true((world.reflector.health().silence ?? 0) >= 60_000, 'but how long it has heard nothing can');
  await world.clock.advance(40_000);
  t.deepEqual(world.told, ['added a']);
  t.true((world.reflector.health().silence ?? Infinity) < 60_000);
});

test('bookmarks move the version it goes on from', async (t) => {
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

test('spaces its tries out when watches end at once, and recovers', async (t) => {
  const closing: Interceptor = async (request, next) =>
    watching(request.url) ? { ...(await next(request)), stream: undefined, body: '' } : next(request);
  const world = await reflected();
  const undo = world.cluster.intercept(closing);
  world.wires.end();
  await world.clock.advance(2000);
  t.true(world.requests('watch=true').length < 6, `${world.requests('watch=true').length} requests in 2 s`);
  await world.clock.advance(600_000);
  t.true(world.requests('watch=true').length < 60, `${world.requests('watch=true').length} requests in 10 min`);
  t.true(world.reflector.health().failures > 5);
  undo();
  await world.cluster.apply(aConfigMap('a'));
  await world.clock.advance(100_000);
  t.deepEqual(world.told, ['added a']);
  t.is(world.reflector.health().failures, 0);
});

test('says what fails for as long as nothing works', async (t) => {
  const world = await reflected({ intercept: async () => answer(403, 'Forbidden') });
  await world.clock.advance(120_000);
  const { synced, silence, failures, lastError } = world.reflector.health();
  t.like({ synced, silence }, { synced: false, silence: undefined });
  t.true(failures >= 6 && failures <= 12, `${failures} tries in 2 min`);
  t.regex(lastError ?? '', /the test says Forbidden/);
});

test('waits as long as the server asks for', async (t) => {
  let asked = 0;
  const intercept: Interceptor = async () => {
    asked += 1;
    return { ...answer(410, 'Gone'), headers: { 'content-type': 'application/json', 'retry-after': '20' } };
  };
  const world = await reflected({ intercept, streaming: false });
  const before = asked;
  await world.clock.advance(19_000);
  t.is(asked, before);
  await world.clock.advance(2000);
  t.true(asked > before);
});

test('does not go back to a list older than what it knows, unless the server insists', async (t) => {
  const world = await reflected({ intercept: refusing });
  await world.cluster.apply(aConfigMap('a'));
  await world.cluster.apply(aConfigMap('b'));
  await world.clock.advance(0);
  const old = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '3' }, items: [] };
  world.cluster.intercept(async (request, next) => {
    if (request.method !== 'GET') return next(request);
    return watching(request.url)
      ? answer(410, 'Expired')
      : { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(old) };
  });
  world.wires.end();
  await world.clock.advance(3000);
  t.deepEqual(world.names(), ['a', 'b']);
  t.regex(world.reflector.health().lastError ?? '', /older than what is known/);
  await world.clock.advance(60_000);
  t.deepEqual(world.names(), [], 'five times in a row: the server was set back');
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
