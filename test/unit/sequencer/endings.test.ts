import test from 'ava';
import {
  conditionOf,
  DefiniteError,
  defineIntegration,
  type Integration,
  type Provider,
  type ProviderController,
  Workspace,
} from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';

const key = { namespace: 'default', name: 'shop' };

const integration = (provider: (controller: ProviderController) => Provider, name = 'DNS'): Integration =>
  defineIntegration({
    name: name.toLowerCase(),
    condition: name,
    handles: () => true,
    connect: ({ controller }) => provider(controller),
  });
const greeting = integration(
  (controller) => ({
    reconcile: () => controller.updateCondition('Completed', 'said'),
    terminate: () => controller.updateCondition('Terminated', 'unsaid'),
  }),
  'Mail',
);

/** An integration that guards its creation and reports what it is given at termination. */
const ending = (refs: readonly { id: string }[], terminate: (controller: ProviderController) => Promise<void>) =>
  integration((controller) => ({
    async reconcile() {
      if (controller.condition.status === 'Completed') return;
      await controller.guard('creating', async () => ({ status: 'Completed', reason: 'made', refs }));
    },
    terminate: () => terminate(controller),
  }));

test('terminate that only says Terminated is told what the journal still holds, and keeps its claim', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const actor = target.actor([ending([{ id: 'a' }], (controller) => controller.updateCondition('Terminated', 'gone'))]);
  await actor.walk();
  await target.delete();
  await t.throwsAsync(actor.walk(), { name: 'ContractError' });
  const workspace = await target.read();
  const { status, reason } = conditionOf(workspace, 'DNS');
  t.is(status, 'Error');
  t.regex(
    reason,
    /terminate says Terminated, but the journal still holds \[\{"id":"a"\}\]: .*op: 'delete'.*controller\.destroy; annotate policy\.se\.quencer\.io\/DNS=orphan /,
  );
  t.deepEqual(workspace.metadata.finalizers, ['se.quencer.io/dns']);
});

test('terminate that only says Terminated is released where its guards recorded nothing', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const actor = target.actor([ending([], (controller) => controller.updateCondition('Terminated', 'gone'))]);
  await actor.walk();
  await target.delete();
  await actor.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('terminate that returns without a word is told so, and asked again', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  let calls = 0;
  const actor = target.actor([
    ending([{ id: 'a' }], async () => {
      calls += 1;
    }),
  ]);
  await actor.walk();
  await target.delete();
  for (const _ of [1, 2])
    await t.throwsAsync(actor.walk(), {
      message: /terminate has returned, but .*; the journal holds \[\{"id":"a"\}\]/,
    });
  t.is(calls, 2);
  t.regex(conditionOf(await target.read(), 'DNS').reason, /does not say Terminated/);
});

test('terminate is not asked where nothing was ever begun', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  let asked = 0;
  const outside = integration(() => ({
    reconcile: async () => {
      throw new DefiniteError('www.evil.com. is outside of the zone');
    },
    terminate: async () => {
      asked += 1;
      throw new DefiniteError('www.evil.com. is outside of the zone');
    },
  }));
  const actor = target.actor([outside]);
  await t.throwsAsync(actor.walk(), { instanceOf: DefiniteError });
  await target.delete();
  await actor.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.is(asked, 0);
});

test('terminate that fails is asked again, though no guard ever ran', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  let asked = 0;
  const unguarded = integration((controller) => ({
    reconcile: () => controller.updateCondition('Completed', 'there'),
    terminate: async () => {
      asked += 1;
      if (asked < 3) throw new Error('not reached');
      await controller.updateCondition('Terminated', 'gone');
    },
  }));
  const actor = target.actor([unguarded]);
  await actor.walk();
  await target.delete();
  for (const _ of [1, 2]) await t.throwsAsync(actor.walk(), { message: 'not reached' });
  await actor.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('a third party that refuses a deletion is reported with the way out, which works, and holds up no other', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const stubborn = ending([{ id: 'a' }], (controller) =>
    controller.guard('deleting', async () => {
      throw new DefiniteError('in use');
    }),
  );
  const actor = target.actor([stubborn, greeting]);
  await actor.walk();
  await target.delete();
  await t.throwsAsync(actor.walk(), { message: 'in use' });
  const workspace = await target.read();
  t.deepEqual(workspace.metadata.finalizers, ['se.quencer.io/dns'], 'the other is gone');
  const { status, reason } = conditionOf(workspace, 'DNS');
  t.is(status, 'Error');
  t.is(reason, 'in use; annotate policy.se.quencer.io/DNS=orphan to leave what is outside and let the workspace go');
  const annotations = { 'policy.se.quencer.io/DNS': 'orphan' };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await actor.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('a third party that answers every deletion with an error of its own is reported with the way out, which works', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const failing = ending([{ id: 'a' }], (controller) =>
    controller.guard(
      'deleting',
      async () => {
        throw new Error('500 Internal Server Error');
      },
      { op: 'delete', identity: 'name' },
    ),
  );
  const actor = target.actor([failing]);
  await actor.walk();
  await target.delete();
  await t.throwsAsync(actor.walk(), { message: '500 Internal Server Error' });
  const { status, reason } = conditionOf(await target.read(), 'DNS');
  t.is(
    `${status}: ${reason}`,
    'Locked: outcome not known yet, looked for again: 500 Internal Server Error; annotate policy.se.quencer.io/DNS=orphan to leave what is outside and let the workspace go',
  );
  const annotations = { 'policy.se.quencer.io/DNS': 'orphan' };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  const { requeueAfter } = await actor.walk();
  t.is(requeueAfter, 15_000, 'while its last request may be carried out');
  await target.clock.advance(15_000);
  await actor.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('a failed deletion whose reason says how to let the workspace go says so once', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const said = 'its config is gone: create it again, or annotate policy.se.quencer.io/DNS=orphan to keep what is there';
  const stubborn = ending([{ id: 'a' }], () => {
    throw new DefiniteError(said);
  });
  const actor = target.actor([stubborn]);
  await actor.walk();
  await target.delete();
  await t.throwsAsync(actor.walk(), { message: said });
  t.is(conditionOf(await target.read(), 'DNS').reason, said);
});
