import test, { type ExecutionContext } from 'ava';
import {
  conditionOf,
  DefiniteError,
  type ExternalResource,
  mirrorAnnotation,
  Workspace,
} from '../../../../../sdk/index.ts';
import { mirroredRefs } from '../../../a-seal.ts';
import { aTargetCluster, type TargetCluster } from '../../../a-target-cluster.ts';
import { boxes, restored, times } from '../../../sdk/provider/a-keeper.ts';
import { aThirdParty, type Box, type BoxId, boxKeeper, type ThirdParty } from '../../../sdk/provider/a-third-party.ts';

type More = Partial<ExternalResource<Box, BoxId>>;
const unobserved: More = { observe: undefined } as unknown as More;
const mirror = mirrorAnnotation('Boxes');

async function aScene(identity: ExternalResource<Box, BoxId>['identity'], more: More = {}) {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const actor = target.actor([boxKeeper(party.resource(identity, more))], { times });
  return { stage: target, party, actor };
}

/** Reconciles for longer than any wait for a lost answer. */
async function settled(
  target: TargetCluster,
  actor: { walk(name?: string): Promise<unknown> },
  name = 'shop',
): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) {
    await actor.walk(name).catch(() => undefined);
    await target.clock.advance(24_000);
  }
}

const sizes = ({ boxes: all }: ThirdParty): readonly string[] => all.map(({ name, size }) => `${name} ${size}`).sort();

/**
 * Does `kubectl get -o yaml
 * sed s/shop/copy/
 * kubectl create -f -`.
 */
async function copied(target: TargetCluster, { finalizers }: { readonly finalizers: boolean }): Promise<void> {
  const { metadata } = await target.read();
  const kept = {
    annotations: metadata.annotations ?? {},
    ...(finalizers && { finalizers: metadata.finalizers ?? [] }),
  };
  await target.client.create(Workspace, {
    metadata: { namespace: 'default', name: 'copy', ...kept },
    spec: boxes({ a: 7 }),
  });
}

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  for (const finalizers of [true, false])
    for (const [title, more] of [
      ['with', {}],
      ['without', unobserved],
    ] as const)
      test(`a copy ${finalizers ? 'with' : 'without'} finalizers touches nothing of its original (${identity}, ${title} observe)`, async (t) => {
        const { stage: target, party, actor } = await aScene(identity, more);
        await target.create(boxes({ a: 1 }));
        await actor.walk();
        await copied(target, { finalizers });
        await settled(target, actor, 'copy');
        t.is(party.boxes[0]?.size, 1, 'the original is as it was');
        t.true(actor.events.some(({ reason, about }) => reason === 'ForeignIds' && about === 'default/copy'));
        await target.delete('copy');
        await settled(target, actor, 'copy');
        await t.throwsAsync(target.read('copy'), { name: 'NotFoundError' });
        t.deepEqual(sizes(party), ['a 1']);
        await actor.walk();
        t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
      });

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  test(`an annotation kept from before a deletion reaches nothing of another owner whose mark is answered (${identity})`, async (t) => {
    const { stage: target, party } = await aScene(identity);
    const markOf = ({ id }: BoxId) => party.boxes.find((box) => box.id === id)?.mark;
    const plain = party.resource(identity);
    const observe: typeof plain.observe = async (id, context) => {
      const found = await plain.observe?.(id, context);
      const mark = markOf(id);
      return found && { ...found, ...(mark !== undefined && { mark }) };
    };
    const actor = target.actor([boxKeeper(party.resource(identity, { observe }))], { times });
    await target.create(boxes({ a: 1 }));
    await settled(target, actor);
    const { annotations } = (await target.read()).metadata;
    await target.delete();
    await settled(target, actor);
    t.deepEqual(party.boxes, []);
    party.boxes.push({ id: 'box-1', name: 'theirs', size: 9, mark: 'theirs', key: 'theirs' }); // the id, given again
    const metadata = { namespace: 'default', name: 'shop', ...(annotations && { annotations }) };
    await target.client.create(Workspace, { metadata, spec: boxes({ a: 7 }) });
    await settled(target, actor);
    t.regex(conditionOf(await target.read(), 'Boxes').reason, /bears the mark of theirs: it is neither changed/);
    await target.delete();
    await settled(target, actor);
    t.deepEqual(sizes(party), ['theirs 9']);
    t.true(actor.events.some(({ reason }) => reason === 'NotOurs'));
  });

test('ids that a tenant writes into the annotation are not used, reported once, and removed', async (t) => {
  const { stage: target, party, actor } = await aScene('opaque');
  await target.create(boxes({ a: 1 }));
  await actor.walk();
  const [victim] = party.boxes;
  const metadata = {
    namespace: 'default',
    name: 'evil',
    annotations: { [mirror]: JSON.stringify([{ slot: 'a', id: { id: victim?.id }, hash: '' }]) },
  };
  await target.client.create(Workspace, { metadata, spec: boxes({}) });
  await settled(target, actor, 'evil');
  t.is(actor.events.filter(({ reason }) => reason === 'ForeignIds').length, 1);
  t.deepEqual(mirroredRefs(await target.read('evil'), 'Boxes'), [], 'the operator’s own is there instead');
  await target.delete('evil');
  await settled(target, actor, 'evil');
  await t.throwsAsync(target.read('evil'), { name: 'NotFoundError' });
  t.deepEqual(sizes(party), ['a 1']);
});

test('ids that a tenant writes beside those of a workspace at work change nothing', async (t) => {
  const { stage: target, party, actor } = await aScene('opaque');
  await target.create(boxes({ a: 1 }));
  await actor.walk();
  party.boxes.push({ id: 'db-1', name: 'a', size: 5, mark: 'somebody', key: 'other' });
  const annotations = { [mirror]: '[{"slot":"a","id":{"id":"db-1"},"hash":""}]' };
  await target.client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { metadata: { annotations } } },
  );
  await settled(target, actor);
  await target.delete();
  await settled(target, actor);
  t.deepEqual(
    party.boxes.map(({ id }) => id),
    ['db-1'],
  );
});

test('a mirror of its own that a tenant puts back later names nothing any more: its ids may be another’s by now', async (t) => {
  const { stage: target, party, actor } = await aScene('opaque');
  const key = { namespace: 'default', name: 'shop' };
  await target.create(boxes({ a: 1, b: 2 }));
  await actor.walk();
  const old = (await target.read()).metadata.annotations?.[mirror] ?? '';
  const b = party.boxes.find(({ name }) => name === 'b');
  await target.client.patch(Workspace, key, { type: 'merge', value: { spec: boxes({ a: 1, b: null } as never) } });
  await actor.walk();
  party.boxes.push({ ...b!, mark: 'somebody' }); // the third party transfers the id to another owner
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: { [mirror]: old } } } });
  await settled(target, actor);
  await target.delete();
  await settled(target, actor);
  t.deepEqual(
    party.boxes.map(({ id }) => id),
    [b?.id],
  );
});

async function takesOver(
  t: ExecutionContext,
  scene: Awaited<ReturnType<typeof aScene>>,
  finalizers: boolean,
): Promise<void> {
  const { stage: target, party, actor } = scene;
  await target.create(boxes({ a: 1, b: 2 }));
  await actor.walk();
  const ids = party.boxes.map(({ id }) => id);
  await restored(target, { finalizers });
  await settled(target, actor);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed', conditionOf(await target.read(), 'Boxes').reason);
  t.deepEqual(
    party.boxes.map(({ id }) => id),
    ids,
    'the same things',
  );
  t.is(actor.events.filter(({ reason }) => reason === 'Restored').length, 1);
  await target.delete();
  await settled(target, actor);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.deepEqual(party.boxes, []);
}

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  for (const finalizers of [true, false])
    test(`a workspace restored from a backup ${finalizers ? 'with' : 'without'} finalizers takes its things over (${identity})`, async (t) =>
      takesOver(t, await aScene(identity), finalizers));

test('what was removed before a restore is made again', async (t) => {
  const { stage: target, party, actor } = await aScene('tag');
  await target.create(boxes({ a: 1 }));
  await actor.walk();
  await restored(target, { finalizers: true });
  party.boxes.length = 0;
  await settled(target, actor);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
  t.deepEqual(sizes(party), ['a 1']);
});

test('a search for what a restored workspace had that fails is made again, until it comes to an end', async (t) => {
  let refusals = 1;
  const {
    stage: target,
    party,
    actor,
  } = await aScene('tag', {
    find: async ({ mark }: { readonly mark: string }) => {
      const found = party.boxes.find((box) => box.mark === mark);
      if (party.boxes.length > 0 && refusals-- > 0) throw new DefiniteError('refused');
      return found && { id: found.id };
    },
  } as More);
  await target.create(boxes({ a: 1 }));
  await actor.walk();
  await restored(target, { finalizers: true });
  await settled(target, actor);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed', conditionOf(await target.read(), 'Boxes').reason);
  t.deepEqual(sizes(party), ['a 1']);
});
