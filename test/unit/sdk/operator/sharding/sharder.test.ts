import test from 'ava';
import { pino } from 'pino';
import xxhash from 'xxhash-wasm';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { createHashRing, hashKeyOf } from '../../../../../sdk/operator/sharding/assignment.ts';
import { shardLabelsOf } from '../../../../../sdk/operator/sharding/shard-labels.ts';
import { createSharder, type SharderOptions } from '../../../../../sdk/operator/sharding/sharder.ts';
import { denyingPatches } from '../../a-server.ts';
import { aRingOfLeases } from './shards.ts';

const hashing = xxhash();
const labels = shardLabelsOf('test');
const names = Array.from({ length: 20 }, (_, at) => `map-${at}`);
const ring = `controllerrings/test`;

/** A sharder of the ConfigMaps with the label `mine`. */
async function aSharder(options: Partial<SharderOptions<ConfigMap>> = {}) {
  const { h64 } = await hashing;
  let isManagingLeases = () => false;
  const world = await aRingOfLeases(() => isManagingLeases());
  const { client, clock, namespace, leases } = world;
  const begin = (more: Partial<SharderOptions<ConfigMap>> = {}) => {
    const sharder = createSharder<ConfigMap>({
      client,
      kind: ConfigMap,
      ring: 'test',
      selection: { namespace, labels: 'mine' },
      leases,
      hash: h64,
      clock,
      random: () => 0,
      ...options,
      ...more,
    });
    isManagingLeases = () => sharder.isAssigning();
    const stopping = new AbortController();
    const ended = sharder.run(stopping.signal);
    return async () => {
      stopping.abort();
      await Promise.race([ended, clock.advance(30_000)]);
    };
  };
  const make = (name: string, labelled: Readonly<Record<string, string>> = { mine: '' }) =>
    client.create(ConfigMap, { metadata: { ...world.key(name), labels: labelled } });
  const shardsOf = async () => {
    const { items } = await client.list(ConfigMap, { namespace });
    const of = items.filter(({ metadata }) => metadata.name.startsWith('map-'));
    return Object.fromEntries(of.map(({ metadata }) => [metadata.name, metadata.labels?.[labels.shard]]));
  };
  const drainedNames = async () =>
    (await client.list(ConfigMap, { namespace, labels: labels.drain })).items.map(({ metadata }) => metadata.name);
  const wanted = (...shards: readonly string[]) => {
    const hashRing = createHashRing(h64, shards);
    return Object.fromEntries(
      names.map((name) => [name, hashRing.shardOf(hashKeyOf(ConfigMap, { metadata: { ...world.key(name), name } }))]),
    );
  };
  return { ...world, begin, make, shardsOf, drainedNames, wanted };
}

test('what has no shard is assigned, also what comes later; without a shard nothing is', async (t) => {
  const { clock, hold, begin, make, shardsOf, wanted, end } = await aSharder();
  for (const name of names.slice(0, 10)) await make(name);
  await make('map-other', {});
  const stop = begin();
  await clock.advance(1_000);
  t.true(Object.values(await shardsOf()).every((shard) => shard === undefined));
  await hold('a');
  await hold('b');
  await clock.advance(1_000);
  for (const name of names.slice(10)) await make(name);
  await clock.advance(1_000);
  t.deepEqual(await shardsOf(), { ...wanted('a', 'b'), 'map-other': undefined });
  await stop();
  await end();
});

test('what is another’s by now is drained, and assigned only when its shard has let it go', async (t) => {
  const { client, clock, key, hold, begin, make, shardsOf, drainedNames, wanted, end } = await aSharder();
  await hold('a');
  for (const name of names) await make(name, { mine: '', [labels.shard]: 'a' });
  const stop = begin();
  await clock.advance(1_000);
  await hold('b');
  await clock.advance(1_000);
  const moving = names.filter((name) => wanted('a', 'b')[name] === 'b').sort();
  t.true(moving.length > 0 && moving.length < names.length);
  t.deepEqual(new Set(Object.values(await shardsOf())), new Set(['a']));
  t.deepEqual((await drainedNames()).sort(), moving);
  for (const name of moving) {
    const value = { metadata: { labels: { [labels.shard]: null, [labels.drain]: null } } };
    await client.patch(ConfigMap, key(name), { type: 'merge', value });
  }
  await clock.advance(1_000);
  t.deepEqual(await shardsOf(), wanted('a', 'b'));
  t.deepEqual(await drainedNames(), []);
  await stop();
  await end();
});

test('a webhook that denies the drain label with 422 is said, and the drain tried again', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const world = await aSharder();
  const { client, clock, hold, make, wanted, end } = world;
  await hold('a');
  for (const name of names) await make(name, { mine: '', [labels.shard]: 'a' });
  const stop = world.begin({ client: denyingPatches(client), logger });
  await clock.advance(1_000);
  await hold('b');
  await clock.advance(60_000);
  t.true(Object.values(wanted('a', 'b')).includes('b'));
  const denials = lines.filter((line) => line.includes('no-changes.example.com'));
  t.true(denials.length > 1);
  await stop();
  await end();
});

test('what a dead shard has left is given to others, what was being drained as well', async (t) => {
  const { clock, hold, renew, begin, make, shardsOf, drainedNames, wanted, end } = await aSharder();
  await hold('a');
  await hold('b');
  for (const name of names) await make(name, { mine: '', [labels.shard]: 'b', [labels.drain]: 'true' });
  const stop = begin();
  await clock.advance(1_000);
  t.deepEqual(new Set(Object.values(await shardsOf())), new Set(['b']));
  await renew('b', '');
  await clock.advance(1_000);
  t.deepEqual(await shardsOf(), wanted('a'));
  t.deepEqual(await drainedNames(), []);
  await stop();
  await end();
});

test('it watches those without a shard only, and lists all for their metadata when shards change, not more', async (t) => {
  const { cluster, clock, hold, begin, make, end } = await aSharder();
  await hold('a');
  for (const name of names) await make(name, { mine: '', [labels.shard]: 'a' });
  const seen: string[] = [];
  cluster.intercept((request, next) => {
    if (request.method === 'GET' && request.url.includes('/configmaps'))
      seen.push(`${decodeURIComponent(request.url)} ${request.headers.accept}`);
    return next(request);
  });
  const stop = begin();
  await clock.advance(200_000);
  t.true(seen.length >= 2);
  for (const one of seen)
    t.true(
      one.includes(`mine,${labels.shard} notin (a)`) ||
        (one.includes(`mine,${labels.shard} in (a)`) && one.includes('as=PartialObjectMetadataList')),
      one,
    );
  t.is(seen.filter((one) => one.includes(' in (a)')).length, 1);
  await stop();
  await end();
});

test('where kubernetes-controller-sharding has the ring it assigns nothing, until that is gone', async (t) => {
  let isThere = true;
  const { cluster, clock, hold, renew, holderOf, begin, make, shardsOf, wanted, end } = await aSharder();
  cluster.intercept(async (request, next) => {
    if (!isThere || !request.url.endsWith(ring)) return next(request);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"kind":"ControllerRing"}'),
    };
  });
  await hold('a');
  for (const name of names) await make(name);
  const stop = begin();
  await clock.advance(60_000);
  t.true(Object.values(await shardsOf()).every((shard) => shard === undefined));
  t.is(await holderOf('a'), 'a', 'nor does it take a Lease away');
  isThere = false;
  await clock.advance(230_000);
  await renew('a');
  await clock.advance(11_000);
  t.deepEqual(await shardsOf(), wanted('a'));
  await stop();
  await end();
});

test('what a predicate leaves out is left as it is', async (t) => {
  const { clock, hold, begin, make, shardsOf, end } = await aSharder({
    isSharded: ({ metadata }) => metadata.name !== 'map-1',
  });
  await hold('a');
  await make('map-1');
  await make('map-2');
  const stop = begin();
  await clock.advance(1_000);
  t.deepEqual(await shardsOf(), { 'map-1': undefined, 'map-2': 'a' });
  await stop();
  await end();
});
