import test from 'ava';
import { defineIntegration, type Task, Workspace } from '../../../sdk/index.ts';
import { aStage, type Stage } from '../../a-stage.ts';
import { created, dyingIn, guarding, isStatusPatch, key, type Plan, stateOf, times } from './guarding.ts';

test('the intent is durable before the task runs, and says who holds it since when', async (t) => {
  const stage = await aStage();
  const seen: unknown[] = [];
  const task: Task = async () => {
    seen.push(await stateOf(stage));
    return created();
  };
  await stage.create();
  await stage.actor([guarding({ task })], { times }).walk();
  t.like(seen[0], {
    status: 'Locked',
    reason: 'creating',
    entry: {
      phase: 'intent',
      token: 1,
      attempt: 1,
      leaseSeconds: 10,
      since: '2026-01-01T00:00:00Z',
      previous: 'Initialized',
    },
  });
  t.like(await stateOf(stage), {
    status: 'Completed',
    reason: 'made',
    entry: { phase: 'done', token: 1, refs: [{ id: 'a' }] },
  });
});

test('D1: a lock whose holder died is reported with holder and time, and never run again', async (t) => {
  const stage = await aStage();
  let calls = 0;
  const task: Task = async () => {
    calls += 1;
    return created();
  };
  await stage.create();
  await dyingIn(stage, { task });
  const heir = stage.actor([guarding({ task })], { holder: 'heir', times });
  t.deepEqual(await heir.walk(), { requeueAfter: 22_000 }, 'left alone while it may live');
  await stage.clock.advance(22_000);
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
  const stage = await aStage();
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
    entry: { token: 2, attempt: 2, ambiguous: true, phase: 'done' },
  });
});

test('an ambiguous failure of identity name is tried again once its last request is dead', async (t) => {
  const stage = await aStage();
  let calls = 0;
  const task: Task = async () => {
    calls += 1;
    if (calls === 1) throw new Error('socket hang up');
    return created();
  };
  await stage.create();
  const actor = stage.actor([guarding({ task, options: { identity: 'name' } })], { times });
  await t.throwsAsync(actor.walk());
  t.like(await stateOf(stage), { status: 'Locked', reason: 'outcome not known yet, looked for again: socket hang up' });
  t.deepEqual(await actor.walk(), { requeueAfter: 2_000 });
  await stage.clock.advance(2_000);
  await actor.walk();
  t.is(calls, 2);
  t.like(await stateOf(stage), { status: 'Completed' });
});

test('F2: an intent whose answer was lost is recognised as ours, and the attempt goes on', async (t) => {
  const stage = await aStage();
  await stage.create();
  let dropped = 0;
  stage.cluster.intercept(async (request, next) => {
    const answer = await next(request);
    if (dropped > 0 || !isStatusPatch('intent')(request)) return answer;
    dropped += 1;
    throw new Error('connection reset');
  });
  await stage.actor([guarding({ task: created })], { times }).walk();
  t.is(dropped, 1);
  t.like(await stateOf(stage), { status: 'Completed', entry: { attempt: 1 } });
});

test('a changed spec, a deletion or a foreign guard make the intent stale: nothing is called', async (t) => {
  const changes: readonly ((stage: Stage) => Promise<unknown>)[] = [
    (stage) => stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { x: {} } } } }),
    (stage) => stage.client.delete(Workspace, key),
    (stage) =>
      stage.client.patch(
        Workspace,
        key,
        {
          type: 'json',
          operations: [
            {
              op: 'add',
              path: '/status/guards/DNS',
              value: { phase: 'intent', op: 'task', key: 'k', token: 1, holder: 'z/z' },
            },
          ],
        },
        { subresource: 'status' },
      ),
  ];
  for (const change of changes) {
    const stage = await aStage();
    let calls = 0;
    const task: Task = async () => {
      calls += 1;
      return created();
    };
    await stage.create();
    await t.throwsAsync(
      stage.actor([guarding({ task, before: async () => void (await change(stage)) })], { times }).walk(),
      { name: 'StaleError' },
    );
    t.is(calls, 0);
  }
});

test('F49: a guard inside a guard is refused instead of waiting for itself', async (t) => {
  const stage = await aStage();
  const integration = defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () =>
        controller.guard('outer', async () => {
          await t.throwsAsync(controller.guard('inner', created), { message: /inside the guard of DNS/ });
          return created();
        }),
      terminate: async () => {},
    }),
  });
  await stage.create();
  await stage.actor([integration], { times }).walk();
  t.is((await stateOf(stage)).status, 'Completed');
});

test('an entry that was lost is not taken for one that never was: without an identity a person is asked', async (t) => {
  const stage = await aStage();
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
  t.like(await stateOf(stage), { status: 'Unknown', entry: { phase: 'unknown', lost: true } });
});

test('F29 and F30: ids come back from whichever of journal and mirror is left', async (t) => {
  const stage = await aStage();
  const refs: unknown[] = [];
  const plan: Plan = { task: created, before: async (controller) => void refs.push(controller.refs) };
  await stage.create();
  const actor = stage.actor([guarding(plan)], { times });
  await actor.walk();
  await stage.client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
    { subresource: 'status' },
  );
  await actor.walk();
  t.deepEqual(refs, [[], [{ id: 'a' }]]);
});
