import test from 'ava';
import { isAvailable, leaseDurationOf, shardStateOf } from '../../../../../sdk/operator/sharding/shard-state.ts';

const lease = (holderIdentity: string | undefined, leaseDurationSeconds?: number) => ({
  metadata: { name: 'a' },
  spec: {
    ...(holderIdentity !== undefined && { holderIdentity }),
    ...(leaseDurationSeconds && { leaseDurationSeconds }),
  },
});

test('a shard that does not renew its Lease is expired, then uncertain, and objects stay with it until the Lease is taken', (t) => {
  const states = [0, 9_999, 10_000, 19_999, 20_000, 1e9].map((age) => shardStateOf(lease('a', 10), age));
  t.deepEqual(states, [
    { state: 'ready', changesAfter: 10_000 },
    { state: 'ready', changesAfter: 1 },
    { state: 'expired', changesAfter: 10_000 },
    { state: 'expired', changesAfter: 1 },
    { state: 'uncertain' },
    { state: 'uncertain' },
  ]);
  t.true(states.every(({ state }) => isAvailable(state)));
});

test('a shard is dead when its Lease is released or another’s, and orphaned a minute after the Lease has run out', (t) => {
  for (const holder of [undefined, '', 'b', 'shardlease-controller']) {
    t.deepEqual(shardStateOf(lease(holder, 10), 0), { state: 'dead', changesAfter: 70_000 });
    t.deepEqual(shardStateOf(lease(holder, 10), 70_000), { state: 'orphaned' });
  }
  t.false(isAvailable('dead') || isAvailable('orphaned'));
});

test('a Lease without a duration counts for 15 s', (t) => {
  t.is(leaseDurationOf(undefined), 15_000);
  t.is(leaseDurationOf({ leaseDurationSeconds: 1 }), 1_000);
  for (const none of [0, -1, Number.NaN]) t.is(leaseDurationOf({ leaseDurationSeconds: none }), 15_000);
  t.deepEqual(shardStateOf({ metadata: { name: 'a' }, spec: { holderIdentity: 'a' } }, 0), {
    state: 'ready',
    changesAfter: 15_000,
  });
});

test('a Lease counts for an hour at most, whatever was written into it by hand', (t) => {
  t.is(leaseDurationOf({ leaseDurationSeconds: 2 ** 31 - 1 }), 3_600_000);
  t.deepEqual(shardStateOf(lease('a', 2 ** 31 - 1), 7_200_000), { state: 'uncertain' });
});
