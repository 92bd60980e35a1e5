import test, { type ExecutionContext } from 'ava';
import {
  conditionOf,
  DefiniteError,
  type Integration,
  type Task,
  ThrottledError,
  Workspace,
} from '../../../../sdk/index.ts';
import type { ApiRequest } from '../../../cluster/index.ts';
import { mirroredRefs } from '../../a-seal.ts';
import { aTargetCluster, refusing, textOf } from '../../a-target-cluster.ts';
import { aKeeper, boxes } from './a-keeper.ts';
import { boxKeeper } from './a-third-party.ts';
import { created, guarding, isMirror, isStatusPatch, key, passing, stateOf, times } from './guarding.ts';

/** A lasting fault prevents the outcome from being written; afterwards the id is recorded. */
async function heldUp(
  t: ExecutionContext,
  matches: (request: ApiRequest) => boolean,
  answer: Parameters<typeof refusing>[2],
): Promise<void> {
  const stage = await aTargetCluster();
  await stage.create();
  const refusals = refusing(stage, matches, answer);
  const actor = stage.actor([guarding({ task: created })], { times });
  const walk = actor.walk();
  for (let passed = 0; passed < 40_000; passed += 500) await stage.clock.advance(500);
  t.true(refusals.count > 5, `${refusals.count} refusals`);
  t.is((await stateOf(stage)).status, 'Locked');
  t.regex(conditionOf(await stage.read(), 'DNS').reason, /; what came of it is not written yet: /);
  t.true(conditionOf(await stage.read(), 'DNS').reason.includes(answer.message));
  const told = actor.events.find(({ reason }) => reason === 'OutcomeNotWritten');
  t.true(told?.message.includes(answer.message), JSON.stringify(actor.events));
  refusals.over = true;
  await passing(stage, walk).catch(() => undefined); // given up for now; the mirror holds the pending outcome
  for (let later = 0; later < 2; later += 1) {
    await passing(stage, actor.walk());
    await stage.clock.advance(30_000);
  }
  t.like(await stateOf(stage), { status: 'Completed', entry: { phase: 'done', refs: [{ id: 'a' }] } });
}

test('F33: an outcome that a webhook rejects is tried until it is let through, and an event says what is in the way', (t) =>
  heldUp(t, isStatusPatch('done'), {
    code: 400,
    reason: 'BadRequest',
    message: 'admission webhook "policy.example.com" denied the request',
  }));

test('F33: so is an outcome that a policy rejects as invalid, whatever it says', (t) =>
  heldUp(t, isStatusPatch('done'), {
    code: 422,
    reason: 'Invalid',
    message: 'status.reason: longer than this cluster takes',
  }));

test('F34: rights that are revoked in mid-run cost no id: the outcome is there once they are back', (t) =>
  heldUp(t, (request) => request.method === 'PATCH' && /"phase":"done"|external/.test(textOf(request)), {
    code: 403,
    reason: 'Forbidden',
    message: 'workspaces.se.quencer.io "shop" is forbidden',
  }));

test('F35: an object at its size limit takes no mirror: the journal alone holds the ids, and an event says so', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const big = 'x'.repeat(262_144 - 60);
  await stage.client.patch(Workspace, key, {
    type: 'merge',
    value: { metadata: { annotations: { 'example.com/big': big } } },
  });
  const actor = stage.actor([guarding({ task: created })], { times });
  await passing(stage, actor.walk());
  const { status, entry, workspace } = await stateOf(stage);
  t.is(status, 'Completed');
  t.deepEqual(entry?.refs, [{ id: 'a' }]);
  t.is(workspace.metadata.annotations?.['external.se.quencer.io/DNS'], undefined);
  t.true(actor.events.some(({ reason }) => reason === 'MirrorRefused'));
});

const named = (name: string, type: string, task: Task): Integration => ({
  ...guarding({ task }),
  name,
  condition: type,
});

test('F17: two integrations work on two conditions at once, and neither waits for the other, nor loses its ids', async (t) => {
  const stage = await aTargetCluster();
  const working = new Set<string>();
  const both = Promise.withResolvers<void>();
  const task =
    (id: string): Task =>
    async () => {
      working.add(id);
      if (working.size === 2) both.resolve();
      await both.promise;
      return { status: 'Completed', reason: 'made', refs: [{ id }] };
    };
  const failing: Task = async () => {
    throw new DefiniteError('no');
  };
  await stage.create();
  const all = [named('one', 'One', task('1')), named('two', 'Two', task('2')), named('bad', 'Bad', failing)];
  await t.throwsAsync(passing(stage, stage.actor(all, { times }).walk()), { message: 'no' });
  const workspace = await stage.read();
  for (const [type, id] of [
    ['One', '1'],
    ['Two', '2'],
  ] as const) {
    t.deepEqual(workspace.status?.guards?.[type]?.refs, [{ id }]);
    t.deepEqual(mirroredRefs(workspace, type), [{ id }]);
  }
  t.is(conditionOf(workspace, 'Bad').status, 'Error');
});

test('F18: of two workspaces that want the same name outside the first has it; the second says so and takes nothing', async (t) => {
  const { stage, party, actor } = await aKeeper('name');
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await stage.create(boxes({ a: 2 }), 'other');
  await t.throwsAsync(actor.walk('other'), { message: /box a exists and has another owner/ });
  await stage.delete('other');
  await actor.walk('other');
  await t.throwsAsync(stage.read('other'), { name: 'NotFoundError' });
  t.deepEqual(party.calls, ['create a']);
  t.like(party.boxes, { length: 1, 0: { size: 1 } });
});

test('F40: a storm of throttling is not answered with more requests: one call for each time that was reported', async (t) => {
  const stage = await aTargetCluster();
  let calls = 0;
  const task: Task = async () => {
    calls += 1;
    if (calls < 6) throw new ThrottledError('slow down', 1_000);
    return created();
  };
  await stage.create();
  const actor = stage.actor([guarding({ task })], { times });
  for (let walk = 1; walk < 6; walk += 1) {
    await t.throwsAsync(actor.walk(), { instanceOf: ThrottledError });
    t.deepEqual(
      await actor.walk(),
      { requeueAfter: 1_000 },
      'whatever else makes it walk, the third party is left alone',
    );
    t.is(calls, walk);
    await stage.clock.advance(1_000);
  }
  await actor.walk();
  t.like(await stateOf(stage), { status: 'Completed', entry: { attempt: 6 } });
});

test('F41: a key whose validity is over when its holder is known to be dead is not used again: a person is asked', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('key', { validForMs: 3_600_000 + 20_000 });
  party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
  await stage.create(boxes({ a: 1 }));
  await t.throwsAsync(actor.walk());
  actor.die();
  const next = heir();
  await next.walk();
  await stage.clock.advance(22_000);
  await next.walk();
  t.is(party.boxes.length, 1);
  t.regex(conditionOf(await stage.read(), 'Boxes').reason, /may have forgotten its key/);
});

test('F45: an id that points to another owner’s thing by now: every call says whose it should be, and nothing of theirs is touched', async (t) => {
  const marks: string[] = [];
  const { stage, party } = await aKeeper('tag');
  const careful = party.resource('tag', {
    driftInterval: 1_000,
    observe: async ({ id }, { owner }) => {
      marks.push(owner.mark);
      const found = party.boxes.find((box) => box.id === id && box.mark === owner.mark);
      return found && { state: { size: found.size } };
    },
    delete: async ({ id }, { owner }) => {
      marks.push(owner.mark);
      const index = party.boxes.findIndex((box) => box.id === id && box.mark === owner.mark);
      if (index !== -1) party.boxes.splice(index, 1);
      return 'gone';
    },
  });
  const actor = stage.actor([boxKeeper(careful)], { times });
  const { metadata } = await stage.create(boxes({ a: 1 }));
  await actor.walk();
  const [ours] = party.boxes;
  party.boxes[0] = { ...ours!, mark: 'somebody', size: 9 };
  await stage.clock.advance(2_000);
  await actor.walk();
  t.deepEqual(
    party.boxes.map(({ size }) => size),
    [9, 1],
    'a new one was made beside it',
  );
  await stage.delete();
  await actor.walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.deepEqual(
    party.boxes.map(({ mark }) => mark),
    ['somebody'],
  );
  t.true(marks.length > 1 && marks.every((mark) => mark === `${metadata.uid}/Boxes/a`));
});

test('F52: our finalizer removed by others: nothing outside is touched before it is back, and the journal still knows all', async (t) => {
  const { stage, party, actor } = await aKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { boxes: { b: 1 } } } } });
  const claims: string[][] = [];
  stage.cluster.intercept(async (request, next) => {
    if (isStatusPatch('intent')(request)) claims.push([...((await stage.read()).metadata.finalizers ?? [])]);
    return next(request);
  });
  await actor.walk();
  t.deepEqual(party.calls, ['create a', 'create b']);
  t.deepEqual(claims, [['se.quencer.io/boxes']]);
  await stage.delete();
  await actor.walk();
  t.is(party.boxes.length, 0);
});

test('a mirror that cannot be written for lack of a right does not hold the outcome up', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  refusing(stage, isMirror, { code: 403, reason: 'Forbidden', message: 'no' });
  const actor = stage.actor([guarding({ task: created })], { times });
  await passing(stage, actor.walk());
  t.like(await stateOf(stage), { status: 'Completed', entry: { refs: [{ id: 'a' }] } });
  t.true(actor.events.some(({ reason }) => reason === 'MirrorRefused'));
});
