import test from 'ava';
import { conditionOf, defineIntegration, policyAnnotation, Workspace } from '../../../../sdk/index.ts';
import { dropCondition } from '../../../../sequencer/engine/workspace-patches.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';
import { aKeeper, boxes } from '../../sdk/provider/a-keeper.ts';

const key = { namespace: 'default', name: 'shop' };

const idle = defineIntegration({
  name: 'dns',
  condition: 'DNS',
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});
const statusOf = (target: TargetCluster, value: object) =>
  target.client.patch(Workspace, key, { type: 'merge', value: { status: value } }, { subresource: 'status' });

test('forgetting drops the condition and keeps the journal', async (t) => {
  const target = await aTargetCluster();
  const { host } = target.actor([]);
  await target.create();
  const workspace = await statusOf(target, {
    guards: { DNS: { phase: 'gone', op: 'delete', key: 'k-4', token: 1, holder: 'x/y' } },
    conditions: [{ type: 'DNS', status: 'Terminated', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  });
  const after = await dropCondition(host, workspace, idle);
  t.deepEqual(after.status?.conditions, []);
  t.is(after.status?.guards?.DNS?.key, 'k-4');
});

test('what keeps objects waits for a dead holder too, and says until when', async (t) => {
  const { stage: target, party, actor, heir } = await aKeeper('opaque');
  const [former, next] = [actor, heir()];
  await target.create(boxes({ a: 1 }));
  await former.walk();
  party.faults.push({ call: 'delete', carriedOut: false, error: new Error('reset') });
  await target.delete();
  await former.walk().catch(() => undefined);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Locked');
  former.die();
  const annotations = { [policyAnnotation()]: 'observeOnly' };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  const { requeueAfter = 0 } = await next.walk();
  t.true(requeueAfter < 10_000, `${requeueAfter}`);
  await target.clock.advance(requeueAfter);
  const { requeueAfter: rest = 0 } = await next.walk();
  t.regex(conditionOf(await target.read(), 'Boxes').reason, /^waits until .* for requests of a dead holder: one/);
  await target.clock.advance(rest);
  await next.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.is(party.boxes.length, 1);
});
