import test from 'ava';
import { conditionOf, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { boxes, key, restored, times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';

/** A workspace with a condition that comes after another one, both brought up; and another process with the same config. */
async function aChain() {
  const target = await aTargetCluster();
  const [first, second] = [aThirdParty(), aThirdParty()];
  const keeper = boxKeeper(first.resource('tag'));
  const later = { ...boxKeeper(second.resource('tag')), name: 'crates', condition: 'Crates', after: ['Boxes'] };
  await target.create(boxes({ a: 1 }));
  await target.actor([keeper, later], { times }).walk();
  const phase = async () => (await target.read()).status?.phase;
  return { target, first, second, phase, next: target.actor([keeper, later], { holder: 'two', times }) };
}

test('conditions that come one after the other wait for a lost journal side by side', async (t) => {
  const { target, first, second, phase, next } = await aChain();
  t.is(await phase(), 'Healthy');
  await restored(target);
  await next.walk();
  t.regex(conditionOf(await target.read(), 'Boxes').reason, /^waits until .*the journal entry is missing/);
  await target.clock.advance(2 * times.lease + times.maxRequest - 1);
  await next.walk();
  t.is(await phase(), 'Deploying', 'not before the time is over');
  await target.clock.advance(1);
  await next.walk();
  t.is(await phase(), 'Healthy');
  const creations = [...first.calls, ...second.calls].filter((call) => call.startsWith('create'));
  t.is(creations.length, 2, 'nothing is made twice');
});

test('a journal that changes while its condition waits for its turn is waited for anew', async (t) => {
  const { target, phase, next } = await aChain();
  await restored(target);
  await next.walk();
  await target.clock.advance(times.lease);
  const entry = { phase: 'intent', op: 'create', key: 'k', token: 9e15, holder: 'other/1', leaseSeconds: 10 };
  await target.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { guards: { Crates: entry } } } },
    { subresource: 'status' },
  );
  await next.walk();
  await target.clock.advance(2 * times.lease + times.maxRequest - 1);
  await next.walk();
  t.is(await phase(), 'Deploying');
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
  t.regex(conditionOf(await target.read(), 'Crates').reason, /requests of a dead holder: other\/1/);
});
