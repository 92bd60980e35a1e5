import test, { type ExecutionContext } from 'ava';
import { conditionOf, findCondition, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster, textOf } from '../../a-target-cluster.ts';
import { boxes, key, times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';

/** A workspace that an integration has brought up, and a process whose config has lost that. */
async function withoutIntegration(t: ExecutionContext) {
  const target = await aTargetCluster();
  const party = aThirdParty();
  const keeper = boxKeeper(party.resource('tag'));
  await target.create(boxes({ a: 1 }));
  const former = target.actor([keeper], { holder: 'former', times });
  await former.walk();
  const { reason } = conditionOf(await target.read(), 'Boxes');
  t.notRegex(reason, /registered/);
  let writes = 0;
  target.cluster.intercept((request, next) => {
    if (request.method === 'PATCH' && textOf(request).includes('registered here for this condition')) writes += 1;
    return next(request);
  });
  const actor = (holder: string) => target.actor([], { holder, times });
  return { target, former, reason, actor, writes: () => writes };
}

test('a condition whose integration is no longer registered says so, with what it said before, once', async (t) => {
  const { target, actor, reason, writes } = await withoutIntegration(t);
  const later = actor('later');
  for (let walk = 0; walk < 3; walk += 1) await later.walk();
  await actor('another').walk();
  const told = conditionOf(await target.read(), 'Boxes');
  t.is(told.status, 'Completed', 'what is there is still there');
  t.is(
    told.reason,
    `no integration is registered here for this condition: what boxes has made is left as it is; register it again, or give its claim up with --orphan boxes. Before: ${reason}`,
  );
  t.is(writes(), 1);
});

test('it waits for that while the workspace is being deleted', async (t) => {
  const { target, actor } = await withoutIntegration(t);
  const later = actor('later');
  await later.walk();
  await target.delete();
  for (let walk = 0; walk < 3; walk += 1) await later.walk();
  const { status, metadata } = await target.read();
  t.like(conditionOf(await target.read(), 'Boxes'), { status: 'Waiting' });
  t.regex(conditionOf(await target.read(), 'Boxes').reason, /^no integration is registered here/);
  t.is(status?.waitsFor, 'Boxes');
  await actor('another').walk();
  t.is((await target.read()).metadata.resourceVersion, metadata.resourceVersion, 'nothing is written again');
});

test('registered again, it says what it said, and is ended with the workspace', async (t) => {
  const { target, former, actor, reason } = await withoutIntegration(t);
  await actor('later').walk();
  await former.walk();
  t.like(conditionOf(await target.read(), 'Boxes'), { status: 'Completed', reason });
  await actor('later').walk();
  await target.delete();
  await actor('later').walk();
  for (let walk = 0; walk < 3; walk += 1) await former.walk().catch(() => undefined);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('of two processes with different configs each has the last word once', async (t) => {
  const { target, former, actor, reason, writes } = await withoutIntegration(t);
  const other = actor('other');
  for (let turn = 0; turn < 5; turn += 1) {
    await other.walk();
    await former.walk();
  }
  t.is(writes(), 1);
  t.is(conditionOf(await target.read(), 'Boxes').reason, reason);
});

test('a claim that was given up leaves no condition behind; a paused workspace keeps its text', async (t) => {
  const { target, actor, reason } = await withoutIntegration(t);
  const annotate = (value: string | null) => {
    const annotations = { 'se.quencer.io/paused': value };
    return target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  };
  await annotate('true');
  await actor('later').walk();
  t.is(conditionOf(await target.read(), 'Boxes').reason, reason);
  await annotate(null);
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await actor('later').walk();
  const { status } = await target.read();
  t.is(findCondition(status?.conditions, 'Boxes'), undefined);
  t.truthy(status?.guards?.Boxes, 'the journal keeps what is known of it');
});

test('a condition under which nothing was ever begun goes with its integration, unless a claim may still be its', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const conditions = [
    { type: 'Boxes', status: 'Error', reason: 'no such zone', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ];
  const guards = { Boxes: { phase: 'none', op: 'task', key: 'k', token: 1, holder: 'h' } };
  const value = { status: { conditions, guards } };
  await target.client.patch(Workspace, key, { type: 'merge', value }, { subresource: 'status' });
  const claimed = (finalizers: readonly string[] | null) =>
    target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers } } });
  const types = async () => (await target.read()).status?.conditions?.map(({ type }) => type) ?? [];
  await claimed(['se.quencer.io/boxes']);
  await target.actor([], { times }).walk();
  t.true((await types()).includes('Boxes'));
  await claimed(null);
  await target.actor([], { holder: 'later', times }).walk();
  t.false((await types()).includes('Boxes'));
});
