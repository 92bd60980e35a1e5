import test from 'ava';
import { createProviderHost } from '../../../../../sdk/provider/host/host.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';

const options = async () => {
  const { client, clock } = await aTargetCluster();
  return { client, clock, holder: 'one', events: { event: () => {} } };
};

test('times have defaults that fit together', async (t) => {
  t.deepEqual(createProviderHost(await options()).times, {
    call: 60_000,
    lease: 30_000,
    margin: 6_000,
    maxRequest: 15_000,
    attempt: 600_000,
    skew: 3_600_000,
  });
  t.deepEqual(createProviderHost({ ...(await options()), times: { lease: 1_000 } }).times, {
    call: 2_000,
    lease: 1_000,
    margin: 200,
    maxRequest: 15_000,
    attempt: 20_000,
    skew: 3_600_000,
  });
});

test('a margin that leaves nothing of the lease is refused', async (t) => {
  const base = await options();
  t.throws(() => createProviderHost({ ...base, times: { lease: 1_000, margin: 1_000 } }), {
    instanceOf: RangeError,
    message: /margin \(1000 ms\) must lie between 0 and lease \(1000 ms\)/,
  });
  t.throws(() => createProviderHost({ ...base, times: { lease: 0 } }), { instanceOf: RangeError });
});
