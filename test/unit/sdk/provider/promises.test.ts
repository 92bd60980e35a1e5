import test from 'ava';
import { conditionOf, DefiniteError, defineIntegration, type Task, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { created, dyingIn, guarding, key, passing, stateOf, times } from './guarding.ts';

test('F47: what a task rejects with after it was left behind goes nowhere: no crash, no second outcome', async (t) => {
  const stage = await aTargetCluster();
  const late = Promise.withResolvers<never>();
  await stage.create();
  const task: Task = () => late.promise;
  const actor = stage.actor([guarding({ task })], { times: { ...times, attempt: 20_000 } });
  await t.throwsAsync(passing(stage, actor.walk()), { message: /no answer within/ });
  const before = await stage.read();
  late.reject(new Error('too late'));
  await stage.clock.advance(1_000);
  t.deepEqual(await stage.read(), before);
});

test('F48: an object from the cache cannot be changed by mistake: the attempt is reported', async (t) => {
  const stage = await aTargetCluster();
  await stage.create({ host: 'a.example.com' } as never);
  let refused: unknown;
  const integration = defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ workspace, controller }) => ({
      reconcile: async () => {
        try {
          (workspace.spec as { integrations?: object }).integrations = { hacked: {} };
          (controller.workspace.metadata as { name: string }).name = 'other';
        } catch (error) {
          refused = error;
        }
        await controller.updateCondition('Completed', 'said');
      },
      terminate: async () => {},
    }),
  });
  await stage.actor([integration], { times }).walk();
  t.true(refused instanceof TypeError);
  t.is((await stage.read()).spec.integrations, undefined);
});

test('D5: what the lock interrupts is remembered, and what comes after it is the task’s word', async (t) => {
  const stage = await aTargetCluster();
  const before = async (controller: { updateCondition(status: 'Waiting', reason: string): Promise<void> }) =>
    controller.updateCondition('Waiting', 'for the zone');
  let seen: unknown;
  const task: Task = async () => {
    seen = (await stateOf(stage)).entry?.previous;
    return created();
  };
  await stage.create();
  await stage.actor([guarding({ task, before })], { times }).walk();
  t.is(seen, 'Waiting');
  t.is((await stateOf(stage)).status, 'Completed');
});

test('D9: the last finalizer goes after the outcome is written, and nothing is written after it', async (t) => {
  const stage = await aTargetCluster();
  const actor = stage.actor([guarding({ task: created })], { times });
  await stage.create();
  await actor.walk();
  await stage.delete();
  const from = stage.cluster.audit.length;
  await actor.walk();
  const writes = stage.cluster.audit.slice(from).filter(({ method }) => method === 'PATCH');
  t.true(writes.length >= 3);
  t.true(
    writes.every(({ code }) => code === 200),
    'none of them failed',
  );
  t.false(writes.at(-1)?.url.includes('/status'), 'the release is the last');
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('D15: Ready says in the words of standard tools how things are, also while a guard is held', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const readyOf = async () => {
    const ready = conditionOf(await stage.read(), 'Ready');
    return [ready.status, ready.reason];
  };
  const plan = { task: created };
  await dyingIn(stage, plan);
  t.deepEqual(await readyOf(), ['False', 'Deploying']);
  const heir = stage.actor([guarding(plan)], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(22_000);
  await heir.walk();
  t.deepEqual(await readyOf(), ['Unknown', 'Error: DNS']);
});

test('G10: pausing stops outside changes before the next attempt, never inside one', async (t) => {
  const stage = await aTargetCluster();
  const calls: string[] = [];
  const pause = (paused: string | null) =>
    stage.client.patch(Workspace, key, {
      type: 'merge',
      value: { metadata: { annotations: { 'se.quencer.io/paused': paused } } },
    });
  const task: Task = async () => {
    calls.push('begun');
    await pause('true');
    calls.push('ended');
    throw new DefiniteError('not yet');
  };
  await stage.create();
  const actor = stage.actor([guarding({ task })], { times });
  await t.throwsAsync(actor.walk());
  t.deepEqual(calls, ['begun', 'ended']);
  await actor.walk();
  t.is(calls.length, 2);
  await pause(null);
  await t.throwsAsync(actor.walk());
  t.is(calls.length, 4);
});

test('G7: a reason that grows by what hides secrets in it is written all the same, of a condition and of a guard', async (t) => {
  const reason = 'see https://api.example/?key=1&token=2 '.repeat(100);
  const stage = await aTargetCluster();
  await stage.create();
  const told: string[] = [];
  const task: Task = async () => {
    told.push(conditionOf(await stage.read(), 'DNS').reason);
    return { status: 'Completed', reason, refs: [] };
  };
  const integration = defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({
      async reconcile() {
        await controller.updateCondition('In Progress', reason);
        told.push(conditionOf(await stage.read(), 'DNS').reason);
        await controller.guard(reason, task);
      },
      terminate: () => controller.updateCondition('Terminated', reason),
    }),
  });
  await stage.actor([integration], { times }).walk();
  told.push(conditionOf(await stage.read(), 'DNS').reason);
  t.is(told.length, 3);
  for (const one of told) t.regex(one, /^see https:\/\/api\.example\/\?key=\*\*\*&token=\*\*\* see .{900,}$/);
});
