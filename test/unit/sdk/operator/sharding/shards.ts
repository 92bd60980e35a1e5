/** Leases of shards in a world of virtual time. */

import { Lease } from '../../../../../sdk/api/kinds.ts';
import { ringLabel } from '../../../../../sdk/operator/sharding/shard-labels.ts';
import { createShardLeases, type ShardLeases } from '../../../../../sdk/operator/sharding/shard-leases.ts';
import { theServer } from '../controlled.ts';

/** A world with the Leases of the ring `test`, and one that follows them. */
export async function aRingOfLeases(isManagingLeases: () => boolean = () => true) {
  const server = await theServer();
  const { client, clock, namespace, key } = server;
  const leases: ShardLeases = createShardLeases({
    client,
    ring: 'test',
    namespace,
    isManagingLeases,
    clock,
    random: () => 0,
  });
  const stopping = new AbortController();
  const ended = leases.run(stopping.signal);
  await clock.advance(100);
  const now = () => new Date(clock.now()).toISOString().replace('Z', '000Z');
  /** Makes the Lease of a shard, held by it for 10 s. */
  const hold = (name: string, holderIdentity = name) =>
    client.create(Lease, {
      metadata: { ...key(name), labels: { [ringLabel]: 'test' } },
      spec: { holderIdentity, leaseDurationSeconds: 10, acquireTime: now(), renewTime: now() },
    });
  const renew = (name: string, holderIdentity = name) =>
    client.patch(Lease, key(name), { type: 'merge', value: { spec: { renewTime: now(), holderIdentity } } });
  const holderOf = async (name: string) =>
    (await client.list(Lease, { namespace })).items.find(({ metadata }) => metadata.name === name)?.spec
      ?.holderIdentity;
  const end = async () => {
    stopping.abort();
    await Promise.race([ended, clock.advance(30_000)]);
  };
  return { ...server, leases, hold, renew, holderOf, end };
}
