import test, { type ExecutionContext } from 'ava';
import { DefiniteError, type ExternalResource, Secret, Workspace } from '../../../../../sdk/index.ts';
import { signedText } from '../../../a-seal.ts';
import type { Actor, TargetCluster } from '../../../a-target-cluster.ts';
import { aKeeper, boxes, key, makeWithoutAnswer, said, times, want } from '../a-keeper.ts';
import { type Box, type BoxId, boxKeeper, type ThirdParty } from '../a-third-party.ts';

type Resource = ExternalResource<Box, BoxId>;

/** Boxes that become ready on command. */
function slow(party: ThirdParty, identity: 'name' | 'tag' | 'opaque', more: Partial<Resource> = {}) {
  const plain = party.resource(identity);
  const state = { ready: false };
  const resource = party.resource(identity, {
    create: async (...asked) => ({ ...(await plain.create(...asked)), ready: state.ready }),
    observe: async ({ id }) =>
      party.boxes.some((box) => box.id === id) ? { state: {}, ready: state.ready } : undefined,
    ...more,
  });
  return { state, resource };
}

interface Scene {
  readonly stage: TargetCluster;
  readonly party: ThirdParty;
  readonly actor: Actor;
  readonly state: { ready: boolean };
}

/** Checks that a box is created once, waited for, and counted once it is ready. */
async function countsOnceReady(t: ExecutionContext, { stage, party, actor, state }: Scene): Promise<void> {
  t.deepEqual(await actor.walk(), { requeueAfter: 5_000 });
  t.is(await said(stage), 'In Progress: box is being made');
  state.ready = true;
  await actor.walk();
  t.is(await said(stage), 'Completed: box a is there');
  t.deepEqual(party.calls, ['create a']);
}

for (const identity of ['name', 'tag'] as const) {
  test(`what was made and is found again by its ${identity} counts as there once it is ready, and no earlier`, async (t) => {
    const { stage, party } = await aKeeper(identity);
    const { state, resource } = slow(party, identity);
    const actor = stage.actor([boxKeeper(resource)], { times });
    await makeWithoutAnswer(stage, party, actor);
    await countsOnceReady(t, { stage, party, actor, state });
  });
}

test('what is made in place of what was removed outside counts as there once it is ready', async (t) => {
  const { stage, party } = await aKeeper('tag');
  const { state, resource } = slow(party, 'tag', { driftInterval: 60_000 });
  const actor = stage.actor([boxKeeper(resource)], { times });
  state.ready = true;
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  party.boxes.splice(0);
  state.ready = false;
  await stage.clock.advance(60_000);
  t.deepEqual(await actor.walk(), { requeueAfter: 5_000 });
  t.is(await said(stage), 'In Progress: box is being made');
  state.ready = true;
  await actor.walk();
  t.is(await said(stage), 'Completed: box a is there');
  t.deepEqual(party.calls, ['create a', 'create a']);
});

test('what is wanted otherwise while it is being made is changed as soon as it is ready', async (t) => {
  const { stage, party } = await aKeeper('tag');
  const { state, resource } = slow(party, 'tag');
  const actor = stage.actor([boxKeeper(resource)], { times });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await want(stage, { a: 2 });
  t.deepEqual(await actor.walk(), { requeueAfter: 5_000 });
  state.ready = true;
  await actor.walk();
  t.deepEqual(party.calls, ['create a', 'update a']);
  t.is(await said(stage), 'Completed: box a is there');
});

test('what a person names counts as there once it is ready, with its secret, and no earlier', async (t) => {
  const { stage, party } = await aKeeper('opaque');
  const { state, resource } = slow(party, 'opaque', { secretOf: async ({ id }) => ({ password: `of ${id}` }) });
  const actor = stage.actor([boxKeeper(resource)], { times });
  await makeWithoutAnswer(stage, party, actor);
  await stage.clock.advance(22_000);
  await actor.walk();
  const token = (await stage.read()).status?.guards?.Boxes?.token;
  const text = signedText(await stage.read(), 'Boxes', `adopt@${token}=${party.boxes[0]?.id}`);
  const annotations = { 'resolve.se.quencer.io/Boxes': text };
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await countsOnceReady(t, { stage, party, actor, state });
  const { data } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-boxes-a' });
  t.is(Buffer.from(data?.password ?? '', 'base64').toString(), 'of box-1');
});

/** Boxes that are made without their size, which the first update gives them. */
const inTwoSteps = (party: ThirdParty): Partial<Resource> => {
  const { create, observe } = party.resource('name');
  return {
    create: async (wanted, context) => ({ ...(await create({ ...wanted, size: 0 }, context)), upToDate: false }),
    observe: observe!,
  };
};

test('what is made and not yet as wanted is changed at once, and is not Completed before', async (t) => {
  const { stage, party } = await aKeeper('name');
  const actor = stage.actor([boxKeeper(party.resource('name', inTwoSteps(party)))], { times });
  party.faults.push({ call: 'update', carriedOut: false, error: new DefiniteError('not today') });
  await stage.create(boxes({ a: 1 }));
  await t.throwsAsync(actor.walk(), { message: 'not today' });
  t.is(await said(stage), 'Error: not today');
  await actor.walk();
  t.is(await said(stage), 'Completed: box a is there');
  t.deepEqual(party.calls, ['create a', 'update a']);
});

test('what was made halfway by an attempt without an answer is found, and changed before it counts as there', async (t) => {
  const { stage, party } = await aKeeper('name');
  const actor = stage.actor([boxKeeper(party.resource('name', inTwoSteps(party)))], { times });
  await makeWithoutAnswer(stage, party, actor);
  party.faults.push({ call: 'update', carriedOut: false, error: new DefiniteError('not today') });
  await t.throwsAsync(actor.walk(), { message: 'not today' });
  await actor.walk();
  t.is(await said(stage), 'Completed: box a is there');
  t.deepEqual(party.calls, ['create a', 'update a']);
  t.deepEqual(
    actor.events.filter(({ reason }) => reason === 'Drifted'),
    [],
  );
});

test('an id with half of a character in it, which no API server stores, is refused: nothing is deleted by what came of it', async (t) => {
  const deleted: unknown[] = [];
  const { stage, actor } = await aKeeper('tag', {
    create: async () => ({ id: { id: 'box-\ud83d' } }),
    find: async () => undefined,
    delete: async (id) => {
      deleted.push(id);
      return 'gone';
    },
  });
  await stage.create(boxes({ a: 1 }));
  for (let walks = 0; walks < 4; walks += 1) await actor.walk().catch(() => undefined);
  t.regex(await said(stage), /^Locked: .*create: id must have well-formed texts; found half of a character/);
  t.deepEqual(deleted, []);
});
