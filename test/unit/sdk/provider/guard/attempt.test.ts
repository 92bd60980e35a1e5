import test from 'ava';
import { DefiniteError, defineIntegration, type Task } from '../../../../../sdk/index.ts';
import { readMirror } from '../../../../../sdk/provider/journal/read-mirror.ts';
import { aSeal, mirroredRefs } from '../../../a-seal.ts';
import { aTargetCluster, refusing } from '../../../a-target-cluster.ts';
import { created, guarding, isBeat, isMirror, isStatusPatch, passing, stateOf, times } from '../guarding.ts';

test('F46: a task is reported when its lease nears its end, and one that ignores that is left behind as ambiguous', async (t) => {
  const stage = await aTargetCluster();
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
    message: /within the lease of 10000 ms, and the lease is not renewed: .*cut off/,
  });
  t.true(aborted);
  t.like(await stateOf(stage), { status: 'Unknown', entry: { phase: 'unknown' } });
});

test('F32: long work beats, so that its lease continues and it is not taken over', async (t) => {
  const stage = await aTargetCluster();
  let calls = 0;
  const task: Task = async () => {
    calls += 1;
    for (let slept = 0; slept < 40_000; slept += 5_000) {
      await stage.clock.sleep(5_000);
      if (calls === 1) t.true(((await other.walk()).requeueAfter ?? 0) > 0, `left alone after ${slept} ms`);
    }
    return created();
  };
  const other = stage.actor([guarding({ task })], { holder: 'other', times });
  await stage.create();
  await passing(stage, stage.actor([guarding({ task })], { times }).walk());
  const { entry, status } = await stateOf(stage);
  t.deepEqual([status, entry?.attempt, calls], ['Completed', 1, 1]);
});

test('F32: one beat without an answer does not cost the lease', async (t) => {
  const stage = await aTargetCluster();
  let beats = 0;
  stage.cluster.intercept(async (request, next) => {
    if (isBeat(request) && ++beats === 2) await new Promise(() => {});
    return next(request);
  });
  const task: Task = async () => {
    await stage.clock.sleep(40_000);
    return created();
  };
  await stage.create();
  await passing(stage, stage.actor([guarding({ task })], { times }).walk());
  t.is((await stateOf(stage)).status, 'Completed');
});

test('F15: a process that slept through its lease between intent and call sends nothing', async (t) => {
  const stage = await aTargetCluster();
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
  const stage = await aTargetCluster();
  const seen: unknown[] = [];
  const task: Task = async ({ checkpoint }) => {
    await checkpoint({ tunnel: 't1' });
    seen.push(mirroredRefs(await stage.read(), 'DNS'));
    throw new DefiniteError('no route');
  };
  await stage.create();
  await t.throwsAsync(stage.actor([guarding({ task })], { times }).walk());
  t.deepEqual(seen, [[{ tunnel: 't1' }]]);
  t.like((await stateOf(stage)).entry, { phase: 'failed', refs: [{ tunnel: 't1' }] });
});

test('F47: whatever a task throws becomes a reason', async (t) => {
  for (const [thrown, told] of [
    ['text', 'text'],
    [undefined, 'undefined'],
    [{ code: 1 }, 'an object with code'],
    [Object.create(null), 'an object with nothing'],
  ]) {
    const stage = await aTargetCluster();
    await stage.create();
    const task: Task = async () => {
      throw thrown;
    };
    await stage
      .actor([guarding({ task })], { times })
      .walk()
      .then(
        () => t.fail(),
        (error: Error) => t.is(error.message, `the task threw ${told}`),
      );
    t.true((await stateOf(stage)).reason.includes(told));
  }
});

test('F43: of several things, those checkpointed before a crash are known to the next holder', async (t) => {
  const stage = await aTargetCluster();
  const given: unknown[] = [];
  let crashing = true;
  const task: Task = async ({ refs, checkpoint }) => {
    given.push(refs);
    if (refs.length === 0) await checkpoint({ id: 'one' });
    if (crashing) return new Promise<never>(() => {});
    return { status: 'Completed', reason: 'both', refs: [...refs, { id: 'two' }] };
  };
  const integration = defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () => controller.guard('creating both', task, { identity: 'name' }),
      terminate: async () => {},
    }),
  });
  await stage.create();
  const first = stage.actor([integration], { holder: 'dead', times });
  void first.walk().catch(() => undefined);
  for (let turn = 0; turn < 20; turn += 1) await stage.clock.advance(0);
  t.deepEqual((await stateOf(stage)).entry?.refs, [{ id: 'one' }]);
  first.die();
  crashing = false;
  const heir = stage.actor([integration], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(22_000);
  await heir.walk();
  t.deepEqual(given, [[], [{ id: 'one' }]]);
});

test('F47: a task that never settles is given up though its process lives and beats; its condition says so', async (t) => {
  const stage = await aTargetCluster();
  let beats = 0;
  stage.cluster.intercept((request, next) => {
    beats += Number(isBeat(request));
    return next(request);
  });
  await stage.create();
  const actor = stage.actor([guarding({ task: () => new Promise(() => {}) })], {
    times: { ...times, attempt: 40_000 },
  });
  await t.throwsAsync(passing(stage, actor.walk()), { message: 'task: no answer within 40000 ms' });
  const { status, reason } = await stateOf(stage);
  t.is(status, 'Unknown');
  t.true(beats > 5, `${beats} beats`);
  t.regex(reason, /no answer within 40000 ms/);
});

for (const identity of ['name', 'opaque'] as const)
  test(`an intent is mirrored before its task runs where the claim was refused a mirror: ${identity}`, async (t) => {
    const stage = await aTargetCluster();
    const refusal = { code: 422, reason: 'Invalid', message: 'no annotations today' };
    const refused = refusing(stage, (request) => isMirror(request), refusal);
    await stage.create();
    const named: unknown[] = [];
    const task: Task = async () => {
      const mirror = readMirror(aSeal, await stage.read(), 'DNS');
      named.push(mirror.kind === 'own' && mirror.record.open?.op);
      return created();
    };
    stage.cluster.intercept((request, next) => {
      refused.over ||= isStatusPatch('intent')(request);
      return next(request);
    });
    await stage.actor([guarding({ task, options: { identity } })]).walk();
    t.is(refused.count, 1);
    t.deepEqual(named, ['task']);
    t.like((await stateOf(stage)).entry, { phase: 'done', refs: [{ id: 'a' }] });
  });
