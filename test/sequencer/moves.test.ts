import test from 'ava';
import {
  BusyError,
  conditionOf,
  DefiniteError,
  defineIntegration,
  type Integration,
  type Provider,
  type ProviderController,
  StaleError,
  Workspace,
} from '../../sdk/index.ts';
import { claim, forget, release, work } from '../../sequencer/moves.ts';
import { aStage, type Stage } from '../a-stage.ts';

const key = { namespace: 'default', name: 'shop' };

const integration = (provider: (controller: ProviderController) => Partial<Provider>): Integration =>
  defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({ reconcile: async () => {}, terminate: async () => {}, ...provider(controller) }),
  });
const idle = integration(() => ({}));
const statusOf = (stage: Stage, value: object) =>
  stage.client.patch(Workspace, key, { type: 'merge', value: { status: value } }, { subresource: 'status' });

test('claims of several integrations go out in one patch', async (t) => {
  const stage = await aStage();
  const { host } = stage.actor([]);
  const workspace = await stage.create();
  const claimed = await claim(host, workspace, [idle, { ...idle, name: 'mail' }]);
  t.deepEqual(claimed.metadata.finalizers, ['se.quencer.io/dns', 'se.quencer.io/mail']);
});

test('a claim on a workspace that has changed is stale', async (t) => {
  const stage = await aStage();
  const { host } = stage.actor([]);
  const workspace = await stage.create();
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: ['a.b/c'] } } });
  await t.throwsAsync(claim(host, workspace, [idle]), { instanceOf: StaleError });
});

test('a claim is released only while the server agrees that everything is gone', async (t) => {
  const stage = await aStage();
  const { host } = stage.actor([]);
  await claim(host, await stage.create(), [idle]);
  const guards = { DNS: { phase: 'gone', op: 'delete', key: 'k', token: 1, holder: 'x/y' } };
  const seen = await statusOf(stage, { guards });
  await statusOf(stage, { guards: { DNS: { late: [{ id: 1 }] } } });
  await t.throwsAsync(release(host, seen, idle), { instanceOf: StaleError }, 'an id came late');
  await statusOf(stage, { guards: { DNS: { late: null } } });
  const released = await release(host, await stage.read(), idle);
  t.is(released.metadata.finalizers, undefined);
});

test('D8: releasing on a workspace that is gone is a success', async (t) => {
  const stage = await aStage();
  const { host } = stage.actor([]);
  const claimed = await claim(host, await stage.create(), [idle]);
  const seen = await statusOf(stage, {
    conditions: [{ type: 'DNS', status: 'Terminated', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  });
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await stage.delete();
  t.deepEqual((await release(host, seen, idle)).metadata.finalizers, []);
  t.truthy(claimed);
});

test('forgetting drops the condition and keeps the journal', async (t) => {
  const stage = await aStage();
  const { host } = stage.actor([]);
  await stage.create();
  const workspace = await statusOf(stage, {
    guards: { DNS: { phase: 'gone', op: 'delete', key: 'k-4', token: 1, holder: 'x/y' } },
    conditions: [{ type: 'DNS', status: 'Terminated', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  });
  const after = await forget(host, workspace, idle);
  t.deepEqual(after.status?.conditions, []);
  t.is(after.status?.guards?.DNS?.key, 'k-4');
});

test('an error that no guard has written becomes the condition, and an event', async (t) => {
  const stage = await aStage();
  const actor = stage.actor([]);
  await stage.create();
  const failing = integration(() => ({
    reconcile: async () => {
      throw new Error('cannot list zones');
    },
  }));
  const { error } = await work(actor.host, await stage.read(), { kind: 'reconcile', integration: failing });
  t.is((error as Error).message, 'cannot list zones');
  t.like(conditionOf(await stage.read(), 'DNS'), { status: 'Error', reason: 'cannot list zones' });
  t.like(actor.events[0], { type: 'Warning', reason: 'DNSFailed', message: 'cannot list zones' });
});

test('an integration that does not connect is an Error of its condition too', async (t) => {
  const stage = await aStage();
  await stage.create();
  const broken: Integration = {
    ...idle,
    connect: () => {
      throw new DefiniteError('no credentials');
    },
  };
  await work(stage.actor([]).host, await stage.read(), { kind: 'reconcile', integration: broken });
  t.like(conditionOf(await stage.read(), 'DNS'), { status: 'Error', reason: 'no credentials' });
});

test('nothing is connected while somebody else holds the guard, or a person has to decide', async (t) => {
  for (const phase of ['intent', 'unknown']) {
    const stage = await aStage();
    await stage.create();
    const workspace = await statusOf(stage, {
      guards: { DNS: { phase, op: 'task', key: 'k', token: 1, holder: 'other/x', leaseSeconds: 1 } },
    });
    let connected = false;
    const watching: Integration = {
      ...idle,
      connect: () => {
        connected = true;
        throw new BusyError('never');
      },
    };
    const { result } = await work(stage.actor([]).host, workspace, { kind: 'reconcile', integration: watching });
    t.false(connected);
    t.is(result?.requeueAfter !== undefined, phase === 'intent');
  }
});

test('a dead holder’s attempt is told of even where the integration finds nothing to do', async (t) => {
  const stage = await aStage();
  const times = { lease: 1_000, maxRequest: 500 };
  const { host } = stage.actor([], { times });
  await claim(host, await stage.create(), [idle]);
  await statusOf(stage, {
    guards: { DNS: { phase: 'intent', op: 'task', key: 'k', token: 1, holder: 'other/x', leaseSeconds: 1 } },
  });
  await work(host, await stage.read(), { kind: 'reconcile', integration: idle });
  await stage.clock.advance(2_500);
  await work(host, await stage.read(), { kind: 'reconcile', integration: idle });
  t.like(conditionOf(await stage.read(), 'DNS'), { status: 'Unknown' });
});

test('a condition that moved is told as an event', async (t) => {
  const stage = await aStage();
  const actor = stage.actor([]);
  await stage.create();
  const moving = integration((controller) => ({
    reconcile: () => controller.updateCondition('In Progress', 'on its way'),
  }));
  await work(actor.host, await stage.read(), { kind: 'reconcile', integration: moving });
  t.like(actor.events[0], { type: 'Normal', reason: 'DNSInProgress', message: 'on its way' });
  await work(actor.host, await stage.read(), { kind: 'reconcile', integration: moving });
  t.is(actor.events.length, 1);
});
