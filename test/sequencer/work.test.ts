import test from 'ava';
import {
  BusyError,
  conditionOf,
  DefiniteError,
  defineIntegration,
  type Integration,
  type Provider,
  type ProviderController,
  Workspace,
} from '../../sdk/index.ts';
import { claim } from '../../sequencer/moves.ts';
import { work } from '../../sequencer/work.ts';
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
