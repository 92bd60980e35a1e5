import test from 'ava';
import { Lease } from '../../../../../sdk/api/kinds.ts';
import { createShardLeases } from '../../../../../sdk/operator/sharding/shard-leases.ts';
import { aRingOfLeases } from './shards.ts';

const never = new AbortController().signal;

test('a shard is available until its Lease was removed, which is deleted a minute after it has run out', async (t) => {
  const { clock, leases, hold, renew, holderOf, end } = await aRingOfLeases();
  const changed = leases.changed();
  await hold('a');
  await hold('b', 'somebody');
  await clock.advance(100);
  t.deepEqual(leases.available(), ['a']);
  t.true(changed.aborted);
  await clock.advance(15_000);
  await renew('a');
  await clock.advance(19_000);
  t.deepEqual([leases.available(), await holderOf('a')], [['a'], 'a']);
  const next = leases.changed();
  await clock.advance(1_500);
  t.deepEqual([leases.available(), await holderOf('a')], [[], 'shardlease-controller']);
  t.true(next.aborted);
  t.true(await leases.isGone('a', never));
  await clock.advance(79_000);
  t.is(await holderOf('a'), 'shardlease-controller', 'it was taken for 20 s');
  await clock.advance(2_000);
  t.is(await holderOf('a'), undefined);
  t.is(await holderOf('b'), undefined);
  await end();
});

test('one that does not tend takes no Lease, and counts none as dead', async (t) => {
  const { clock, leases, hold, holderOf, end } = await aRingOfLeases(() => false);
  await hold('a');
  await clock.advance(200_000);
  t.deepEqual([leases.available(), await holderOf('a')], [['a'], 'a']);
  await end();
});

test('one that begins to tend looks at what has run out before', async (t) => {
  let isManagingLeases = false;
  const { clock, leases, hold, holderOf, end } = await aRingOfLeases(() => isManagingLeases);
  await hold('a');
  await clock.advance(50_000);
  isManagingLeases = true;
  await leases.refresh(never);
  await clock.advance(100);
  t.deepEqual([leases.available(), await holderOf('a')], [[], 'shardlease-controller']);
  await end();
});

test('a released Lease is that of a dead shard at once; a deleted one only when it has run out, and is made again as taken', async (t) => {
  const { client, clock, key, leases, hold, renew, holderOf, end } = await aRingOfLeases();
  await hold('a');
  await hold('b');
  await clock.advance(100);
  await renew('a', '');
  await client.delete(Lease, key('b'));
  await clock.advance(100);
  t.deepEqual(leases.available(), ['b']);
  await clock.advance(19_000);
  t.deepEqual([leases.available(), await holderOf('b')], [['b'], undefined]);
  await clock.advance(2_000);
  t.deepEqual([leases.available(), await holderOf('b')], [[], 'shardlease-controller']);
  await end();
});

test('of a shard that was never seen the server is asked; what is not a Lease of the ring is gone', async (t) => {
  const { client, clock, key, namespace, hold, end } = await aRingOfLeases();
  const blind = createShardLeases({ client, ring: 'test', namespace, isManagingLeases: () => false, clock });
  await client.create(Lease, { metadata: key('other'), spec: { holderIdentity: 'other' } });
  await hold('there');
  t.true(await blind.isGone('other', never));
  t.true(await blind.isGone('nowhere', never));
  t.true(await blind.isGone('No_Name/at-all', never));
  t.deepEqual(blind.available(), []);
  t.false(await blind.isGone('there', never));
  t.deepEqual(blind.available(), ['there']);
  await end();
});

test('a Lease that was edited by hand, for 68 years and to the last transition, is taken an hour after it was left', async (t) => {
  const { client, clock, key, leases, hold, holderOf, end } = await aRingOfLeases();
  await hold('a');
  const spec = { leaseDurationSeconds: 2 ** 31 - 1, leaseTransitions: 2 ** 31 - 1 };
  await client.patch(Lease, key('a'), { type: 'merge', value: { spec } });
  await clock.advance(7_100_000);
  t.deepEqual(leases.available(), ['a']);
  await clock.advance(200_000);
  t.deepEqual([leases.available(), await holderOf('a')], [[], 'shardlease-controller']);
  await end();
});
