import test from 'ava';
import { conditionOf, type RateLimits, ThrottledError } from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { boxes, times } from '../a-keeper.ts';
import { aThirdParty, boxKeeper } from '../a-third-party.ts';
import { created, guarding } from '../guarding.ts';

/** Boxes behind a rate limiter. */
async function aScene(limits: RateLimits, more: Parameters<ReturnType<typeof aThirdParty>['resource']>[1] = {}) {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const actor = stage.actor([{ ...boxKeeper(party.resource('tag', more)), limits }], { times });
  const patches = () => stage.cluster.audit.filter(({ method }) => method === 'PATCH').length;
  const said = async (name = 'shop') => {
    const { status, reason } = conditionOf(await stage.read(name), 'Boxes');
    return `${status}: ${reason}`;
  };
  return { stage, party, actor, patches, said };
}

test('each guarded change takes a turn; a change that has to wait locks nothing and comes back when it is its turn', async (t) => {
  const { stage, party, actor } = await aScene({ rate: 0.5, burst: 2 });
  await stage.create(boxes({ a: 1, b: 1, c: 1 }));
  t.deepEqual(await actor.walk(), { requeueAfter: 2_000 });
  t.deepEqual(party.calls, ['create a', 'create b']);
  t.not((await stage.read()).status?.guards?.Boxes?.phase, 'intent');
  await stage.clock.advance(2_000);
  await actor.walk();
  t.deepEqual(party.calls, ['create a', 'create b', 'create c']);
  t.is(conditionOf(await stage.read(), 'Boxes').status, 'Completed');
});

test('a caller that asks too early writes nothing and keeps its place', async (t) => {
  const { stage, actor, patches } = await aScene({ rate: 0.5, burst: 1 });
  await stage.create(boxes({ a: 1 }));
  await stage.create(boxes({ a: 1 }), 'other');
  await actor.walk();
  await actor.walk('other');
  const before = patches();
  await stage.clock.advance(500);
  t.deepEqual(await actor.walk('other'), { requeueAfter: 1_500 });
  t.is(patches(), before);
});

test('one that is throttled makes all that use its credential wait, without a request; others do not notice', async (t) => {
  const limits: RateLimits = { rate: 10, credential: ({ metadata }) => metadata.name.split('-')[0]! };
  const { stage, party, actor, said } = await aScene(limits);
  for (const name of ['one-a', 'one-b', 'two-a']) await stage.create(boxes({ a: 1 }), name);
  party.faults.push({ call: 'create', carriedOut: false, error: new ThrottledError('slow down', 60_000) });
  await t.throwsAsync(actor.walk('one-a'), { instanceOf: ThrottledError });
  t.deepEqual(await actor.walk('one-b'), { requeueAfter: 60_000 });
  t.is(await said('one-b'), 'Waiting: circuit breaker open for credential "one": third party failing or throttling');
  await actor.walk('two-a');
  t.is(await said('two-a'), 'Completed: box a is there');
  t.deepEqual(party.calls, ['create a']);
  await stage.clock.advance(60_000);
  await actor.walk('one-b');
  t.is(await said('one-b'), 'Completed: box a is there');
});

test('after several failures in a row the circuit breaker opens, and the condition says so', async (t) => {
  const { stage, party, actor, said } = await aScene({ rate: 10, breaker: { failures: 2, pause: 30_000 } });
  for (const name of ['a', 'b', 'c']) {
    await stage.create(boxes({ a: 1 }), name);
    party.faults.push({ call: 'create', carriedOut: false, error: new Error('502') });
  }
  for (const name of ['a', 'b']) await t.throwsAsync(actor.walk(name));
  t.deepEqual(await actor.walk('c'), { requeueAfter: 30_000 });
  t.is(party.faults.length, 1, 'the third was not sent');
  t.is(await said('c'), 'Waiting: circuit breaker open: third party failing or throttling');
});

test('looking for drift takes turns too, and a look that has to wait is not skipped', async (t) => {
  let looks = 0;
  const { stage, actor } = await aScene(
    { rate: 0.1, burst: 2 },
    {
      driftInterval: 60_000,
      observe: async () => {
        looks += 1;
        return { state: { size: 1 } };
      },
    },
  );
  await stage.create(boxes({ a: 1, b: 1 }));
  const { requeueAfter = 0 } = await actor.walk();
  t.is(looks, 0);
  await stage.clock.advance(requeueAfter);
  await actor.walk();
  t.is(looks, 1);
  await stage.clock.advance(10_000);
  await actor.walk();
  t.is(looks, 2);
});

test('a turn whose guard was refused is given to the next', async (t) => {
  const stage = await aTargetCluster();
  const dying = stage.actor([guarding({ task: () => new Promise(() => {}) })], { holder: 'dead', times });
  await stage.create();
  await stage.create({}, 'other');
  void dying.walk();
  for (let turn = 0; turn < 20; turn += 1) await stage.clock.advance(0);
  const plan = { task: created, before: async () => {} };
  const actor = stage.actor([{ ...guarding(plan), limits: { rate: 0.01, burst: 1 } }], { times });
  await actor.walk();
  await actor.walk('other');
  t.is(conditionOf(await stage.read('other'), 'DNS').status, 'Completed');
});

test('a wait longer than the lease is not a lost journal: afterwards it begins at once, and no person is asked', async (t) => {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const limits: RateLimits = { rate: 0.01, burst: 1 };
  const actor = stage.actor([{ ...boxKeeper(party.resource('opaque')), limits }], { times });
  await stage.create(boxes({ a: 1 }), 'first');
  await stage.create(boxes({ a: 1 }));
  await actor.walk('first');
  const { requeueAfter = 0 } = await actor.walk();
  t.is((await stage.read()).status?.guards?.Boxes?.phase, 'none');
  await stage.clock.advance(requeueAfter);
  await actor.walk();
  t.is(conditionOf(await stage.read(), 'Boxes').reason, 'box a is there');
});

test('what is deleted while it waits in line is gone at once', async (t) => {
  const { stage, party, actor } = await aScene({ rate: 0.01, burst: 1 });
  for (const name of ['first', 'second']) {
    await stage.create(boxes({ a: 1 }), name);
    await actor.walk(name);
  }
  await stage.delete('second');
  await actor.walk('second');
  await t.throwsAsync(stage.read('second'), { name: 'NotFoundError' });
  t.deepEqual(party.calls, ['create a']);
});

test('looks under a policy that changes nothing take turns as well, and what was seen last stays said', async (t) => {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const resource = party.resource('tag', { driftInterval: 1_000 });
  const limits: RateLimits = { rate: 0.01, burst: 1 };
  const keeper = boxKeeper(resource);
  await stage.create(boxes({ a: 1 }));
  await stage.actor([keeper], { times }).walk();
  const watching = stage.actor([{ ...keeper, limits, policy: 'observeOnly' as const }], { holder: 'two', times });
  party.boxes[0] = { ...party.boxes[0]!, size: 7 };
  await watching.walk();
  const { reason } = conditionOf(await stage.read(), 'Boxes');
  t.is(reason, 'observeOnly: box a differs (size is 7, wanted 1)');
  t.deepEqual(await watching.walk(), { requeueAfter: 100_000 });
  t.is(conditionOf(await stage.read(), 'Boxes').reason, reason);
});

const nameless: readonly (readonly [credential: () => unknown, found: RegExp])[] = [
  [() => undefined, /limits\.credential must return a string of at most 253 characters; found undefined$/],
  [async () => 'one', /found a Promise$/],
  [
    () => {
      throw new Error('no team');
    },
    /limits\.credential must not throw; it threw no team$/,
  ],
];
for (const [credential, found] of nameless)
  test(`a credential that is not named as it should costs its own condition alone: ${found.source}`, async (t) => {
    const [stage, party] = [await aTargetCluster(), aThirdParty()];
    const limits = { rate: 1, credential } as RateLimits;
    await stage.create(boxes({ a: 1 }));
    const actor = stage.actor([{ ...boxKeeper(party.resource('tag')), limits }, guarding({ task: created })], {
      times,
    });
    await t.throwsAsync(actor.walk(), { name: 'ContractError', message: found });
    const workspace = await stage.read();
    t.like(conditionOf(workspace, 'Boxes'), { status: 'Error' });
    t.regex(conditionOf(workspace, 'Boxes').reason, /^integration "boxes" \(condition Boxes\): limits\.credential/);
    t.is(conditionOf(workspace, 'DNS').status, 'Completed');
    t.deepEqual(party.calls, []);
  });
