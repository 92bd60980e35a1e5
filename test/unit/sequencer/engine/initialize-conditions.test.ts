import test from 'ava';
import {
  conditionOf,
  type JsonPatchOperation,
  mirrorAnnotation,
  RefusedError,
  StaleError,
  Workspace,
} from '../../../../sdk/index.ts';
import { addIntegrationFinalizers } from '../../../../sequencer/engine/finalizers/integration-finalizers.ts';
import { initializeConditions } from '../../../../sequencer/engine/initialize-conditions.ts';
import type { ApiRequest } from '../../../cluster/index.ts';
import { textOf } from '../../a-target-cluster.ts';
import { aKeeper, boxes, key, said, want } from '../../sdk/provider/a-keeper.ts';
import { boxKeeper } from '../../sdk/provider/a-third-party.ts';

const [box, crate] = ['Boxes', 'Crates'];
const mirror = { metadata: { annotations: { [mirrorAnnotation(box)]: '[{"id":"box-9"}]' } } };

/** Reports whether a request records that nothing was begun; an intent that replaces it names it too. */
const isNote = (request: ApiRequest): boolean =>
  textOf(request).includes('"phase":"none"') && !textOf(request).includes('"phase":"intent"');

/** Two integrations of one workspace, with manual reads and writes of it. */
async function aScene(identity: 'opaque' | 'key' | 'name' = 'opaque') {
  const kept = await aKeeper(identity);
  const { stage: target, party } = kept;
  const keeper = boxKeeper(party.resource(identity));
  const crates = {
    ...keeper,
    name: 'crates',
    condition: crate,
    handles: ({ spec }: Workspace) => 'crates' in (spec.integrations ?? {}),
  };
  const { host } = target.actor([]);
  const entries = async () => (await target.read()).status?.guards;
  const merge = (value: object) => target.client.patch(Workspace, key, { type: 'merge', value });
  const status = (...operations: readonly JsonPatchOperation[]) =>
    target.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  return { ...kept, keeper, crates, host, entries, merge, status };
}

test('that nothing was begun is journalled with the slots, in one patch, before the claim', async (t) => {
  const { stage: target, actor, entries } = await aScene();
  const seen: unknown[] = [];
  target.cluster.intercept(async (request, next) => {
    if (isNote(request)) seen.push((await target.read()).metadata.finalizers);
    return next(request);
  });
  await target.create(boxes({ a: 1 }));
  await actor.walk();
  t.deepEqual(seen, [undefined]);
  t.like((await entries())?.[box], { phase: 'done', attempt: 1 });
});

test('a walk that comes days after the claim begins as if the claim were its own, without a question', async (t) => {
  for (const identity of ['opaque', 'key'] as const) {
    const { stage: target, party, host, keeper, heir } = await aScene(identity);
    await addIntegrationFinalizers(
      host,
      await initializeConditions(host, await target.create(boxes({ a: 1 })), [keeper]),
      [keeper],
    );
    await target.clock.advance(3 * 86_400_000);
    await heir().walk();
    t.is(await said(target), 'Completed: box a is there');
    t.deepEqual(party.calls, ['create a']);
  }
});

test('deleted after the claim and before anything was begun, it goes without a call', async (t) => {
  const { stage: target, party, host, keeper, heir } = await aScene();
  await addIntegrationFinalizers(
    host,
    await initializeConditions(host, await target.create(boxes({ a: 1 })), [keeper]),
    [keeper],
  );
  await target.delete();
  await heir().walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.deepEqual(party.calls, []);
});

for (const [title, change] of [
  ['a claim came', { metadata: { finalizers: ['se.quencer.io/boxes'] } }],
  ['a mirror came', mirror],
] as const)
  test(`the server takes no note that nothing was begun when ${title} meanwhile`, async (t) => {
    for (const annotations of [undefined, { other: 'x' }]) {
      const { stage: target, host, keeper, entries, merge } = await aScene();
      await target.create(boxes({ a: 1 }));
      if (annotations !== undefined) await merge({ metadata: { annotations } });
      const seen = await target.read();
      await merge(change);
      await t.throwsAsync(initializeConditions(host, seen, [keeper]), { instanceOf: StaleError });
      t.is(await entries(), undefined);
    }
  });

test('of two that adopt at once one is told that it was too late', async (t) => {
  const { stage: target, host, keeper } = await aScene();
  const seen = await target.create(boxes({ a: 1 }));
  const [one, two] = await Promise.allSettled([
    initializeConditions(host, seen, [keeper]),
    initializeConditions(host, seen, [keeper]),
  ]);
  t.deepEqual([one.status, two.status].sort(), ['fulfilled', 'rejected']);
});

test('what is asked for later is noted then; what was given up and is asked for again keeps its journal', async (t) => {
  const { stage: target, keeper, crates, entries, merge } = await aScene();
  const actor = target.actor([keeper, crates]);
  await target.create(boxes({ a: 1 }));
  await actor.walk();
  t.is((await entries())?.[crate], undefined, 'it is not requested');
  const notes: string[] = [];
  target.cluster.intercept((request, next) => {
    if (isNote(request)) notes.push(textOf(request));
    return next(request);
  });
  await merge({ spec: { integrations: { crates: {} } } });
  await actor.walk();
  t.is(notes.length, 1);
  t.is((await target.read()).metadata.finalizers?.length, 2);
  for (const integrations of [{ crates: null }, { crates: {} }]) {
    await merge({ spec: { integrations } });
    await actor.walk();
  }
  t.is(notes.length, 1);
  await want(target, { a: 2 });
  await actor.walk();
  t.is(await said(target), 'Completed: box a is there');
});

test('a status that is put back to what it was before anything was begun is not trusted beside a mirror', async (t) => {
  const { stage: target, party, actor, heir, host, keeper, status } = await aScene();
  const noted = await initializeConditions(host, await target.create(boxes({ a: 1 })), [keeper]);
  await actor.walk();
  await status({ op: 'replace', path: '/status', value: noted.status! });
  const next = heir();
  await next.walk();
  await target.clock.advance(24_000);
  await next.walk();
  t.deepEqual(
    party.calls.filter((call) => call.startsWith('create')),
    ['create a'],
  );
  await target.delete();
  await next.walk();
  await target.clock.advance(24_000);
  await next.walk();
  t.deepEqual(party.calls, ['create a', 'delete a'], 'the mirror proves what there is, and nothing else was under way');
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('a status that loses the note under its claim is no question, since the mirror proves that nothing was begun', async (t) => {
  const { stage: target, party, host, keeper, heir, status } = await aScene();
  await addIntegrationFinalizers(
    host,
    await initializeConditions(host, await target.create(boxes({ a: 1 })), [keeper]),
    [keeper],
  );
  await status({ op: 'remove', path: '/status' });
  const next = heir();
  await next.walk();
  await target.clock.advance(24_000);
  await t.throwsAsync(next.walk(), { name: 'StaleError', message: /journal was restored/ });
  await next.walk();
  t.is(conditionOf(await target.read(), box).status, 'Completed');
  t.deepEqual(party.calls, ['create a']);
});

test('a status and a mirror that are lost under a claim are a lost journal: a person is asked', async (t) => {
  const { stage: target, party, host, keeper, heir, status } = await aScene();
  await addIntegrationFinalizers(
    host,
    await initializeConditions(host, await target.create(boxes({ a: 1 })), [keeper]),
    [keeper],
  );
  await status({ op: 'remove', path: '/status' });
  const key = { namespace: 'default', name: 'shop' };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
  const next = heir();
  await next.walk();
  await target.clock.advance(24_000);
  await next.walk();
  t.is(conditionOf(await target.read(), box).status, 'Unknown');
  t.deepEqual(party.calls, []);
});

test('a definition that is older than the note refuses it by name, and nothing is claimed', async (t) => {
  const { stage: target, party, actor } = await aScene();
  const crd = structuredClone(await Workspace.crd?.()) as object;
  const older = JSON.parse(JSON.stringify(crd).replace('"none","intent"', '"intent"'));
  t.notDeepEqual(older, crd);
  await target.cluster.apply(older);
  await target.cluster.settle();
  await target.create(boxes({ a: 1 }));
  const error = await t.throwsAsync(actor.walk(), { instanceOf: RefusedError });
  t.regex(error.message, /phase/);
  t.is((await target.read()).metadata.finalizers, undefined);
  t.deepEqual(party.calls, []);
});
