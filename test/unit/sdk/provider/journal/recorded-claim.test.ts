import test from 'ava';
import { encodeMirror } from '../../../../../sdk/host/index.ts';
import { type GuardEntry, type MirrorRecord, type Task, Workspace } from '../../../../../sdk/index.ts';
import { createController } from '../../../../../sdk/provider/controller/create-controller.ts';
import { isOfOtherClaim, recordedClaim, recordsNothing } from '../../../../../sdk/provider/journal/recorded-claim.ts';
import { aSeal } from '../../../a-seal.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { anEntry, aWorkspace } from '../../../a-workspace.ts';
import { created, guarding, key, passing, times } from '../guarding.ts';

const [bind, cloud] = ['se.quencer.io/bind', 'se.quencer.io/cloud'];
const under = (entry: Partial<GuardEntry>) => recordedClaim(aWorkspace({ guards: { DNS: entry } }), 'DNS');
const record: MirrorRecord = {
  ...{ cluster: 'here', namespace: 'default', name: 'shop', uid: 'uid-shop', condition: 'DNS', claim: bind },
  ...{ token: 1, refs: [{ id: 'r1' }], requestMs: 0 },
};
const mirrored = (more: Partial<MirrorRecord> = {}) =>
  aWorkspace({ annotations: encodeMirror(aSeal, { ...record, ...more }) });

test('a condition records the things of the integration that has written its journal, until nothing is left of them', (t) => {
  t.is(under({ claim: bind }), bind);
  t.is(under({ claim: bind, phase: 'gone', late: [{ id: 1 }] }), bind);
  t.is(under({ claim: bind, phase: 'gone' }), undefined);
  t.is(under({ phase: 'none' }), undefined);
  t.is(under({}), undefined, 'an entry of an earlier release names none');
  t.is(under({ claim: 'bind' }), undefined, 'nor does a text that is not a claim of an integration');
});

test('where the journal is lost, the mirror says whose they are', (t) => {
  t.is(recordedClaim(mirrored(), 'DNS'), bind);
  t.is(recordedClaim(mirrored({ token: 0, refs: [] }), 'DNS'), undefined, 'a blank one records nothing');
  t.is(recordedClaim(aWorkspace(), 'DNS'), undefined);
  for (const text of ['', '[', 'null', '7', '{}', '{"token":1,"refs":[1],"claim":7}'])
    t.is(recordedClaim(aWorkspace({ annotations: { 'external.se.quencer.io/DNS': text } }), 'DNS'), undefined, text);
});

test('what belongs to another, and what is settled', (t) => {
  t.true(isOfOtherClaim(anEntry({ claim: bind }), cloud));
  t.false(isOfOtherClaim(anEntry({ claim: bind }), bind));
  t.false(isOfOtherClaim(anEntry({ claim: bind, phase: 'none' }), cloud));
  t.false(isOfOtherClaim(undefined, cloud));
  for (const claim of ['bind', '', 'example.com/bind']) t.false(isOfOtherClaim(anEntry({ claim }), cloud), claim);
  t.deepEqual(
    [anEntry({ phase: 'none' }), anEntry({ phase: 'gone' }), anEntry(), anEntry({ phase: 'gone', late: [{}] })].map(
      recordsNothing,
    ),
    [true, true, false, false],
  );
});

/** A claimed workspace on which `bind` has made `r1`, as the integration `cloud` of the same condition sees it. */
async function aStranger(entry: Partial<GuardEntry>) {
  const stage = await aTargetCluster();
  const { host } = stage.actor([]);
  const made = await stage.create();
  const { uid = '' } = made.metadata;
  const texts = encodeMirror(aSeal, { ...record, cluster: aSeal.cluster, uid });
  const merged = (value: object, subresource?: 'status') =>
    stage.client.patch(
      Workspace,
      { namespace: 'default', name: 'shop' },
      { type: 'merge', value },
      subresource && { subresource },
    );
  await merged({ metadata: { annotations: texts, finalizers: [cloud] } });
  const guards = { DNS: anEntry({ claim: bind, refs: [{ id: 'r1' }], ...entry }) };
  const workspace = await merged({ status: { guards } }, 'status');
  return { stage, controller: createController(host, workspace, { type: 'DNS', claim: cloud, terminating: true }) };
}

test('an integration is never shown the ids of another one, and may do nothing before they are gone', async (t) => {
  const { stage, controller } = await aStranger({});
  t.deepEqual(controller.refs, []);
  const task = () => Promise.reject(new Error('must not run'));
  await t.throwsAsync(controller.guard('making', task), { name: 'BusyError', message: /io\/bind has made/ });
  await t.throwsAsync(controller.updateCondition('Terminated', 'gone'), { name: 'BusyError' });
  await t.throwsAsync(controller.orphanAll(), { name: 'BusyError' });
  t.like((await stage.read()).status?.guards?.DNS, { claim: bind, phase: 'done', refs: [{ id: 'r1' }] });
});

test('over what another one has left, it ends as its own', async (t) => {
  const { stage, controller } = await aStranger({ phase: 'gone', refs: undefined });
  await controller.updateCondition('Terminated', 'nothing there');
  t.like((await stage.read()).status?.guards?.DNS, { claim: cloud, phase: 'gone' });
});

test('ids that come back when another integration has the condition are named by an event, and told to none', async (t) => {
  const stage = await aTargetCluster();
  const claim = 'se.quencer.io/other';
  const task: Task = async () => {
    const entry = (await stage.read()).status?.guards?.DNS;
    const value = { ...entry, token: (entry?.token ?? 0) + 1, holder: 'other/x', claim };
    const operations = [{ op: 'replace' as const, path: '/status/guards/DNS', value }];
    await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
    return created();
  };
  await stage.create();
  const actor = stage.actor([guarding({ task })], { times });
  await t.throwsAsync(passing(stage, actor.walk()), { name: 'FencedError' });
  const { metadata, status } = await stage.read();
  t.like(status?.guards?.DNS, { claim, holder: 'other/x' });
  t.notRegex(JSON.stringify([status, metadata.annotations]), /"id":"a"/);
  const left = actor.events.find(({ reason }) => reason === 'IdsLeft')?.message ?? '';
  t.regex(left, /se\.quencer\.io\/other had the condition when these ids came back.*"id":"a"/);
});
