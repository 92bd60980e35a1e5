import test from 'ava';
import {
  conditionOf,
  type JsonPatchOperation,
  mirrorAnnotation,
  RefusedError,
  StaleError,
  Workspace,
} from '../../sdk/index.ts';
import { adopt } from '../../sequencer/adopt.ts';
import { claim } from '../../sequencer/moves.ts';
import { textOf } from '../a-stage.ts';
import type { ApiRequest } from '../cluster/index.ts';
import { aKeeper, boxes, key, said, want } from '../sdk/provider/a-keeper.ts';
import { boxKeeper } from '../sdk/provider/a-third-party.ts';

const [box, crate] = ['Boxes', 'Crates'];
const mirror = { metadata: { annotations: { [mirrorAnnotation(box)]: '[{"id":"box-9"}]' } } };

/** Whether a request takes note that nothing was begun; an intent that takes its place names it too. */
const isNote = (request: ApiRequest): boolean =>
  textOf(request).includes('"phase":"none"') && !textOf(request).includes('"phase":"intent"');

/** Two integrations of one workspace, and what is read and done to it by hand. */
async function aScene(identity: 'opaque' | 'key' | 'name' = 'opaque') {
  const kept = await aKeeper(identity);
  const { stage, party } = kept;
  const keeper = boxKeeper(party.resource(identity));
  const crates = {
    ...keeper,
    name: 'crates',
    condition: crate,
    handles: ({ spec }: Workspace) => 'crates' in (spec.integrations ?? {}),
  };
  const { host } = stage.actor([]);
  const entries = async () => (await stage.read()).status?.guards;
  const merge = (value: object) => stage.client.patch(Workspace, key, { type: 'merge', value });
  const status = (...operations: readonly JsonPatchOperation[]) =>
    stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  return { ...kept, keeper, crates, host, entries, merge, status };
}

test('that nothing was begun is journalled with the slots, in one patch, before the claim', async (t) => {
  const { stage, actor, entries } = await aScene();
  const seen: unknown[] = [];
  stage.cluster.intercept(async (request, next) => {
    if (isNote(request)) seen.push((await stage.read()).metadata.finalizers);
    return next(request);
  });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  t.deepEqual(seen, [undefined]);
  t.like((await entries())?.[box], { phase: 'done', token: 1 });
});

test('who comes days after the claim begins as if it were its own, and asks nobody', async (t) => {
  for (const identity of ['opaque', 'key'] as const) {
    const { stage, party, host, keeper, heir } = await aScene(identity);
    await claim(host, await adopt(host, await stage.create(boxes({ a: 1 })), [keeper]), [keeper]);
    await stage.clock.advance(3 * 86_400_000);
    await heir().walk();
    t.is(await said(stage), 'Completed: box a is there');
    t.deepEqual(party.calls, ['create a']);
  }
});

test('deleted after the claim and before anything was begun, it goes without a call', async (t) => {
  const { stage, party, host, keeper, heir } = await aScene();
  await claim(host, await adopt(host, await stage.create(boxes({ a: 1 })), [keeper]), [keeper]);
  await stage.delete();
  await heir().walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.deepEqual(party.calls, []);
});

for (const [title, change] of [
  ['a claim came', { metadata: { finalizers: ['se.quencer.io/boxes'] } }],
  ['a mirror came', mirror],
] as const)
  test(`the server takes no note that nothing was begun when ${title} meanwhile`, async (t) => {
    for (const annotations of [undefined, { other: 'x' }]) {
      const { stage, host, keeper, entries, merge } = await aScene();
      await stage.create(boxes({ a: 1 }));
      if (annotations !== undefined) await merge({ metadata: { annotations } });
      const seen = await stage.read();
      await merge(change);
      await t.throwsAsync(adopt(host, seen, [keeper]), { instanceOf: StaleError });
      t.is(await entries(), undefined);
    }
  });

test('of two that adopt at once one is told that it was too late', async (t) => {
  const { stage, host, keeper } = await aScene();
  const seen = await stage.create(boxes({ a: 1 }));
  const [one, two] = await Promise.allSettled([adopt(host, seen, [keeper]), adopt(host, seen, [keeper])]);
  t.deepEqual([one.status, two.status].sort(), ['fulfilled', 'rejected']);
});

test('what is asked for later is noted then; what was given up and is asked for again keeps its journal', async (t) => {
  const { stage, keeper, crates, entries, merge } = await aScene();
  const actor = stage.actor([keeper, crates]);
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  t.is((await entries())?.[crate], undefined, 'nobody asks for it');
  const notes: string[] = [];
  stage.cluster.intercept((request, next) => {
    if (isNote(request)) notes.push(textOf(request));
    return next(request);
  });
  await merge({ spec: { integrations: { crates: {} } } });
  await actor.walk();
  t.is(notes.length, 1);
  t.is((await stage.read()).metadata.finalizers?.length, 2);
  for (const integrations of [{ crates: null }, { crates: {} }]) {
    await merge({ spec: { integrations } });
    await actor.walk();
  }
  t.is(notes.length, 1);
  await want(stage, { a: 2 });
  await actor.walk();
  t.is(await said(stage), 'Completed: box a is there');
});

test('a status that is put back to what it was before anything was begun is not believed beside a mirror', async (t) => {
  const { stage, party, actor, heir, host, keeper, status } = await aScene();
  const noted = await adopt(host, await stage.create(boxes({ a: 1 })), [keeper]);
  await actor.walk();
  await status({ op: 'replace', path: '/status', value: noted.status! });
  const next = heir();
  await next.walk();
  await stage.clock.advance(24_000);
  await next.walk();
  t.deepEqual(
    party.calls.filter((call) => call.startsWith('create')),
    ['create a'],
  );
  await stage.delete();
  await next.walk();
  await stage.clock.advance(24_000);
  await next.walk();
  t.deepEqual(party.calls, ['create a', 'delete a'], 'the mirror proves what there is, and nothing else was under way');
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('a status that loses the note under its claim is no question, since the mirror proves that nothing was begun', async (t) => {
  const { stage, party, host, keeper, heir, status } = await aScene();
  await claim(host, await adopt(host, await stage.create(boxes({ a: 1 })), [keeper]), [keeper]);
  await status({ op: 'remove', path: '/status' });
  const next = heir();
  await next.walk();
  await stage.clock.advance(24_000);
  await t.throwsAsync(next.walk(), { name: 'StaleError', message: /journal was written anew/ });
  await next.walk();
  t.is(conditionOf(await stage.read(), box).status, 'Completed');
  t.deepEqual(party.calls, ['create a']);
});

test('a status and a mirror that are lost under a claim are a lost journal: a person is asked', async (t) => {
  const { stage, party, host, keeper, heir, status } = await aScene();
  await claim(host, await adopt(host, await stage.create(boxes({ a: 1 })), [keeper]), [keeper]);
  await status({ op: 'remove', path: '/status' });
  const key = { namespace: 'default', name: 'shop' };
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
  const next = heir();
  await next.walk();
  await stage.clock.advance(24_000);
  await next.walk();
  t.is(conditionOf(await stage.read(), box).status, 'Unknown');
  t.deepEqual(party.calls, []);
});

test('a definition that is older than the note refuses it by name, and nothing is claimed', async (t) => {
  const { stage, party, actor } = await aScene();
  const crd = structuredClone(await Workspace.crd?.()) as object;
  const older = JSON.parse(JSON.stringify(crd).replace('"none","intent"', '"intent"'));
  t.notDeepEqual(older, crd);
  await stage.cluster.apply(older);
  await stage.cluster.settle();
  await stage.create(boxes({ a: 1 }));
  const error = await t.throwsAsync(actor.walk(), { instanceOf: RefusedError });
  t.regex(error.message, /phase/);
  t.is((await stage.read()).metadata.finalizers, undefined);
  t.deepEqual(party.calls, []);
});
