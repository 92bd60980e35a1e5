import test from 'ava';
import { DefiniteError, Workspace } from '../../../../sdk/index.ts';
import { mirroredRefs, signedText } from '../../a-seal.ts';
import { refusing, type TargetCluster } from '../../a-target-cluster.ts';
import { aKeeper, boxes, key, listing, said, settled, want } from './a-keeper.ts';
import type { BoxId, Stored } from './a-third-party.ts';
import { isMirror } from './guarding.ts';

/** Restores without status, and replaces without annotations. */
async function lose(stage: TargetCluster): Promise<void> {
  const operations = [{ op: 'remove', path: '/status' }] as const;
  await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
}

test('several opaque things whose journal was lost are named by a person at once, and none is made twice', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('opaque');
  await stage.create(boxes({ a: 1, b: 2, c: 3 }));
  await actor.walk();
  await lose(stage);
  const next = heir();
  await settled(stage, next);
  t.regex(await said(stage), /^Unknown: /);
  const token = (await stage.read()).status?.guards?.Boxes?.token;
  const answer = party.boxes.map(({ name, id }) => ({ slot: name, id }));
  const text = signedText(await stage.read(), 'Boxes', `adopt@${token}=${JSON.stringify(answer)}`);
  const annotations = { 'resolve.se.quencer.io/Boxes': text };
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await settled(stage, next);
  t.is(await said(stage), 'Completed: 3 × box: a, b, c');
  await stage.delete();
  await next.walk();
  t.deepEqual(party.calls.filter((call) => call.startsWith('create')).length, 3);
  t.is(party.boxes.length, 0);
});

for (const identity of ['tag', 'name', 'key'] as const)
  test(`after a lost journal what the spec does not name any more is found by findAll, and goes (${identity})`, async (t) => {
    const kept: Stored[] = [];
    const { stage, party, actor, heir } = await aKeeper(identity, listing(kept));
    await stage.create(boxes({ a: 1, b: 2 }));
    await actor.walk();
    await lose(stage);
    await want(stage, { b: null });
    kept.push(...party.boxes);
    await settled(stage, heir());
    t.deepEqual(
      party.boxes.map(({ name }) => name),
      ['a'],
    );
    t.is(await said(stage), 'Completed: box a is there');
  });

test('a deletion after a lost journal removes what the spec does not name any more', async (t) => {
  const kept: Stored[] = [];
  const { stage, party, actor, heir } = await aKeeper('tag', listing(kept));
  await stage.create(boxes({ a: 1, b: 2 }));
  await actor.walk();
  await lose(stage);
  await want(stage, { b: null });
  await stage.delete();
  kept.push(...party.boxes);
  await settled(stage, heir());
  t.is(party.boxes.length, 0);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('an id that came back late for something that is there already is a duplicate: it is reported, and goes', async (t) => {
  const { stage, party, actor } = await aKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  const [first] = party.boxes;
  party.boxes.push({ ...first!, id: 'box-9' });
  const [object] = (await stage.read()).status?.guards?.Boxes?.refs ?? [];
  const late = [{ ...object, id: { id: 'box-9' } }];
  await stage.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { guards: { Boxes: { late } } } } },
    { subresource: 'status' },
  );
  await actor.walk();
  await actor.walk();
  t.is(party.boxes.length, 1);
  t.is(await said(stage), 'Completed: box a is there');
  t.true(actor.events.some(({ reason, message }) => reason === 'Duplicate' && message.includes('box a existed twice')));
  const { refs, late: left } = (await stage.read()).status?.guards?.Boxes ?? {};
  t.is(refs?.length, 1);
  t.is(left, undefined);
});

test('an id in the mirror whose thing was removed before the journal was lost is not taken for a thing', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('tag');
  await stage.create(boxes({ a: 1, b: 2 }));
  await actor.walk();
  const before = (await stage.read()).metadata.annotations?.['external.se.quencer.io/Boxes'] ?? '';
  await want(stage, { b: null });
  await actor.walk();
  await lose(stage);
  const annotations = { 'external.se.quencer.io/Boxes': before };
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await want(stage, { b: 2 });
  await settled(stage, heir());
  t.deepEqual(party.boxes.map(({ name, size }) => `${name} ${size}`).sort(), ['a 1', 'b 2']);
});

for (const [call, change] of [
  ['update', { a: 2 }],
  ['delete', { a: null }],
] as const)
  test(`a lost ${call} that is refused when it is asked for again is not forgotten when the spec is put back`, async (t) => {
    const { stage, party, actor } = await aKeeper('tag');
    await stage.create(boxes({ a: 1, b: 1 }));
    await actor.walk();
    party.faults.push({ call, carriedOut: true, error: new Error('reset') });
    party.faults.push({ call, carriedOut: false, error: new DefiniteError('not now') });
    await want(stage, change);
    await actor.walk().catch(() => undefined);
    await settled(stage, actor).catch(() => undefined);
    t.deepEqual(party.faults, []);
    await want(stage, { a: 1 });
    await settled(stage, actor);
    t.deepEqual(party.boxes.map(({ name, size }) => `${name} ${size}`).sort(), ['a 1', 'b 1']);
  });

test('objects that vanished with the journal are created again, although the inventory makes them wait for lists', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('name', { listLagMs: 3_000, findAll: async () => [] });
  await stage.create(boxes({ a: 1, b: 1 }));
  await actor.walk();
  const operations = [{ op: 'remove', path: '/status' }] as const;
  await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  party.boxes.splice(0);
  const next = heir();
  for (let walks = 0; walks < 20; walks += 1) {
    await next.walk().catch(() => undefined);
    await stage.clock.advance(3_000);
  }
  t.deepEqual(party.boxes.map(({ name }) => name).sort(), ['a', 'b']);
  t.is(await said(stage), 'Completed: 2 × box: a, b');
});

test('objects that vanished with the journal are all created again, although each creation makes the others wait', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('key', { listLagMs: 3_000 });
  await stage.create(boxes({ a: 1, b: 1, c: 1 }));
  await actor.walk();
  const operations = [{ op: 'remove', path: '/status' }] as const;
  await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  party.boxes.splice(0);
  const next = heir();
  for (let walks = 0; walks < 12; walks += 1) {
    await next.walk().catch(() => undefined);
    await stage.clock.advance(6_000);
  }
  t.deepEqual(party.boxes.map(({ name }) => name).sort(), ['a', 'b', 'c']);
  t.is(await said(stage), 'Completed: 3 × box: a, b, c');
});

test('a status put back to before an update, and the spec to what it was then, is noticed by the process that made the update', async (t) => {
  const kept: { boxes: Stored[]; isDown: boolean } = { boxes: [], isDown: false };
  const observe = async ({ id }: BoxId) => {
    if (kept.isDown) throw new Error('reset');
    const box = kept.boxes.find((one) => one.id === id);
    return box && { state: { size: box.size } };
  };
  const { stage, party, actor } = await aKeeper('tag', { observe });
  kept.boxes = party.boxes;
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  const { status } = await stage.read();
  await want(stage, { a: 2 });
  await actor.walk();
  const operations = [{ op: 'replace', path: '/status', value: status }] as const;
  await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  await want(stage, { a: 1 });
  kept.isDown = true;
  await actor.walk().catch(() => undefined);
  t.regex(await said(stage), /^(In Progress|Error)/);
  t.true((await stage.read()).status?.guards?.Boxes?.lost, 'which a process after it would know');
  kept.isDown = false;
  await settled(stage, actor);
  t.deepEqual(
    party.boxes.map(({ size }) => size),
    [1],
  );
  t.is(await said(stage), 'Completed: box a is there');
  t.is((await stage.read()).status?.guards?.Boxes?.lost, undefined);
  const calls = party.calls.length;
  await settled(stage, actor);
  t.is(party.calls.length, calls, 'and is observed once');
});

test('while no mirror can be written, what is deleted is deleted once, and is made again once one can', async (t) => {
  const { stage, party, actor } = await aKeeper('key');
  await stage.create(boxes({ a: 1, b: 1 }));
  await actor.walk();
  const refusals = refusing(stage, isMirror, { code: 403, reason: 'Forbidden', message: 'no' });
  await want(stage, { b: null });
  await actor.walk();
  await actor.walk();
  t.deepEqual(party.calls, ['create a', 'create b', 'delete b']);
  t.deepEqual((await stage.read()).status?.guards?.Boxes?.dropped?.refs.length, 1);
  await want(stage, { b: 1 });
  await t.throwsAsync(actor.walk(), { name: 'ForbiddenError' });
  t.is(await said(stage), 'Error: no');
  refusals.over = true;
  await actor.walk();
  t.is(await said(stage), 'Completed: 2 × box: a, b');
  t.is(party.boxes.length, 2);
  await want(stage, { b: null });
  await actor.walk();
  t.is(mirroredRefs(await stage.read(), 'Boxes')?.length, 1);
  await stage.delete();
  await actor.walk();
  t.is(party.boxes.length, 0);
});
