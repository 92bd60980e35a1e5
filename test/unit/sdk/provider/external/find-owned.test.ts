import test from 'ava';
import { DefiniteError, externalResource, Secret } from '../../../../../sdk/index.ts';
import type { EnsureContext } from '../../../../../sdk/provider/external/ensure-context.ts';
import { findAllOwned, findOwn, recoverObject } from '../../../../../sdk/provider/external/find-owned.ts';
import { wantedObjects } from '../../../../../sdk/provider/journal/next-object-change.ts';
import { Session } from '../../../../../sdk/provider/journal/session.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { aWorkspace } from '../../../a-workspace.ts';
import { aKeeper, boxes, makeWithoutAnswer, said, want } from '../a-keeper.ts';
import type { Stored } from '../a-third-party.ts';

type Wanted = { readonly name: string };
type Id = { readonly id: string };

const { signal } = new AbortController();

/**
 * Context of a workspace with the former uid `uid-before`, on a third party that lists things with these marks and reads those that `reads`
 * accepts.
 */
async function context(marks: Readonly<Record<string, string>>, reads: (id: string) => boolean = () => true) {
  const { host } = (await aTargetCluster()).actor([]);
  const workspace = aWorkspace({ guards: { Boxes: { formerly: ['uid-before'] } } });
  const session = new Session(host, workspace, { type: 'Boxes', claim: 'se.quencer.io/boxes', terminating: false });
  const resource = externalResource<Wanted, Id>({
    label: 'box',
    nameOf: ({ name }) => name,
    identity: 'tag',
    find: async ({ mark }) => (marks[mark] === undefined ? undefined : { id: marks[mark] }),
    observe: async ({ id }) => (reads(id) ? { state: {} } : undefined),
    create: async () => ({ id: { id: 'new' } }),
    delete: async () => {},
  });
  const wanted = wantedObjects([{ name: 'a' }, { name: 'b' }], ({ name }) => name);
  return { session, resource, wanted } as EnsureContext<Wanted, Id>;
}

test('what bears the workspace’s own mark is found first, then what bears that of an earlier uid', async (t) => {
  const own = await context({ 'uid-shop/Boxes/a': 'new', 'uid-before/Boxes/a': 'old' });
  t.deepEqual(await findOwn(own, 'a', signal), { slot: 'a', id: { id: 'new' } });
  const former = await context({ 'uid-before/Boxes/a': 'old' });
  t.deepEqual(await findOwn(former, 'a', signal), { slot: 'a', owner: 'uid-before', id: { id: 'old' } });
  t.is(await findOwn(await context({}), 'a', signal), undefined);
});

test('a resource that cannot list is asked for what an earlier uid had of what is wanted', async (t) => {
  const found = await findAllOwned(await context({ 'uid-before/Boxes/b': 'old', 'uid-shop/Boxes/a': 'new' }), signal);
  t.deepEqual(found, [{ slot: 'b', owner: 'uid-before', id: { id: 'old' } }]);
});

const target = { wanted: { name: 'a' }, hash: 'hash' };

test('what is listed and cannot be read is in doubt, not there', async (t) => {
  const stale = await context({}, () => false);
  await t.throwsAsync(recoverObject(stale, target, { slot: 'a', id: { id: 'x' }, signal }), {
    message: /box a is listed, but reading it says that it is not there/,
  });
  t.deepEqual(await recoverObject(await context({}), target, { slot: 'a', id: { id: 'x' }, signal }), {
    slot: 'a',
    id: { id: 'x' },
    hash: 'hash',
  });
});

/** Boxes at a third party whose reads are late: they show `reads`, if there are any. */
async function aLateKeeper(identity: 'name' | 'tag') {
  const late: { reads?: readonly Stored[] } = {};
  const { party, ...kept } = await aKeeper(identity, {
    listLagMs: 5_000,
    find: async ({ mark }) => {
      const found = (late.reads ?? party.boxes).find((box) => box.mark === mark);
      return found && { id: found.id };
    },
    observe: async ({ id }) => (late.reads ?? party.boxes).find((box) => box.id === id) && { state: {} },
    secretOf: async ({ id }) => ({ password: `of ${id}` }),
  });
  return { ...kept, party, late };
}

for (const identity of ['name', 'tag'] as const)
  test(`what a search finds is seen once more before it counts as there, with its secret, by an heir too (${identity})`, async (t) => {
    const { stage, party, actor, heir } = await aLateKeeper(identity);
    await makeWithoutAnswer(stage, party, actor);
    await stage.clock.advance(5_000);
    await actor.walk();
    const told = /^In Progress: box a may be there or gone: it is read again at .+Z, once lists are up to date$/;
    t.regex(await said(stage), told);
    await stage.clock.advance(4_000);
    const next = heir();
    await next.walk();
    await stage.clock.advance(4_000);
    await next.walk();
    t.regex(await said(stage), told);
    await stage.clock.advance(1_000);
    await next.walk();
    t.is(await said(stage), 'Completed: box a is there');
    const { data } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-boxes-a' });
    t.is(Buffer.from(data?.password ?? '', 'base64').toString(), 'of box-1');
    t.deepEqual(party.calls, ['create a']);
  });

test('what a late search finds and is gone is made anew, once lists are up to date', async (t) => {
  const { stage, party, actor, late } = await aLateKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  const mark = `${(await stage.read()).metadata.uid}/Boxes/a`;
  late.reads = [{ id: 'gone', name: 'a', size: 1, mark, key: 'k' }];
  await actor.walk();
  t.deepEqual(party.calls, []);
  t.regex(await said(stage), /^In Progress: box a may be there or gone/);
  delete late.reads;
  await stage.clock.advance(5_000);
  await actor.walk();
  t.deepEqual(party.calls, ['create a']);
  t.is(await said(stage), 'Completed: box a is there');
  t.deepEqual(
    actor.events.filter(({ reason }) => reason === 'Drifted'),
    [],
  );
  const { data } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-boxes-a' });
  t.is(Buffer.from(data?.password ?? '', 'base64').toString(), 'of box-1');
});

for (const isThere of [true, false])
  test(`a refused update and a late read that shows nothing: ${isThere ? 'the box is there, and is not made twice' : 'the box is gone, and is made anew'}`, async (t) => {
    const { stage, party, actor, late } = await aLateKeeper('tag');
    await stage.create(boxes({ a: 1 }));
    await actor.walk();
    t.is(party.boxes.length, 1);
    if (!isThere) party.boxes.splice(0);
    party.faults.push({ call: 'update', carriedOut: false, error: new DefiniteError('not now') });
    late.reads = [];
    await want(stage, { a: 2 });
    await actor.walk().catch(() => undefined);
    t.regex(
      await said(stage),
      /^In Progress: box a may be there or gone: it is read again at .+Z, once lists are up to date$/,
    );
    delete late.reads;
    for (let walks = 0; walks < 6; walks += 1) {
      await stage.clock.advance(5_000);
      await actor.walk().catch(() => undefined);
    }
    t.is(await said(stage), 'Completed: box a is there');
    t.deepEqual(
      party.boxes.map(({ name, size }) => `${name} ${size}`),
      ['a 2'],
    );
  });
