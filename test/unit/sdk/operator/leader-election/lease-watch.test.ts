import test from 'ava';
import { Lease } from '../../../../../sdk/api/kinds.ts';
import { followLease } from '../../../../../sdk/operator/leader-election/lease-watch.ts';
import { theServer } from '../controlled.ts';

test('tells each state of one Lease, and its deletion, until the signal aborts', async (t) => {
  const { client, clock, key } = await theServer();
  const stop = new AbortController();
  const told: (string | undefined)[] = [];
  const lease = key('one');
  const following = followLease({
    client,
    lease,
    clock,
    retryInterval: 1000,
    signal: stop.signal,
    onChange: (now) => void told.push(now?.spec?.holderIdentity ?? undefined),
  });
  await clock.advance(0);
  await client.create(Lease, { metadata: { ...key('other') }, spec: { holderIdentity: 'x' } });
  const made = await client.create(Lease, { metadata: { ...lease }, spec: { holderIdentity: 'a' } });
  await client.update(Lease, { ...made, spec: { holderIdentity: 'b' } });
  await client.delete(Lease, lease);
  await clock.advance(0);
  t.deepEqual(told, ['a', 'b', undefined]);
  stop.abort();
  await following;
});
