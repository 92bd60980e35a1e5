import test from 'ava';
import { DefiniteError, requestFor, type Task, ThrottledError, Workspace } from '../../../../../sdk/index.ts';
import { walk } from '../../../../../sequencer/engine/walk.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { created, failing, guarding, isStatusPatch, key, passing, stateOf, times } from '../guarding.ts';

test('D2, G9: foreign writes while the task runs never cost an id', async (t) => {
  const stage = await aTargetCluster();
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
  const stage = await aTargetCluster();
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
  const stage = await aTargetCluster();
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

test('D6: a definite failure is an Error, tried again as the same operation; a changed spec makes it another', async (t) => {
  const stage = await aTargetCluster();
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
  const stage = await aTargetCluster();
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

test('F40: a throttled attempt waits as long as it was reported, and costs one call each time', async (t) => {
  const stage = await aTargetCluster();
  const task: Task = async () => {
    throw new ThrottledError('slow down', 7_000);
  };
  await stage.create();
  await t.throwsAsync(stage.actor([guarding({ task })], { times }).walk(), { instanceOf: ThrottledError });
  t.like(await stateOf(stage), { status: 'Waiting', reason: 'slow down', entry: { phase: 'failed' } });
});

test('F7: an outcome that fails, or whose answer is lost, is written until it is there', async (t) => {
  for (const after of [false, true]) {
    const stage = await aTargetCluster();
    await stage.create();
    const failed = failing(stage.cluster, isStatusPatch('done'), { times: 3, after });
    await passing(stage, stage.actor([guarding({ task: created })], { times }).walk());
    t.true(failed() > 0);
    t.like(await stateOf(stage), { status: 'Completed', entry: { refs: [{ id: 'a' }] } });
  }
});

test('F30: a status wiped while the task runs loses no id: the entry is written anew', async (t) => {
  const stage = await aTargetCluster();
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

test('F30: a status wiped after an outcome may have been written stays lost: others may have gone on from there', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const operations = [{ op: 'remove' as const, path: '/status' }];
  let wiped = false;
  stage.cluster.intercept(async (request, next) => {
    const response = await next(request);
    if (!wiped && isStatusPatch('done')(request)) {
      wiped = true;
      await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
    }
    return response;
  });
  failing(stage.cluster, isStatusPatch('done'), { after: true });
  const actor = stage.actor([guarding({ task: created })], { times });
  await t.throwsAsync(passing(stage, actor.walk()), { name: 'FencedError', message: /its journal was lost/ });
  t.is((await stage.read()).status?.guards?.DNS, undefined);
});

test('a status put back, while the task runs, to when nothing was begun does not say that of it: the entry is written anew', async (t) => {
  const stage = await aTargetCluster();
  const task: Task = async () => {
    const none = { phase: 'none', op: 'task', key: 'k-0', token: 0, holder: 'one' };
    const operations = [{ op: 'replace' as const, path: '/status/guards/DNS', value: none }];
    await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
    throw new Error('no answer');
  };
  await stage.create();
  await t.throwsAsync(passing(stage, stage.actor([guarding({ task })], { times }).walk()), { message: 'no answer' });
  t.like(await stateOf(stage), { status: 'Unknown', entry: { phase: 'unknown', attempt: 1, ambiguous: true } });
});

test('G5: ids that a fenced holder hands over while another attempt runs are kept, and hold up the end of a deletion', async (t) => {
  const stage = await aTargetCluster();
  const handOver = (id: string) =>
    stage.client.patch(
      Workspace,
      key,
      { type: 'merge', value: { status: { guards: { DNS: { late: [{ id }] } } } } },
      { subresource: 'status' },
    );
  const task: Task = async () => {
    await handOver('late-1');
    return created();
  };
  await stage.create();
  const actor = stage.actor([guarding({ task })], { times });
  await passing(stage, actor.walk());
  t.like((await stateOf(stage)).entry, { phase: 'done', refs: [{ id: 'a' }], late: [{ id: 'late-1' }] });

  const given: unknown[] = [];
  const deleting = guarding({
    task,
    terminate: async ({ refs }) => {
      given.push(refs);
      if (given.length === 1) await handOver('late-2');
      return { status: 'Terminated', reason: 'deleted', refs: [] };
    },
  });
  await stage.delete();
  const second = stage.actor([deleting], { times });
  await passing(stage, second.walk());
  t.like(await stateOf(stage), {
    status: 'In Progress',
    reason: '1 more found while deleting',
    entry: { phase: 'done', late: [{ id: 'late-2' }] },
  });
  await passing(stage, second.walk());
  t.deepEqual(
    given,
    [[{ id: 'a' }, { id: 'late-1' }], [{ id: 'late-2' }]],
    'the mirror still holds what is gone, and the journal that it is gone',
  );
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('ids that come back when claim and workspace have been removed by hand are named by an event', async (t) => {
  const stage = await aTargetCluster();
  const task: Task = async () => {
    await stage.client.delete(Workspace, key);
    await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
    return created();
  };
  await stage.create();
  const actor = stage.actor([guarding({ task })], { times });
  await actor.walk().catch(() => undefined);
  t.deepEqual(
    actor.events.filter(({ reason }) => reason === 'IdsLeft').map(({ message }) => message.includes('[{"id":"a"}]')),
    [true],
  );
});

test('a process that is stopped while a call is open logs what it leaves to the next one, and until when', async (t) => {
  const stage = await aTargetCluster();
  const stop = new AbortController();
  const task: Task = ({ signal }) => {
    stop.abort(new Error('not through 10000 ms after being told to stop'));
    return new Promise((_, reject) => void reject(signal.reason));
  };
  await stage.create();
  const lines: object[] = [];
  const logger = { warn: (about: object, text: string) => void lines.push({ ...about, text }) } as never;
  const integrations = [guarding({ task })];
  const { host } = stage.actor(integrations, { times });
  const stopped = walk({ host: { ...host, killed: stop.signal, logger }, integrations });
  await t.throwsAsync(stopped(requestFor(Workspace, await stage.read())));
  const { entry } = await stateOf(stage);
  t.is(entry?.phase, 'intent');
  t.like(lines.at(-1), {
    ...{ workspace: key, condition: 'DNS', operation: 'task', holder: entry?.holder },
    takenOverAfter: 2 * times.lease + times.maxRequest,
    text: 'stopped before the outcome was written: the next process takes it over',
  });
});
