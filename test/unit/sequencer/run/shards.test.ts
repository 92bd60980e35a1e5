import test from 'ava';
import { LeadershipLostError, Lease, Workspace } from '../../../../sdk/index.ts';
import { shardOf } from '../../../../sequencer/run/shards.ts';
import { aRing, overlaps } from '../replicas.ts';

const names = Array.from({ length: 9 }, (_, at) => `shop-${at}`);
const countsOf = (assigned: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    [...Map.groupBy(Object.values(assigned), (shard) => shard ?? 'nobody')].map(([shard, all]) => [shard, all.length]),
  );

test('three replicas share the workspaces; what joins takes over what was drained, and no workspace is walked by two', async (t) => {
  const ring = await aRing(t);
  for (const name of names) await ring.create(name);
  ring.replica('a');
  await ring.clock.advance(10_000);
  t.deepEqual(countsOf(await ring.assigned()), { a: 9 });
  ring.replica('b');
  await ring.clock.advance(10_000);
  const two = await ring.assigned();
  ring.replica('c');
  await ring.clock.advance(10_000);
  const three = await ring.assigned();
  t.deepEqual(Object.keys(countsOf(three)).sort(), ['a', 'b', 'c']);
  t.true(
    names.every((name) => three[name] === two[name] || three[name] === 'c'),
    'only the one that joins gets any',
  );
  t.deepEqual(overlaps(ring.walks), []);
  t.deepEqual(
    [...ring.boxes.values()],
    names.map(() => 1),
  );
  const since = ring.clock.monotonic();
  await ring.clock.advance(5_000);
  for (const name of names) {
    const walkers = new Set(
      ring.walks.filter((walk) => walk.name === name && walk.from > since).map(({ replica }) => replica),
    );
    t.deepEqual([...walkers], [three[name]!], name);
  }
});

/** A ring of three in which each walks its share. */
async function threeReplicas(t: Parameters<typeof aRing>[0]) {
  const ring = await aRing(t);
  const [a, b, c] = ['a', 'b', 'c'].map((shard) => ring.replica(shard));
  await ring.clock.advance(5_000);
  for (const name of names) await ring.create(name);
  await ring.clock.advance(10_000);
  const before = await ring.assigned();
  t.deepEqual(Object.keys(countsOf(before)).sort(), ['a', 'b', 'c']);
  /** Workspaces of a shard, and the time from which on each of them is walked by another. */
  const leftTo = (shard: string, since: number) => {
    const its = names.filter((name) => before[name] === shard);
    const first = its.map((name) =>
      ring.walks.find((walk) => walk.name === name && walk.replica !== shard && walk.from >= since),
    );
    return first.map((walk) => (walk?.from ?? Number.POSITIVE_INFINITY) - since);
  };
  return { ...ring, a: a!, b: b!, c: c!, before, leftTo };
}

test('what a replica that is told to stop has walked is walked by others at once, when its walks have ended', async (t) => {
  const { clock, c, walks, boxes, assigned, leftTo, leases } = await threeReplicas(t);
  const since = clock.monotonic();
  await c.stop();
  t.deepEqual(await c.ended, []);
  await clock.advance(5_000);
  t.deepEqual(Object.keys(countsOf(await assigned())).sort(), ['a', 'b']);
  t.true(leftTo('c', since).every((ms) => ms < 2_000));
  t.deepEqual(overlaps(walks), []);
  t.is(Math.max(...boxes.values()), 1);
  t.is((await leases()).c?.holderIdentity, '');
  await clock.advance(70_000);
  t.is((await leases()).c, undefined, 'its Lease is deleted');
});

for (const [what, end, shard] of [
  ['that assigns is killed', 'kill', 'a'],
  ['is cut off, though it reaches the third party', 'cut', 'c'],
] as const)
  test(`when a replica ${what}, its workspaces are walked by others once its Lease was removed`, async (t) => {
    const ring = await threeReplicas(t);
    const { clock, walks, boxes, assigned, leftTo, leases } = ring;
    const since = clock.monotonic();
    ring[shard][end]();
    await clock.advance(27_000);
    t.deepEqual(await assigned(), ring.before, 'it may still walk');
    await clock.advance(23_000);
    t.is((await leases())[shard]?.holderIdentity, 'shardlease-controller');
    t.false(Object.values(await assigned()).includes(shard));
    t.true(
      leftTo(shard, since).every((ms) => ms < 45_000),
      `${leftTo(shard, since)}`,
    );
    if (end === 'cut') t.true((await ring[shard].ended).some((error) => error instanceof LeadershipLostError));
    t.deepEqual(overlaps(walks), []);
    t.is(Math.max(...boxes.values()), 1);
  });

test('labels that a tenant writes are set right, and cost only that workspace time', async (t) => {
  const { clock, client, labels, assigned, before, walks, boxes, party } = await threeReplicas(t);
  const others = ['a', 'b', 'c'].find((shard) => shard !== before['shop-0'])!;
  const label = (name: string, given: Readonly<Record<string, string | null>>) =>
    client.patch(Workspace, { namespace: 'default', name }, { type: 'merge', value: { metadata: { labels: given } } });
  await label('shop-0', { [labels.shard]: others });
  await label('shop-1', { [labels.shard]: 'no-such-shard' });
  await label('shop-2', { [labels.shard]: 'Not_A_Name' });
  await label('shop-3', { [labels.shard]: null });
  await label('shop-4', { [labels.drain]: 'please' });
  await label('shop-5', { [labels.shard]: 'sequencer' });
  await label('shop-6', { [labels.shard]: '', [labels.drain]: '' });
  await clock.advance(5_000);
  const soon = await assigned();
  for (const name of names.slice(1)) t.is(soon[name], before[name], name);
  party.pace = 60_000;
  await clock.advance(300_000);
  t.deepEqual(await assigned(), before, 'the shard of another is found by the next check of all');
  t.deepEqual(
    overlaps(walks).filter(([{ name }]) => name !== 'shop-0'),
    [],
  );
  t.is(Math.max(...boxes.values()), 1);
  const { items } = await client.list(Workspace, { labels: labels.drain });
  t.deepEqual(items, []);
});

test('a shard whose Lease was deleted keeps its workspaces, and makes it again', async (t) => {
  const { clock, client, assigned, before, leases, walks, c } = await threeReplicas(t);
  await client.delete(Lease, { namespace: 'default', name: 'c' });
  await clock.advance(10_000);
  t.is((await leases()).c?.holderIdentity, 'c');
  t.deepEqual(await assigned(), before);
  t.deepEqual(overlaps(walks), []);
  await c.stop();
});

test('names that are none, and times in which one that is cut off could still walk what has moved, are refused', async (t) => {
  const { client, clock } = await aRing(t);
  const main = { name: 'sequencer', run: async () => {} };
  const options = { client, clock, ring: 'test', shard: 'a', operatorNamespace: 'default', main, times: {} };
  for (const shard of ['sequencer', 'a,b', 'A', ''])
    t.throws(() => shardOf({ ...options, shard, drain: 1 }), {
      message: /^shards: shard needs a valid pod name other than sequencer; found /,
    });
  t.notThrows(() => shardOf({ ...options, drain: 20_000 }));
  t.throws(() => shardOf({ ...options, drain: 20_001 }), {
    instanceOf: TypeError,
    message: 'shards: renewDeadline (10000) and drain (20001) together must be at most two lease durations (30000)',
  });
});
