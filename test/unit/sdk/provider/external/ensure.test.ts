import test from 'ava';
import { DefiniteError, mirrorAnnotation, type Ref, Secret, Workspace } from '../../../../../sdk/index.ts';
import { mirroredRefs, sealedMirror } from '../../../a-seal.ts';
import { aKeeper, boxes, key, makeWithoutAnswer, said, times, want } from '../a-keeper.ts';
import { boxKeeper } from '../a-third-party.ts';

test('several things are made in the order wanted, changed where they are, and removed in reverse', async (t) => {
  const { stage, party, actor } = await aKeeper();
  await stage.create(boxes({ a: 1, b: 2 }));
  await actor.walk();
  t.is(await said(stage), 'Completed: 2 × box: a, b');
  await want(stage, { a: 5, c: 1 });
  await actor.walk();
  await want(stage, { b: null });
  await actor.walk();
  await stage.delete();
  await actor.walk();
  t.deepEqual(party.calls, ['create a', 'create b', 'update a', 'create c', 'delete b', 'delete c', 'delete a']);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('a guarded creation costs four requests, a change or a removal two', async (t) => {
  const { stage, actor } = await aKeeper();
  const patches = async (work: () => Promise<unknown>): Promise<number> => {
    const before = stage.cluster.audit.length;
    await work();
    return stage.cluster.audit.slice(before).filter(({ method }) => method === 'PATCH').length;
  };
  const around = { first: 3, later: 1 };
  await stage.create(boxes({ a: 1 }));
  t.is(await patches(() => actor.walk()), around.first + 4, 'beside adopting, claiming and the summary');
  await want(stage, { a: 2 });
  t.is(await patches(() => actor.walk()), around.later + 2, 'beside the summary of a new generation');
});

test('what cannot be updated is deleted and made anew', async (t) => {
  const { stage, party, actor } = await aKeeper('tag', { update: undefined });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await want(stage, { a: 2 });
  await actor.walk();
  t.deepEqual(party.calls, ['create a', 'delete a', 'create a']);
  t.is(await said(stage), 'Completed: box a is there');
});

for (const identity of ['name', 'tag', 'key'] as const) {
  test(`F5: a creation whose answer was lost is found again by its ${identity}, and nothing is made twice`, async (t) => {
    const { stage, party, actor } = await aKeeper(identity);
    await makeWithoutAnswer(stage, party, actor);
    await actor.walk();
    t.is(party.boxes.length, 1);
    t.is(await said(stage), 'Completed: box a is there');
    await stage.delete();
    await actor.walk();
    t.is(party.boxes.length, 0);
  });

  test(`F4: a creation that never arrived is made by another process, once, by its ${identity}`, async (t) => {
    const { stage, party, actor, heir } = await aKeeper(identity);
    party.faults.push({ call: 'create', carriedOut: false, error: new Error('reset') });
    await stage.create(boxes({ a: 1 }));
    await t.throwsAsync(actor.walk());
    actor.die();
    const next = heir();
    await next.walk();
    await stage.clock.advance(22_000);
    await next.walk();
    t.deepEqual(party.calls, ['create a']);
    t.is(await said(stage), 'Completed: box a is there');
  });

  test(`D4: deleted while a creation is unresolved, nothing of it is left behind (${identity})`, async (t) => {
    const { stage, party, actor } = await aKeeper(identity);
    party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
    await stage.create(boxes({ a: 1 }));
    await t.throwsAsync(actor.walk());
    await stage.delete();
    await actor.walk();
    t.is(party.boxes.length, 1, 'not before its requests are dead');
    await stage.clock.advance(2_000);
    await actor.walk();
    t.is(party.boxes.length, 0);
    await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  });
}

test('F38: a thing of that name which is another owner’s is never taken', async (t) => {
  const { stage, party, actor } = await aKeeper('name');
  party.boxes.push({ id: 'theirs', name: 'a', size: 9, mark: 'somebody', key: 'x' });
  await stage.create(boxes({ a: 1 }));
  await t.throwsAsync(actor.walk(), { instanceOf: DefiniteError });
  t.regex(await said(stage), /^Error: box a exists and has another owner: a; have its owner remove it/);
  await stage.delete();
  await actor.walk();
  t.deepEqual(
    party.boxes.map(({ id }) => id),
    ['theirs'],
  );
});

test('G4: opaque, an unresolved creation is never made again, and deletion does not forget it', async (t) => {
  const { stage, party, actor } = await aKeeper('opaque');
  party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
  await stage.create(boxes({ a: 1 }));
  await t.throwsAsync(actor.walk());
  await stage.clock.advance(100_000);
  await actor.walk();
  t.regex(await said(stage), /^Unknown: whether "create"/);
  await stage.delete();
  await actor.walk();
  t.deepEqual(party.calls, ['create a']);
  t.truthy(await stage.read());
});

test('D13: a secret goes to a Secret that the workspace owns, and nowhere else', async (t) => {
  const { stage, party } = await aKeeper();
  const secretive = party.resource('tag', { create: async () => ({ id: { id: 'x' }, secret: { token: 'hush' } }) });
  await stage.create(boxes({ a: 1 }));
  await stage.actor([boxKeeper(secretive)], { times }).walk();
  const secret = await stage.client.get(Secret, { namespace: 'default', name: 'shop-boxes-a' });
  t.is(Buffer.from(secret.data?.token ?? '', 'base64').toString(), 'hush');
  t.is(secret.metadata.ownerReferences?.[0]?.name, 'shop');
  t.false(JSON.stringify(await stage.read()).includes('hush'));
});

test('what is found after its journal was lost may be older than what is wanted: it is changed', async (t) => {
  for (const identity of ['tag', 'name'] as const) {
    const { stage, party, actor, heir } = await aKeeper(identity);
    await stage.create(boxes({ a: 1 }));
    await actor.walk();
    await stage.client.patch(
      Workspace,
      key,
      { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
      { subresource: 'status' },
    );
    await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
    await want(stage, { a: 2 });
    const next = heir();
    await next.walk();
    await stage.clock.advance(22_000);
    await next.walk();
    t.is(await said(stage), 'Completed: box a is there');
    t.like(party.boxes, { length: 1, 0: { size: 2 } });
  }
});

test('after a lost journal all things are looked for, not only the first: none is made twice', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('tag');
  await stage.create(boxes({ a: 1, b: 2, c: 3 }));
  await actor.walk();
  await stage.client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
    { subresource: 'status' },
  );
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
  party.boxes.splice(0, 1);
  const next = heir();
  await next.walk();
  await stage.clock.advance(22_000);
  await next.walk();
  t.deepEqual(party.boxes.map(({ name, size }) => `${name} ${size}`).sort(), ['a 1', 'b 2', 'c 3']);
  t.regex(await said(stage), /^Completed: /);
});

test('after a lost journal what may have been made is looked for before anything else is changed', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('tag');
  await stage.create(boxes({ a: 1, b: 1 }));
  await actor.walk();
  const workspace = await stage.read();
  const [first] = mirroredRefs(workspace, 'Boxes') as readonly Ref[];
  const annotations = { [mirrorAnnotation('Boxes')]: sealedMirror(workspace, 'Boxes', { refs: [first!], token: 9 }) };
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await stage.client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
    { subresource: 'status' },
  );
  await want(stage, { a: 2 });
  const next = heir();
  await next.walk();
  await stage.clock.advance(22_000);
  await next.walk();
  t.deepEqual(
    party.boxes.map(({ name, size }) => `${name} ${size}`),
    ['a 2', 'b 1'],
  );
});
