import test from 'ava';
import { conditionOf, defineIntegration, type Integration, type Task } from '../../../sdk/index.ts';
import { createSequencer } from '../../../sequencer/index.ts';
import { aSeal } from '../a-seal.ts';
import { aTargetCluster, refusing, type TargetCluster } from '../a-target-cluster.ts';
import { isStatusPatch } from '../sdk/provider/guarding.ts';

/** An integration that guards what it makes and deletes. */
const making = (condition: string, create: Task, more: Partial<Integration> = {}): Integration =>
  defineIntegration({
    name: condition.toLowerCase(),
    condition,
    handles: () => true,
    connect: ({ controller }) => ({
      async reconcile() {
        if (controller.condition.status !== 'Completed') await controller.guard('making', create);
      },
      terminate: () =>
        controller.guard('deleting', async () => ({ status: 'Terminated', reason: 'gone', refs: [] }), {
          op: 'delete',
        }),
    }),
    ...more,
  });

const made = { status: 'Completed', reason: 'made', refs: [{ id: 'a' }] } as const;

/** A sequencer of a workspace, whose time passes by minutes. */
async function running(target: TargetCluster, integrations: readonly Integration[]) {
  const stop = new AbortController();
  const { client, clock } = target;
  const events = { event: () => {} };
  const sequencer = createSequencer({ client, clock, integrations, seal: aSeal, random: () => 0.5, events });
  const end = sequencer.run(stop.signal);
  await target.create();
  const minutes = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count * 60_000; passed += 1_000) await clock.advance(1_000);
  };
  return {
    minutes,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([end, clock.advance(20_000)]);
    },
  };
}

test('what follows a creation that takes longer than a run is made too', async (t) => {
  const target = await aTargetCluster();
  const slow = making('Database', async () => {
    await target.clock.sleep(6 * 60_000);
    return made;
  });
  await using sequencer = await running(target, [slow, making('Mail', async () => made, { after: ['Database'] })]);
  await sequencer.minutes(7);
  const workspace = await target.read();
  t.is(conditionOf(workspace, 'Database').status, 'Completed');
  t.is(conditionOf(workspace, 'Mail').status, 'Completed');
});

test('a deletion whose outcome cannot be written for longer than a run comes to its end', async (t) => {
  const target = await aTargetCluster();
  await using sequencer = await running(target, [making('Database', async () => made)]);
  await sequencer.minutes(1);
  const failure = { code: 500, reason: 'InternalError', message: 'etcdserver: no leader' };
  const outage = refusing(target, isStatusPatch('gone'), failure);
  await target.delete();
  await sequencer.minutes(6);
  outage.over = true;
  t.true(outage.count > 0);
  await sequencer.minutes(1);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});
