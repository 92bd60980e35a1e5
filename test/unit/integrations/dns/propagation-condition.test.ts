import test from 'ava';
import { propagationConditionOf } from '../../../../integrations/dns/propagation-condition.ts';

const asked = { owner: 'uid', reason: 'published shop', signal: new AbortController().signal };

test('what was taken is published, unless name servers do not have it yet', async (t) => {
  t.deepEqual(await propagationConditionOf({}, asked), {
    status: 'Completed',
    reason: 'published shop',
    wait: undefined,
  });
  const state = async (wait: number | undefined) =>
    propagationConditionOf({ settling: async (owner) => ({ reason: `${owner} settles`, wait }) }, asked);
  t.deepEqual(await state(5), { status: 'Waiting', reason: 'published shop; uid settles', wait: 5 });
  t.deepEqual(await state(undefined), {
    status: 'Completed',
    reason: 'published shop; uid settles',
    wait: undefined,
  });
});
