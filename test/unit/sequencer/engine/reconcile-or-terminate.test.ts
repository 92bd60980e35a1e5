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
} from '../../../../sdk/index.ts';
import { addIntegrationFinalizers } from '../../../../sequencer/engine/finalizers/integration-finalizers.ts';
import { reconcileOrTerminate } from '../../../../sequencer/engine/reconcile-or-terminate.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';

const key = { namespace: 'default', name: 'shop' };

const integration = (provider: (controller: ProviderController) => Partial<Provider>): Integration =>
  defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({ reconcile: async () => {}, terminate: async () => {}, ...provider(controller) }),
  });
const idle = integration(() => ({}));
const statusOf = (target: TargetCluster, value: object) =>
  target.client.patch(Workspace, key, { type: 'merge', value: { status: value } }, { subresource: 'status' });

test('an error that no guard has written becomes the condition, and an event', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor([]);
  await target.create();
  const failing = integration(() => ({
    reconcile: async () => {
      throw new Error('cannot list zones');
    },
  }));
  const { error } = await reconcileOrTerminate(actor.host, await target.read(), {
    kind: 'reconcile',
    integration: failing,
  });
  t.is((error as Error).message, 'cannot list zones');
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'Error', reason: 'cannot list zones' });
  t.like(actor.events[0], { type: 'Warning', reason: 'DNSFailed', message: 'cannot list zones' });
});

test('an integration that does not connect is an Error of its condition too', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const broken: Integration = {
    ...idle,
    connect: () => {
      throw new DefiniteError('no credentials');
    },
  };
  await reconcileOrTerminate(target.actor([]).host, await target.read(), { kind: 'reconcile', integration: broken });
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'Error', reason: 'no credentials' });
});

test('nothing is connected while another holder has the guard, or a person has to decide', async (t) => {
  for (const phase of ['intent', 'unknown']) {
    const target = await aTargetCluster();
    await target.create();
    const workspace = await statusOf(target, {
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
    const { result } = await reconcileOrTerminate(target.actor([]).host, workspace, {
      kind: 'reconcile',
      integration: watching,
    });
    t.false(connected);
    t.is(result?.requeueAfter !== undefined, phase === 'intent');
  }
});

test('a dead holder’s attempt is told of even where the integration finds nothing to do', async (t) => {
  const target = await aTargetCluster();
  const times = { lease: 1_000, maxRequest: 500 };
  const { host } = target.actor([], { times });
  await addIntegrationFinalizers(host, await target.create(), [idle]);
  await statusOf(target, {
    guards: { DNS: { phase: 'intent', op: 'task', key: 'k', token: 1, holder: 'other/x', leaseSeconds: 1 } },
  });
  await reconcileOrTerminate(host, await target.read(), { kind: 'reconcile', integration: idle });
  await target.clock.advance(2_500);
  await reconcileOrTerminate(host, await target.read(), { kind: 'reconcile', integration: idle });
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'Unknown' });
});

test('a condition that moved is reported as an event', async (t) => {
  const target = await aTargetCluster();
  const actor = target.actor([]);
  await target.create();
  const moving = integration((controller) => ({
    reconcile: () => controller.updateCondition('In Progress', 'on its way'),
  }));
  await reconcileOrTerminate(actor.host, await target.read(), { kind: 'reconcile', integration: moving });
  t.like(actor.events[0], { type: 'Normal', reason: 'DNSInProgress', message: 'on its way' });
  await reconcileOrTerminate(actor.host, await target.read(), { kind: 'reconcile', integration: moving });
  t.is(actor.events.length, 1);
});
