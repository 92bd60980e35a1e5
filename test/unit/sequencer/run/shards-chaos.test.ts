import test from 'ava';
import { Workspace } from '../../../../sdk/index.ts';
import { aRing, overlaps } from '../replicas.ts';

/** Ends of replicas, in their order; the next in place has the same name only where nothing of the former one is left. */
const fates = ['kill', 'restart', 'cut', 'stop', 'kill', 'cut', 'restart'] as const;
const places = ['a', 'b', 'c'] as const;
const acts = 14;

test('three shards survive chaos: whatever becomes of which of them, each workspace is walked by one at a time', async (t) => {
  const { clock, client, walks, boxes, replica, create, assigned } = await aRing(t);
  const running = new Map(places.map((place) => [place as string, { shard: place as string, ...replica(place) }]));
  for (let at = 0; at < 6; at += 1) await create(`shop-${at}`);
  await clock.advance(15_000);

  for (let act = 0; act < acts; act += 1) {
    const place = places[(act * 2 + Math.floor(act / 3)) % places.length]!;
    const fate = fates[act % fates.length]!;
    const { shard, ...victim } = running.get(place)!;
    const isRestart = fate === 'restart';
    if (fate === 'stop') await victim.stop();
    else victim[fate === 'cut' ? 'cut' : 'kill']();
    await create(`shop-${6 + act}`);
    if (act % 2 === 1) await client.delete(Workspace, { namespace: 'default', name: `shop-${act}` });
    await clock.advance(1_000 + 700 * act);
    const next = isRestart ? shard : `${place}${act}`;
    running.set(place, { shard: next, ...replica(next, `${next}.${act}`) });
    await clock.advance(11_000);
  }
  await clock.advance(120_000);

  t.deepEqual(overlaps(walks), []);
  const { items } = await client.list(Workspace);
  const live = items.map(({ metadata }) => metadata.name);
  t.is(live.length, 6 + acts - acts / 2);
  t.deepEqual(
    [...boxes.values()],
    Array(live.length).fill(1),
    'each has its box, made once, and what was deleted has none',
  );
  const shards = [...running.values()].map(({ shard }) => shard);
  t.deepEqual([...new Set(Object.values(await assigned()))].sort(), shards.toSorted());

  const since = clock.monotonic() - 20_000;
  const recent = Map.groupBy(
    walks.filter(({ from }) => from > since),
    ({ name }) => name,
  );
  t.deepEqual([...recent.keys()].sort(), live.toSorted(), 'all of them are walked on');
  t.true(
    new Set(walks.map(({ replica: walker }) => walker)).size > acts / 2,
    'most of those that were started have walked',
  );
});
