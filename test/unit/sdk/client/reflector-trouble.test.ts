import test from 'ava';
import type { ConfigMap } from '../../../../sdk/api/kinds.ts';
import type { ReflectorOptions } from '../../../../sdk/client/cache/reflector.ts';
import type { Interceptor } from '../../../cluster/index.ts';
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
/** A server without streaming lists that refuses unknown parameters. */
const refusing: Interceptor = async (request, next) =>
  request.url.includes('sendInitialEvents') ? answer(422, 'Invalid') : next(request);

test('continues when a connection breaks in the middle of an event', async (t) => {
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

type ReflectorLogger = NonNullable<ReflectorOptions<ConfigMap>['logger']>;

/** A logger that notes level, text and `since` of each line above debug. */
function noting() {
  const lines: (readonly [string, string, string | undefined])[] = [];
  const logged = (level: string) => (about: { readonly since?: string }, text: string) =>
    void (level === 'debug' || lines.push([level, text, about.since]));
  const logger = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, logged(level)]));
  return { lines, logger: logger as unknown as ReflectorLogger };
}

test('a server that answers 503 for a minute is reported while it does, and by one line when it is back', async (t) => {
  const { lines, logger } = noting();
  const world = await reflected({ logger });
  await world.clock.advance(600_000);
  t.deepEqual(lines, []);
  for (let outage = 0; outage < 2; outage += 1) {
    const undo = world.cluster.intercept(async () => answer(503, 'ServiceUnavailable'));
    world.wires.end();
    await world.clock.advance(60_000);
    t.true(lines.length > 0 && lines.length < 10, `${lines.length} lines in a minute`);
    t.true(lines.every(([level]) => level === 'warn'));
    undo();
    lines.length = 0;
    await world.clock.advance(180_000);
    const ended = lines.map(([level, text]) => `${level} ${text}`);
    t.deepEqual(ended, ['info the API server responds again']);
    const ago = world.clock.now() - Date.parse(lines[0]?.[2] ?? '');
    t.true(ago >= 180_000 && ago <= 300_000, `since ${ago} ms ago`);
    lines.length = 0;
  }
});

test('a server that hangs for six minutes is one warning with its begin, and one line when it is back', async (t) => {
  const { lines, logger } = noting();
  const world = await reflected({ logger });
  await world.clock.advance(600_000);
  t.deepEqual(lines, [], 'a server that is well is not reported');
  const since = new Date(world.clock.now() - (world.reflector.health().silence ?? 0)).toISOString();
  let hangs = true;
  const release = Promise.withResolvers<void>();
  world.cluster.intercept((request, next) => (hangs ? release.promise.then(() => next(request)) : next(request)));
  world.wires.mute();
  await world.clock.advance(360_000);
  hangs = false;
  release.resolve();
  await world.clock.advance(120_000);
  t.deepEqual(lines, [
    ['warn', 'no response from the API server, retrying', since],
    ['info', 'the API server responds again', since],
  ]);
});
