import test from 'ava';
import { conditionOf, Workspace } from '../../../../../sdk/index.ts';
import { quarantineText } from '../../../../../sdk/provider/controller/report-quarantine.ts';
import { aTargetCluster, refusing, textOf } from '../../../a-target-cluster.ts';
import { anEntry } from '../../../a-workspace.ts';
import { created, dyingIn, failing, guarding, isBeat, key, passing, stateOf, times } from '../guarding.ts';

const now = Date.parse('2026-01-01T00:01:00Z');

test('a wait says until when, for whom, and what they may have under way', (t) => {
  const entry = anEntry({ op: 'create', holder: 'host.7/x' });
  t.is(
    quarantineText({ entry, wait: 46_000, silentFor: 30_000, now }),
    'waits until 2026-01-01T00:01:46Z for requests of a dead holder: host.7/x, silent since 2026-01-01T00:00:30Z, may have "create" under way',
  );
  t.regex(
    quarantineText({ entry: undefined, wait: 76_000, silentFor: 0, now }),
    /^waits until 2026-01-01T00:02:16Z: the journal entry is missing/,
  );
});

test('a holder that lives and beats is not called dead, and its condition is left as it is', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  let beats = 0;
  stage.cluster.intercept((request, next) => {
    beats += Number(isBeat(request));
    return next(request);
  });
  const task = async () => {
    for (let slept = 0; slept < 40_000; slept += 2_000) {
      await stage.clock.sleep(2_000);
      await other.walk();
      const { status, reason } = await stateOf(stage);
      t.deepEqual([status, reason], ['Locked', 'creating, until 2026-01-01T00:03:20Z at the latest']);
    }
    return created();
  };
  const other = stage.actor([guarding({ task: created })], { holder: 'other', times });
  await passing(stage, stage.actor([guarding({ task })], { times }).walk());
  t.true(beats > 5);
});

test('after a lost journal the condition waits, and says for what', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const actor = stage.actor([guarding({ task: created })], { times });
  await actor.walk();
  const gone = { status: { guards: null } };
  await stage.client.patch(Workspace, key, { type: 'merge', value: gone }, { subresource: 'status' });
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
  await actor.walk();
  const { status, reason, workspace } = await stateOf(stage);
  t.is(status, 'Waiting');
  t.regex(reason, /^waits until 2026-01-01T00:00:22Z: the journal entry is missing/);
  await stage.clock.advance(1_000);
  await actor.walk();
  t.is((await stage.read()).metadata.resourceVersion, workspace.metadata.resourceVersion, 'told once');
});

test('a lease of 68 years, by a user who may write the status, is reported after half an hour', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const actor = stage.actor([guarding({ task: created })], { times });
  await actor.walk();
  const entry = { phase: 'intent', holder: 'x/y', leaseSeconds: 2 ** 31 - 1, refs: null };
  await stage.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { guards: { DNS: entry } } } },
    { subresource: 'status' },
  );
  await actor.walk();
  await stage.clock.advance(1_801_000);
  await actor.walk();
  const { status, reason } = await stateOf(stage);
  t.is(status, 'Waiting');
  t.regex(reason, /^waits until \S+ for requests of a dead holder: x\/y/);
});

test('a spec that changes while a journal is waited for is not said to be in force', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const actor = stage.actor([guarding({ task: created })], { times });
  await actor.walk();
  await stage.client.patch(Workspace, key, {
    type: 'merge',
    value: { metadata: { annotations: null }, spec: { integrations: { other: {} } } },
  });
  const gone = { status: { guards: null } };
  await stage.client.patch(Workspace, key, { type: 'merge', value: gone }, { subresource: 'status' });
  await actor.walk();
  const { workspace } = await stateOf(stage);
  t.is(workspace.metadata.generation, 2);
  t.like(conditionOf(workspace, 'DNS'), { status: 'Waiting' });
  t.like(conditionOf(workspace, 'Ready'), { status: 'False', reason: 'Deploying' });
});

test('once the wait is over, an integration that finds nothing to do leaves no text about it', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const actor = stage.actor([guarding({ task: created })], { times });
  await actor.walk();
  const gone = { status: { guards: null } };
  await stage.client.patch(Workspace, key, { type: 'merge', value: gone }, { subresource: 'status' });
  await actor.walk();
  t.regex((await stateOf(stage)).reason, /^waits until/);
  await stage.clock.advance(22_000);
  await actor.walk();
  await actor.walk();
  const { status, reason } = await stateOf(stage);
  t.deepEqual([status, reason], ['Completed', 'made']);
});

test('where the server refuses to say so, it is waited all the same', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  await dyingIn(stage, { task: created });
  const heir = stage.actor([guarding({ task: created })], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(5_000);
  const refused = failing(stage.cluster, (request) => textOf(request).includes('waits until'));
  t.deepEqual(await heir.walk(), { requeueAfter: 17_000 });
  t.is(refused(), 1);
  t.like(await stateOf(stage), { status: 'Locked', reason: 'creating, until 2026-01-01T00:03:20Z at the latest' });
  t.deepEqual(
    heir.events.map(({ reason }) => reason),
    [],
  );
});

test('a refusal of the condition that says so is reported by an event', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  await dyingIn(stage, { task: created });
  const heir = stage.actor([guarding({ task: created })], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(5_000);
  const status = { code: 400, reason: 'BadRequest', message: 'a policy says no' };
  refusing(stage, (request) => textOf(request).includes('waits until'), status);
  await heir.walk();
  t.deepEqual(
    heir.events.map(({ reason, message }) => `${reason}: ${message}`),
    ['WriteRefused: condition DNS is not written: a policy says no'],
  );
});
