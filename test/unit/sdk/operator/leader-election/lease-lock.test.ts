import test from 'ava';
import { Lease } from '../../../../../sdk/api/kinds.ts';
import { LeaseLock } from '../../../../../sdk/operator/leader-election/lease-lock.ts';
import { theServer } from '../controlled.ts';

/** A lock on a lease that another client has written. */
async function aLock(spec: NonNullable<Lease['spec']>) {
  const { client, clock, key } = await theServer();
  const lease = key('operator');
  await client.create(Lease, { metadata: lease, spec });
  const lock = new LeaseLock({ client, lease, identity: 'me', leaseDuration: 15_000, clock });
  return { lock, clock, take: () => lock.acquireOrRenew({}), read: async () => (await client.get(Lease, lease)).spec };
}

test('a lease that was edited to last for decades is respected for an hour', async (t) => {
  const { lock, clock, take } = await aLock({ holderIdentity: 'gone', leaseDurationSeconds: 2 ** 31 - 1 });
  t.false(await take());
  t.is(lock.holder, 'gone');
  t.is(lock.expiresIn(), 3_600_000);
  await clock.advance(3_599_999);
  t.false(await take());
  await clock.advance(1);
  t.true(await take());
});

test('the count of transitions begins anew when it is full', async (t) => {
  const { take, read } = await aLock({ holderIdentity: '', leaseTransitions: 2 ** 31 - 1 });
  t.true(await take());
  t.like(await read(), { holderIdentity: 'me', leaseTransitions: 0 });
});

test('of a holder with a name without an end, a part is shown', async (t) => {
  const { lock, take } = await aLock({ holderIdentity: 'x'.repeat(100_000), leaseDurationSeconds: 15 });
  t.false(await take());
  t.is(lock.holder, 'x'.repeat(253));
});
