import test from 'ava';
import {
  conditionOf,
  DefiniteError,
  defineIntegration,
  type GuardOptions,
  type Integration,
  type ProviderController,
  type Task,
  ThrottledError,
  Workspace,
} from '../../../sdk/index.ts';
import { aStage, type Stage, textOf } from '../../a-stage.ts';
import type { ApiRequest, Cluster } from '../../cluster/index.ts';

const times = { lease: 10_000, maxRequest: 2_000 };
const key = { namespace: 'default', name: 'shop' };
const created = async () => ({ status: 'Completed' as const, reason: 'made', refs: [{ id: 'a' }] });

interface Plan {
  readonly task: Task;
  readonly options?: GuardOptions;
  readonly before?: (controller: ProviderController) => Promise<void>;
}

/** An integration whose reconcile guards whatever `plan` says now, unless something is there already. */
function guarding(plan: Plan): Integration {
  return defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({
      async reconcile() {
        await plan.before?.(controller);
        if (controller.refs.length === 0) await controller.guard('creating', plan.task, plan.options);
      },
      terminate: () =>
        controller.guard('deleting', async () => ({ status: 'Terminated', reason: 'deleted', refs: [] })),
    }),
  });
}

const stateOf = async (stage: Stage) => {
  const workspace = await stage.read();
  const { status, reason } = conditionOf(workspace, 'DNS');
  return { status, reason, entry: workspace.status?.guards?.DNS, workspace };
};

/** Answers 500 to the next `times` matching requests, before or after they are carried out. */
function failing(
  cluster: Cluster,
  matches: (request: ApiRequest) => boolean,
  { times: left = 1, after = false } = {},
): () => number {
  let count = 0;
  cluster.intercept(async (request, next) => {
    if (count >= left || !matches(request)) return next(request);
    count += 1;
    if (after) await next(request);
    const body = Buffer.from(
      JSON.stringify({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'InternalError',
        code: 500,
        message: 'lost',
      }),
    );
    return { status: 500, headers: { 'content-type': 'application/json' }, body };
  });
  return () => count;
}

const isStatusPatch = (phase: string) => (request: ApiRequest) =>
  request.method === 'PATCH' && request.url.includes('/status') && textOf(request).includes(`"phase":"${phase}"`);

const isBeat = (request: ApiRequest) => textOf(request).includes('/beat');

/** Lets `promise` go on while the clock moves, in steps of 200 ms. */
async function passing<T>(stage: Stage, promise: Promise<T>, limit = 60_000): Promise<T> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  for (let passed = 0; !settled && passed < limit; passed += 200) await stage.clock.advance(200);
  return promise;
}

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

/** Lets an actor die in the middle of `task`'s first call. */
async function dyingIn(stage: Stage, plan: Plan): Promise<void> {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const task: Task = async (context) => {
    void plan.task(context).catch(() => undefined);
    resolve();
    return new Promise(() => {});
  };
  const actor = stage.actor([guarding({ ...plan, task })], { holder: 'dead', times });
  void actor.walk().catch(() => undefined);
  await reached;
  actor.die();
}

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

test('D2: foreign writes while the task runs never cost an id', async (t) => {
  const stage = await aStage();
  const task: Task = async () => {
    await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { labels: { a: 'b' } } } });
    await stage.client.patch(
      Workspace,
      key,
      { type: 'merge', value: { status: { host: 'x' } } },
      { subresource: 'status' },
    );
    return created();
  };
  await stage.create();
  await stage.actor([guarding({ task })], { times }).walk();
  t.like(await stateOf(stage), { status: 'Completed', entry: { refs: [{ id: 'a' }] } });
  t.is((await stage.read()).status?.host, 'x');
});

test('conditions reordered by others while the task runs are found again', async (t) => {
  const stage = await aStage();
  const task: Task = async () => {
    const { status } = await stage.read();
    await stage.client.patch(
      Workspace,
      key,
      { type: 'merge', value: { status: { conditions: [...(status?.conditions ?? [])].reverse() } } },
      { subresource: 'status' },
    );
    return created();
  };
  await stage.create();
  await passing(stage, stage.actor([guarding({ task })], { times }).walk());
  t.like(await stateOf(stage), { status: 'Completed', entry: { phase: 'done' } });
});

test('D3: an ambiguous failure is never an Error that forgets: without an identity it waits for a person', async (t) => {
  const stage = await aStage();
  let calls = 0;
  const task: Task = async () => {
    calls += 1;
    throw new Error('socket hang up');
  };
  await stage.create();
  const actor = stage.actor([guarding({ task })], { times });
  await t.throwsAsync(actor.walk(), { message: 'socket hang up' });
  await stage.clock.advance(60_000);
  await actor.walk();
  t.is(calls, 1);
  t.like(await stateOf(stage), {
    status: 'Unknown',
    entry: { phase: 'unknown', ambiguous: true, cause: 'socket hang up' },
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

test('D6: a definite failure is an Error, tried again as the same operation; a changed spec makes it another', async (t) => {
  const stage = await aStage();
  const keys: string[] = [];
  const task: Task = async ({ key: operation }) => {
    keys.push(operation);
    throw new DefiniteError('zone not served');
  };
  await stage.create();
  const actor = stage.actor([guarding({ task })], { times });
  await t.throwsAsync(actor.walk(), { instanceOf: DefiniteError });
  t.like(await stateOf(stage), { status: 'Error', reason: 'zone not served', entry: { phase: 'failed', attempt: 1 } });
  t.is((await stage.read()).status?.phase, 'Error');
  await t.throwsAsync(actor.walk());
  t.like(await stateOf(stage), { entry: { attempt: 2 } });
  await stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { any: {} } } } });
  await t.throwsAsync(actor.walk());
  t.is(keys[0], keys[1]);
  t.not(keys[1], keys[2]);
});

test('F42: a definite failure does not settle an earlier ambiguous one', async (t) => {
  const stage = await aStage();
  const errors = [new Error('reset'), new DefiniteError('busy')];
  const task: Task = async () => {
    const error = errors.shift();
    if (error) throw error;
    return created();
  };
  await stage.create();
  const actor = stage.actor([guarding({ task, options: { identity: 'name' } })], { times });
  await t.throwsAsync(actor.walk());
  await actor.walk();
  await stage.clock.advance(2_000);
  await t.throwsAsync(actor.walk(), { instanceOf: DefiniteError });
  t.like(await stateOf(stage), { status: 'Locked', entry: { phase: 'intent', ambiguous: true } });
});

test('a throttled attempt waits as long as it was told', async (t) => {
  const stage = await aStage();
  const task: Task = async () => {
    throw new ThrottledError('slow down', 7_000);
  };
  await stage.create();
  await t.throwsAsync(stage.actor([guarding({ task })], { times }).walk(), { instanceOf: ThrottledError });
  t.like(await stateOf(stage), { status: 'Waiting', reason: 'slow down', entry: { phase: 'failed' } });
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

test('F7: an outcome that fails, or whose answer is lost, is written until it is there', async (t) => {
  for (const after of [false, true]) {
    const stage = await aStage();
    await stage.create();
    const failed = failing(stage.cluster, isStatusPatch('done'), { times: 3, after });
    await passing(stage, stage.actor([guarding({ task: created })], { times }).walk());
    t.true(failed() > 0);
    t.like(await stateOf(stage), { status: 'Completed', entry: { refs: [{ id: 'a' }] } });
  }
});

test('F30: a status wiped while the task runs loses no id: the entry is written anew', async (t) => {
  const stage = await aStage();
  const task: Task = async () => {
    await stage.client.patch(
      Workspace,
      key,
      { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
      { subresource: 'status' },
    );
    return created();
  };
  await stage.create();
  await passing(stage, stage.actor([guarding({ task })], { times }).walk());
  t.like(await stateOf(stage), { status: 'Completed', entry: { refs: [{ id: 'a' }] } });
});

test('a fenced attempt hands its ids over and says so', async (t) => {
  const stage = await aStage();
  const task: Task = async () => {
    const entry = (await stage.read()).status?.guards?.DNS;
    const operations = [
      { op: 'replace' as const, path: '/status/guards/DNS', value: { ...entry, token: 2, holder: 'other/x' } },
    ];
    await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
    return created();
  };
  await stage.create();
  await t.throwsAsync(passing(stage, stage.actor([guarding({ task })], { times }).walk()), { name: 'FencedError' });
  t.like((await stateOf(stage)).entry, { phase: 'intent', token: 2, holder: 'other/x', late: [{ id: 'a' }] });
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

test('a task is told when its lease nears its end, and one that ignores that is left behind as ambiguous', async (t) => {
  const stage = await aStage();
  let aborted = false;
  const task: Task = ({ signal }) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise(() => {});
  };
  stage.cluster.intercept(async (request, next) =>
    isBeat(request) ? Promise.reject(new Error('cut off')) : next(request),
  );
  await stage.create();
  await t.throwsAsync(passing(stage, stage.actor([guarding({ task })], { times }).walk()), {
    message: /within the lease/,
  });
  t.true(aborted);
  t.like(await stateOf(stage), { status: 'Unknown', entry: { phase: 'unknown' } });
});

test('long work beats, so that its lease goes on', async (t) => {
  const stage = await aStage();
  const task: Task = async () => {
    await stage.clock.sleep(35_000);
    return created();
  };
  await stage.create();
  await passing(stage, stage.actor([guarding({ task })], { times }).walk());
  const { entry, status } = await stateOf(stage);
  t.is(status, 'Completed');
  t.true((entry?.token ?? 0) === 1);
});

test('F15: a process that slept through its lease between intent and call sends nothing', async (t) => {
  const stage = await aStage();
  let calls = 0;
  stage.cluster.intercept(async (request, next) => {
    const answer = await next(request);
    if (isStatusPatch('intent')(request)) await stage.clock.advance(30_000);
    return answer;
  });
  const task: Task = async () => {
    calls += 1;
    return created();
  };
  await stage.create();
  await t.throwsAsync(passing(stage, stage.actor([guarding({ task })], { times }).walk()), { name: 'DefiniteError' });
  t.is(calls, 0);
});

test('checkpoints are durable before the next step, and survive a failure', async (t) => {
  const stage = await aStage();
  const seen: unknown[] = [];
  const task: Task = async ({ checkpoint }) => {
    await checkpoint({ tunnel: 't1' });
    seen.push((await stage.read()).metadata.annotations?.['external.se.quencer.io/DNS']);
    throw new DefiniteError('no route');
  };
  await stage.create();
  await t.throwsAsync(stage.actor([guarding({ task })], { times }).walk());
  t.deepEqual(seen, ['[{"tunnel":"t1"}]']);
  t.like((await stateOf(stage)).entry, { phase: 'failed', refs: [{ tunnel: 't1' }] });
});

test('F47: whatever a task throws becomes a reason', async (t) => {
  for (const thrown of ['text', undefined, { code: 1 }]) {
    const stage = await aStage();
    await stage.create();
    const task: Task = async () => {
      throw thrown;
    };
    await stage
      .actor([guarding({ task })], { times })
      .walk()
      .then(
        () => t.fail(),
        (error: Error) => t.is(error.message, String(thrown)),
      );
    t.true((await stateOf(stage)).reason.includes(String(thrown)));
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
