import test from 'ava';
import { type Integration, type ManagementPolicy, policyAnnotation, Workspace } from '../../../../sdk/index.ts';
import { planRows } from '../../../../sequencer/planning/plan-rows.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';
import { boxes, key, times, want } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';
import { created, guarding, passing } from '../../sdk/provider/guarding.ts';
import { annotate, policed } from '../../sdk/provider/policed.ts';

/** Plan of the current workspace: `integration action what`, and whether it is held back. */
async function planned(target: TargetCluster, integrations: readonly Integration[]): Promise<readonly string[]> {
  const before = target.cluster.audit.length;
  const { client, clock } = target;
  const options = { client, clock, integrations, signal: new AbortController().signal };
  const rows = await planRows(await target.read(), options);
  const writes = target.cluster.audit.slice(before).filter(({ method }) => method !== 'GET');
  if (writes.length > 0) throw new Error(`${writes.length} writes`);
  return rows.map(({ integration, action, what, heldBack }) =>
    [integration, action, what, ...(heldBack ? ['(held back)'] : [])].join(' '),
  );
}

async function aScene(policy?: ManagementPolicy) {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const keeper: Integration = { ...boxKeeper(party.resource('tag')), ...(policy && { policy }) };
  await target.create(boxes({ a: 1 }));
  return { stage: target, party, keeper, actor: target.actor([keeper], { times }) };
}

test('what is new, differs or is not wanted any more is listed; nothing is done or written', async (t) => {
  const { stage: target, party, keeper, actor } = await aScene();
  t.deepEqual(await planned(target, [keeper]), ['boxes create box a']);
  await actor.walk();
  t.deepEqual(await planned(target, [keeper]), ['boxes nothing Completed: box a is there']);
  await want(target, { a: 2, b: 1 });
  t.deepEqual(await planned(target, [keeper]), ['boxes update box a (size is 1, wanted 2)', 'boxes create box b']);
  await target.delete();
  t.deepEqual(await planned(target, [keeper]), ['boxes delete box a']);
  t.deepEqual(party.calls, ['create a']);
});

test('what comes after others is listed after them, and says so; on deletion it goes first', async (t) => {
  const { stage: target, keeper, actor } = await aScene();
  const dns: Integration = { ...guarding({ task: created }), after: ['Boxes'] };
  t.deepEqual(await planned(target, [dns, keeper]), ['boxes create box a', 'dns task creating (after Boxes)']);
  await actor.walk();
  await target.actor([dns, keeper], { holder: 'two', times }).walk();
  await target.delete();
  t.deepEqual(await planned(target, [keeper, dns]), ['dns delete deleting', 'boxes delete box a']);
});

test('what cannot be said before others are through says after which, also where it fails for want of them', async (t) => {
  const { stage: target, keeper } = await aScene();
  const needs = (name: string, after: string, say: () => Promise<void>): Integration => ({
    ...guarding({ task: created }),
    name,
    condition: name.toUpperCase(),
    after: [after],
    connect: () => ({ reconcile: say, terminate: async () => {} }),
  });
  const lost = needs('lost', 'Boxes', async () => {
    throw new Error('box a has no address');
  });
  const last = needs('last', 'LOST', async () => {});
  t.deepEqual(await planned(target, [last, lost, keeper]), [
    'boxes create box a',
    'lost unknown box a has no address (after Boxes)',
    'last unknown not known yet (after LOST)',
  ]);
});

test('policies are listed with what they hold back, and with what would stay', async (t) => {
  const { stage: target, keeper, actor } = await aScene();
  await policed(target, 'plan');
  t.deepEqual(await planned(target, [keeper]), ['boxes create box a (held back)']);
  await policed(target, null);
  await actor.walk();
  await policed(target, 'orphan');
  await target.delete();
  t.deepEqual(await planned(target, [keeper]), ['boxes orphan the external objects stay']);
  const other = await aScene('orphan');
  await other.actor.walk();
  await want(other.stage, { a: null });
  t.deepEqual(await planned(other.stage, [other.keeper]), ['boxes orphan box a (it is no longer wanted)']);
});

test('a paused workspace would be left alone', async (t) => {
  const { stage: target, keeper } = await aScene();
  await annotate(target, { 'se.quencer.io/paused': 'true' });
  t.deepEqual(await planned(target, [keeper]), ['boxes nothing the workspace is paused']);
});

test('what cannot be known is unknown, and why', async (t) => {
  const { stage: target, party, keeper } = await aScene();
  const find = async () => {
    throw new Error('not reached');
  };
  t.deepEqual(await planned(target, [boxKeeper(party.resource('tag', { find }))]), ['boxes unknown not reached']);
  const guards = (phase: string) =>
    target.client.patch(
      Workspace,
      key,
      {
        type: 'merge',
        value: { status: { guards: { Boxes: { phase, op: 'create', key: 'k', token: 1, holder: 'a/b' } } } },
      },
      { subresource: 'status' },
    );
  await guards('unknown');
  t.deepEqual(await planned(target, [keeper]), ['boxes unknown waits for a person: sequencer resolve shop Boxes']);
  await guards('intent');
  t.deepEqual(await planned(target, [keeper]), [
    'boxes unknown "create" is running, or has to be recovered: held by a/b',
  ]);
  await guards('gone');
  await annotate(target, { [policyAnnotation()]: 'no' });
  t.regex(
    (await planned(target, [keeper]))[0] ?? '',
    /^boxes unknown annotation se\.quencer\.io\/policy is "no", which/,
  );
});

test('an integration that waits for something says what for', async (t) => {
  const { stage: target } = await aScene();
  const waiting: Integration = {
    ...guarding({ task: created }),
    connect: ({ controller }) => ({
      reconcile: () => controller.updateCondition('Waiting', 'for a target'),
      terminate: async () => {},
    }),
  };
  const silent = {
    ...waiting,
    name: 'silent',
    condition: 'Silence',
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
  };
  t.deepEqual(await planned(target, [waiting, silent]), [
    'dns unknown Waiting: for a target',
    'silent nothing Silence is up to date',
  ]);
});

test('an integration that does not say whether it is asked for is unknown, and the others are planned', async (t) => {
  const { stage: target, keeper, actor } = await aScene();
  const handles = (): never => {
    throw new Error('no zone');
  };
  const dns: Integration = { ...guarding({ task: created }), handles };
  const message = 'integration "dns" (condition DNS): handles must not throw; it threw no zone';
  t.deepEqual(await planned(target, [dns, keeper]), [`dns unknown ${message}`, 'boxes create box a']);
  await actor.walk();
  await target.actor([guarding({ task: created })], { times }).walk();
  await target.delete();
  t.deepEqual(await planned(target, [dns, keeper]), ['boxes delete box a', 'dns delete deleting']);
});

test('an integration that does not answer is unknown once its time is over; told to stop, nothing is waited for', async (t) => {
  const { stage: target, keeper } = await aScene();
  const reconcile = () => new Promise<never>(() => {});
  const dns: Integration = {
    ...guarding({ task: created }),
    connect: () => ({ reconcile, terminate: reconcile }),
  };
  const [row, ...rest] = await passing(target, planned(target, [dns, keeper]), 120_000);
  t.regex(row ?? '', /^dns unknown integration "dns" \(condition DNS\): reconcile must answer within 60000 ms; found/);
  t.deepEqual(rest, ['boxes create box a']);
  const stop = new AbortController();
  const { client, clock } = target;
  const planning = planRows(await target.read(), { client, clock, integrations: [dns], signal: stop.signal });
  planning.catch(() => undefined);
  await clock.advance(1_000);
  stop.abort(new Error('told to stop'));
  await t.throwsAsync(planning, { message: 'told to stop' });
});

test('of two that claim a workspace neither is rehearsed: both are named', async (t) => {
  const { stage: target, keeper } = await aScene();
  const why = 'unknown integrations "boxes" and "other" claim this workspace, and condition Boxes takes one';
  const [first, second] = await planned(target, [keeper, { ...keeper, name: 'other' }]);
  t.true(first?.startsWith(`boxes ${why}`), first);
  t.true(second?.startsWith('other unknown integrations "other" and "boxes"'), second);
});

test('what uses an output comes after its condition, and says which one it waits for', async (t) => {
  const { stage: target, keeper } = await aScene();
  const reader = { ...guarding({ task: created }), name: 'reader', condition: 'Read', references: () => ['Boxes.url'] };
  const source = { ...keeper, outputs: { url: { description: 'Where they are.' } } };
  t.deepEqual(await planned(target, [reader, source]), ['boxes create box a', 'reader unknown waits for Boxes.url']);
});
