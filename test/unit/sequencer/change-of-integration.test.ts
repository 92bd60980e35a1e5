import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { conditionOf, type ExternalResource, type Integration, Workspace } from '../../../sdk/index.ts';
import { sweepCrashes } from '../../cluster/index.ts';
import { type Actor, aTargetCluster, type TargetCluster, targetClusterOn } from '../a-target-cluster.ts';
import { times } from '../sdk/provider/a-keeper.ts';
import { aThirdParty, type Box, type BoxId, boxKeeper, type ThirdParty } from '../sdk/provider/a-third-party.ts';

type Identity = ExternalResource<Box, BoxId>['identity'];

/** Boxes in the zones `a` and `b`, each at a third party and an integration of its own, both under the condition `Boxes`. */
async function twoZones(identity: Identity = 'tag') {
  const [stage, a, b] = [await aTargetCluster(), aThirdParty(), aThirdParty()];
  const keeper = (zone: string, party: ThirdParty): Integration => ({
    ...boxKeeper(party.resource(identity)),
    name: zone,
    handles: ({ spec }) => String(spec.integrations?.zone ?? '').includes(zone),
  });
  const both = [keeper('a', a), keeper('b', b)];
  return { stage, a, b, both, actor: stage.actor(both, { times }) };
}

const spec = (zone: string) => ({ integrations: { zone, boxes: { www: 1, mail: 2 } } });
const move = (stage: Pick<TargetCluster, 'client'>, zone: string) =>
  change(stage, { spec: { integrations: { zone } } });
const change = (
  stage: Pick<TargetCluster, 'client'>,
  value: object,
  options: { readonly subresource?: 'status' } = {},
) => stage.client.patch(Workspace, { namespace: 'default', name: 'shop' }, { type: 'merge', value }, options);
/** Walks with every lease and quarantine over between two walks. */
const later = async ({ clock }: TargetCluster, actor: Actor, walks = 3) => {
  for (let walk = 0; walk < walks; walk += 1) {
    await actor.walk().catch(() => undefined);
    await clock.advance(30_000);
  }
};
const said = async (stage: TargetCluster) => {
  const { status, reason } = conditionOf(await stage.read(), 'Boxes');
  return `${status}: ${reason}`;
};
const names = ({ boxes }: ThirdParty) => boxes.map(({ name }) => name).sort();
const finalizers = async (stage: TargetCluster) => (await stage.read()).metadata.finalizers;

test('two integrations share a condition: each workspace is kept by the one that handles it', async (t) => {
  const { stage, a, b, actor } = await twoZones();
  await stage.create(spec('a'), 'one');
  await stage.create(spec('b'), 'two');
  await actor.walk('one');
  await actor.walk('two');
  t.deepEqual(
    [names(a), names(b)],
    [
      ['mail', 'www'],
      ['mail', 'www'],
    ],
  );
  t.deepEqual((await stage.read('one')).metadata.finalizers, ['se.quencer.io/a']);
  t.deepEqual((await stage.read('two')).metadata.finalizers, ['se.quencer.io/b']);
  t.is((await stage.read('two')).status?.phase, 'Healthy');
});

test('a spec that moves to the other removes what the first has made, by the first, before the other begins', async (t) => {
  const { stage, a, b, actor } = await twoZones();
  await stage.create(spec('a'));
  await actor.walk();
  const before = a.boxes.map(({ id }) => id);
  b.calls.push(...Array.from({ length: 9 }, () => 'an earlier life')); // so that its ids are others
  await move(stage, 'b');
  await actor.walk();
  t.deepEqual([names(a), names(b)], [[], ['mail', 'www']]);
  t.is(await said(stage), 'Completed: 2 × box: mail, www');
  t.deepEqual(await finalizers(stage), ['se.quencer.io/b']);
  const { status, metadata } = await stage.read();
  t.is(status?.guards?.Boxes?.claim, 'se.quencer.io/b');
  for (const id of before)
    t.false(JSON.stringify([status, metadata.annotations]).includes(`"${id}"`), `${id} is told to none`);
  await move(stage, 'a');
  await actor.walk();
  t.deepEqual([names(a), names(b)], [['mail', 'www'], []]);
  await stage.delete();
  await actor.walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.deepEqual([names(a), names(b)], [[], []]);
  t.deepEqual(
    actor.events.filter(({ type }) => type === 'Warning'),
    [],
  );
});

test('the other one begins only when all that the first has made is gone', async (t) => {
  const { stage, a, b, actor } = await twoZones();
  await stage.create(spec('a'));
  await actor.walk();
  a.faults.push({ call: 'delete', carriedOut: false, error: new Error('reset') });
  await move(stage, 'b');
  await actor.walk().catch(() => undefined);
  t.is(names(a).length, 2);
  t.deepEqual(b.calls, []);
  t.deepEqual(await finalizers(stage), ['se.quencer.io/a']);
  await later(stage, actor);
  t.deepEqual([names(a), names(b)], [[], ['mail', 'www']]);
});

test('two that both claim a workspace: an error names both, nothing is changed, and it continues when one of them is left', async (t) => {
  const { stage, a, b, actor } = await twoZones();
  await stage.create(spec('ab'));
  await actor.walk();
  await actor.walk();
  t.regex(await said(stage), /^Error: integrations "a" and "b" claim this workspace, and condition Boxes takes one/);
  t.is((await stage.read()).status?.phase, 'Error');
  t.is(actor.events.filter(({ reason }) => reason === 'BoxesBlocked').length, 1);
  t.deepEqual([...a.calls, ...b.calls], []);
  await move(stage, 'b');
  await actor.walk();
  t.deepEqual([names(a), names(b)], [[], ['mail', 'www']]);
  await move(stage, 'ab');
  await actor.walk();
  t.regex(await said(stage), /^Error: integrations "a" and "b" claim/);
  t.deepEqual([names(a), names(b)], [[], ['mail', 'www']]);
  await stage.delete();
  await actor.walk();
  t.deepEqual([names(a), names(b)], [[], []]);
});

test('a status that is lost on the way: the mirror says whose the things are', async (t) => {
  const { stage, a, b, actor } = await twoZones();
  await stage.create(spec('a'));
  await actor.walk();
  await move(stage, 'b');
  await change(stage, { status: null }, { subresource: 'status' });
  t.is((await stage.read()).status, undefined);
  await later(stage, actor, 4);
  t.deepEqual([names(a), names(b)], [[], ['mail', 'www']]);
  t.deepEqual(await finalizers(stage), ['se.quencer.io/b']);
});

test('a status that is put back to the time of the former one is not trusted: the mirror is newer', async (t) => {
  const { stage, a, b, actor } = await twoZones();
  await stage.create(spec('a'));
  await actor.walk();
  const { status: earlier } = await stage.read();
  await move(stage, 'b');
  await actor.walk();
  const made = b.calls.length;
  await change(stage, { status: { guards: earlier?.guards } }, { subresource: 'status' });
  t.is((await stage.read()).status?.guards?.Boxes?.claim, 'se.quencer.io/a');
  await later(stage, actor, 4);
  t.deepEqual([names(a), names(b), b.calls.length], [[], ['mail', 'www'], made]);
  t.is(await said(stage), 'Completed: 2 × box: mail, www');
  await stage.delete();
  await later(stage, actor);
  t.deepEqual([names(a), names(b)], [[], []]);
});

test('a finalizer that others remove on the way is set again, and what is recorded goes first', async (t) => {
  const { stage, a, b, actor } = await twoZones();
  await stage.create(spec('a'));
  await actor.walk();
  await move(stage, 'b');
  await change(stage, { metadata: { finalizers: null } });
  await later(stage, actor);
  t.deepEqual([names(a), names(b)], [[], ['mail', 'www']]);
  t.deepEqual(await finalizers(stage), ['se.quencer.io/b']);
});

test('a finalizer that a tenant sets claims nothing of the other: it is given back, and its owner is shown no ids', async (t) => {
  const { stage, a, b, actor } = await twoZones();
  await stage.create(spec('a'));
  await actor.walk();
  await change(stage, { metadata: { finalizers: ['se.quencer.io/b', 'se.quencer.io/a'] } });
  await later(stage, actor);
  t.deepEqual([names(a), b.calls], [['mail', 'www'], []]);
  await stage.delete();
  await later(stage, actor, 4);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.deepEqual([names(a), b.calls], [[], []]);
});

test('of what an integration has made that is not registered any more, none is told to the one in its place', async (t) => {
  const { stage, a, b, both, actor } = await twoZones();
  await stage.create(spec('a'));
  await actor.walk();
  await move(stage, 'b');
  const other = stage.actor(both.slice(1), { holder: 'other', times });
  await other.walk();
  await other.walk();
  t.regex(await said(stage), /^Error: what integration "a" has made is recorded here.*--orphan a/);
  t.is(other.events.filter(({ reason }) => reason === 'BoxesBlocked').length, 1);
  t.deepEqual([names(a), b.calls], [['mail', 'www'], []]);
  const ids = a.boxes.map(({ id }) => id);
  await change(stage, { metadata: { finalizers: null } });
  await other.walk();
  t.deepEqual(
    [names(a), names(b)],
    [
      ['mail', 'www'],
      ['mail', 'www'],
    ],
  );
  const orphaned = other.events.find(({ reason }) => reason === 'Orphaned')?.message ?? '';
  for (const id of ids) t.true(orphaned.includes(id));
  t.is(await said(stage), 'Completed: 2 × box: mail, www');
});

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  test(`a crash after any write on the way from one to the other leaks nothing, and makes nothing twice: ${identity}`, async (t) => {
    const { stage, a, b, both, actor } = await twoZones(identity);
    await stage.create(spec('a'));
    await actor.walk();
    const world = () => [a, b].map(({ boxes }) => structuredClone(boxes));
    const before = world();
    const crashes = await sweepCrashes({ cluster: stage.cluster, client: { userAgent: 'dies' } }, async (run) => {
      [a, b].forEach(({ boxes }, index) => void boxes.splice(0, boxes.length, ...(before[index] ?? [])));
      const fork = targetClusterOn(run.cluster, stage.clock);
      await move(fork, 'b');
      const dies = fork.actor(both, { holder: 'dies', times });
      let over = false;
      void dies
        .walk()
        .catch(() => undefined)
        .then(() => {
          over = true;
        });
      while (!over && run.crash.hits === 0) await setImmediate();
      dies.die();
      run.crash.remove();
      const heir = fork.actor(both, { holder: 'heir', times });
      await later(fork, heir, 5);
      if (conditionOf(await fork.read(), 'Boxes').status === 'Unknown') {
        t.is(identity, 'opaque');
        return;
      }
      t.false(
        heir.events.some(({ reason }) => reason === 'ForeignIds'),
        'no mirror of ours is taken for a forged one',
      );
      t.deepEqual([names(a), names(b)], [[], ['mail', 'www']], `after ${run.writes} writes`);
      await fork.delete();
      await later(fork, heir, 4);
      t.deepEqual([names(a), names(b)], [[], []], `deleted after ${run.writes} writes`);
    });
    t.true(crashes > 8);
  });
