import test from 'ava';
import { type GuardOptions, type Task, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { created, dyingIn, guarding, key, type Plan, stateOf, times } from './guarding.ts';

test('D1: a lock whose holder died is reported with holder and time, and never run again', async (t) => {
  const stage = await aTargetCluster();
  let calls = 0;
  const task: Task = async () => {
    calls += 1;
    return created();
  };
  await stage.create();
  await dyingIn(stage, { task });
  const heir = stage.actor([guarding({ task })], { holder: 'heir', times });
  t.deepEqual(await heir.walk(), { requeueAfter: 5_000 }, 'left alone while it may live');
  t.like(await stateOf(stage), { status: 'Locked', reason: 'creating, until 2026-01-01T00:03:20Z at the latest' });
  await stage.clock.advance(5_000);
  t.deepEqual(await heir.walk(), { requeueAfter: 17_000 }, 'left alone while its requests may be carried out');
  const waiting = await stateOf(stage);
  t.is(waiting.status, 'Locked');
  t.regex(
    waiting.reason,
    /^waits until 2026-01-01T00:00:22Z for requests of a dead holder: dead\/\w+, silent since 2026-01-01T00:00:00Z, may have "task" under way$/,
  );
  await stage.clock.advance(3_000);
  t.deepEqual(await heir.walk(), { requeueAfter: 14_000 });
  t.is((await stage.read()).metadata.resourceVersion, waiting.workspace.metadata.resourceVersion, 'told once');
  t.deepEqual(waiting.entry?.phase, 'intent');
  await stage.clock.advance(14_000);
  await heir.walk();
  const reported = await stateOf(stage);
  t.is(calls, 1);
  t.is(reported.status, 'Unknown');
  t.regex(reported.reason, /held by dead\/\w+ since 2026-01-01T00:00:00Z/);
  t.is(reported.entry?.phase, 'unknown');
  t.true(heir.events.some(({ reason }) => reason === 'GuardUnknown'));
  await heir.walk();
  t.is(calls, 1, 'and stays so');
});

test('a dead holder’s attempt is run again where the identity makes that safe, with the same key', async (t) => {
  const stage = await aTargetCluster();
  const keys: string[] = [];
  const task: Task = async ({ key: operation }) => {
    keys.push(operation);
    return created();
  };
  const plan: Plan = { task, options: { identity: 'name' } };
  await stage.create();
  await dyingIn(stage, plan);
  const heir = stage.actor([guarding(plan)], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(22_000);
  await heir.walk();
  t.is(keys.length, 2);
  t.is(keys[0], keys[1]);
  t.like(await stateOf(stage), {
    status: 'Completed',
    entry: { attempt: 2, ambiguous: true, phase: 'done' },
  });
});

test('an entry that was lost is not taken for one that never was: without an identity a person is asked', async (t) => {
  const stage = await aTargetCluster();
  let calls = 0;
  const task: Task = async () => {
    calls += 1;
    return created();
  };
  await stage.create();
  await stage.actor([guarding({ task })], { times }).walk();
  t.is(calls, 1);
  await stage.client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
    { subresource: 'status' },
  );
  await stage.client.patch(Workspace, key, {
    type: 'merge',
    value: { metadata: { annotations: { 'external.se.quencer.io/DNS': null } } },
  });
  const heir = stage.actor([guarding({ task })], { holder: 'heir', times });
  t.deepEqual(await heir.walk(), { requeueAfter: 22_000 });
  await stage.clock.advance(22_000);
  await heir.walk();
  t.is(calls, 1);
  const reported = await stateOf(stage);
  t.like(reported, { status: 'Unknown', entry: { phase: 'unknown', lost: true } });
  t.regex(reported.reason, /missed by heir\/\w+ since 2026-/, 'its holder is not known');
});

test('D12: with identity key a dead holder’s attempt is run again with its key and what was journalled then, not what is wanted now', async (t) => {
  const stage = await aTargetCluster();
  const seen: unknown[] = [];
  const task: Task = async ({ key: operation, input }) => {
    seen.push([operation, input]);
    return created();
  };
  await stage.create();
  await dyingIn(stage, { task, options: { identity: 'key', input: { size: 1 } } });
  const heir = stage.actor([guarding({ task, options: { identity: 'key', input: { size: 2 } } })], {
    holder: 'heir',
    times,
  });
  await heir.walk();
  await stage.clock.advance(22_000);
  await heir.walk();
  t.is(seen.length, 2);
  t.deepEqual(seen[0], seen[1]);
});

test('what a dead holder made is looked for first, and nothing is run when it is found', async (t) => {
  for (const found of [true, false]) {
    const stage = await aTargetCluster();
    let calls = 0;
    const task: Task = async () => {
      calls += 1;
      return created();
    };
    const recover: Task = async ({ key: operation }) => ({
      status: 'Completed',
      reason: 'found',
      refs: [{ id: operation }],
    });
    const options: GuardOptions = { recover: async (context) => (found ? recover(context) : undefined) };
    await stage.create();
    await dyingIn(stage, { task, options });
    const heir = stage.actor([guarding({ task, options })], { holder: 'heir', times });
    await heir.walk();
    await stage.clock.advance(22_000);
    await heir.walk();
    t.is(calls, found ? 1 : 2);
    t.like(await stateOf(stage), { status: 'Completed', reason: found ? 'found' : 'made', entry: { attempt: 2 } });
  }
});

test('how long a third party’s requests may live is waited for, where an integration says that it is longer', async (t) => {
  const stage = await aTargetCluster();
  const task: Task = created;
  const options: GuardOptions = { identity: 'name', maxRequestMs: 5_000, listLagMs: 1_000 };
  await stage.create();
  await dyingIn(stage, { task, options });
  const heir = stage.actor([guarding({ task, options })], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(22_000);
  t.deepEqual(await heir.walk(), { requeueAfter: 4_000 });
});

test('a list that lags is waited for on top of what the sequencer assumes of requests', async (t) => {
  const stage = await aTargetCluster();
  const options: GuardOptions = { recover: async () => undefined, listLagMs: 1_000 };
  await stage.create();
  await dyingIn(stage, { task: created, options });
  const heir = stage.actor([guarding({ task: created, options })], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(22_000);
  t.deepEqual(await heir.walk(), { requeueAfter: 1_000 });
});

test('G7: a condition that waits for a person is said again when it was written over', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  await dyingIn(stage, { task: created });
  const heir = stage.actor([guarding({ task: created })], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(22_000);
  await heir.walk();
  await stage.client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'remove', path: '/status/conditions' }] },
    { subresource: 'status' },
  );
  await heir.walk();
  t.like(await stateOf(stage), { status: 'Unknown', entry: { phase: 'unknown' } });
});
