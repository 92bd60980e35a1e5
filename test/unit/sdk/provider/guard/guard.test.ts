import test from 'ava';
import { defineIntegration, type Task, Workspace } from '../../../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster, textOf } from '../../../a-target-cluster.ts';
import { created, guarding, isStatusPatch, key, type Plan, stateOf, times } from '../guarding.ts';

test('G1: the intent is durable before the task runs, and says who holds it since when', async (t) => {
  const stage = await aTargetCluster();
  const seen: unknown[] = [];
  const task: Task = async () => {
    seen.push(await stateOf(stage));
    return created();
  };
  await stage.create();
  await stage.actor([guarding({ task })], { times }).walk();
  t.like(seen[0], {
    status: 'Locked',
    reason: 'creating, until 2026-01-01T00:03:20Z at the latest',
    entry: {
      phase: 'intent',
      attempt: 1,
      leaseSeconds: 10,
      since: '2026-01-01T00:00:00Z',
      previous: 'Initialized',
    },
  });
  t.like(await stateOf(stage), {
    status: 'Completed',
    reason: 'made',
    entry: { phase: 'done', attempt: 1, refs: [{ id: 'a' }] },
  });
});

test('a lease of part of a second is journalled as a whole one', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const leases: unknown[] = [];
  const task: Task = async () => {
    leases.push((await stateOf(stage)).entry?.leaseSeconds);
    return created();
  };
  await stage.actor([guarding({ task })], { times: { lease: 1_600, maxRequest: 100 } }).walk();
  t.deepEqual(leases, [2]);
});

test('an ambiguous failure of identity name is tried again once its last request is dead', async (t) => {
  const stage = await aTargetCluster();
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

test('F2: an intent whose answer was lost is recognised as ours, and the attempt continues', async (t) => {
  const stage = await aTargetCluster();
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

test('D14: a changed spec, a deletion or a foreign guard make the intent stale: nothing is called', async (t) => {
  const changes: readonly ((stage: TargetCluster) => Promise<unknown>)[] = [
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
    const stage = await aTargetCluster();
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

test('D14: so does a spec that changes while the ids of what is gone leave the mirror', async (t) => {
  const stage = await aTargetCluster();
  const ran: string[] = [];
  let op: 'create' | 'delete' = 'create';
  const outcomes = {
    create: { status: 'Completed', reason: 'made', refs: [{ id: 'a' }] },
    delete: { status: 'Terminated', reason: 'deleted', refs: [] },
  } as const;
  const integration = defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () =>
        controller.guard(
          op,
          async () => {
            ran.push(op);
            return outcomes[op];
          },
          { op },
        ),
      terminate: async () => {},
    }),
  });
  await stage.create();
  const actor = stage.actor([integration], { times });
  await actor.walk();
  op = 'delete';
  await actor.walk();
  op = 'create';
  stage.cluster.intercept(async (request, next) => {
    if (request.method === 'PATCH' && textOf(request).includes('/metadata/annotations/external'))
      await stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { x: {} } } } });
    return next(request);
  });
  await t.throwsAsync(actor.walk(), { name: 'StaleError' });
  t.deepEqual(ran, ['create', 'delete']);
});

test('D14: what its own session has seen meanwhile refuses a guard before anything is written: a pause, a deletion, a claim that is gone', async (t) => {
  const annotations = { 'se.quencer.io/paused': 'true' };
  const cases: readonly (readonly [
    string,
    (stage: TargetCluster) => Promise<unknown>,
    { name: string; message: RegExp },
  ])[] = [
    [
      'paused',
      (stage) => stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } }),
      { name: 'BusyError', message: /is paused/ },
    ],
    ['deleted', (stage) => stage.delete(), { name: 'StaleError', message: /is being deleted: nothing new starts/ }],
    [
      'unclaimed',
      (stage) => stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } }),
      { name: 'StaleError', message: /is not claimed by/ },
    ],
  ];
  for (const [what, change, refusal] of cases) {
    const stage = await aTargetCluster();
    let calls = 0;
    const plan: Plan = {
      task: async () => {
        calls += 1;
        return created();
      },
      async before(controller) {
        await change(stage);
        await controller.updateCondition('In Progress', 'looked again'); // and so it observes the current workspace
        await t.throwsAsync(controller.guard('creating', plan.task), refusal, what);
        t.is((await stateOf(stage)).entry?.phase, 'none', what);
      },
    };
    await stage.create();
    await stage
      .actor([guarding(plan)], { times })
      .walk()
      .catch(() => undefined);
    t.is(calls, 0, what);
  }
});

test('F49: a guard inside a guard is refused instead of waiting for itself', async (t) => {
  const stage = await aTargetCluster();
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

test('F29, F30: ids come back from whichever of journal and mirror is left', async (t) => {
  const stage = await aTargetCluster();
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
  await stage.clock.advance(22_000);
  await actor.walk();
  t.deepEqual(refs, [[], [{ id: 'a' }]]);
});
