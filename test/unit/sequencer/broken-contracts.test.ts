import test from 'ava';
import {
  ConfigMap,
  conditionOf,
  defineIntegration,
  type Integration,
  type Provider,
  type ProviderController,
  Workspace,
} from '../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../a-target-cluster.ts';
import { created, passing } from '../sdk/provider/guarding.ts';

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

const greeting = (condition: string): Integration =>
  defineIntegration({
    name: condition.toLowerCase(),
    condition,
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () => controller.updateCondition('Completed', 'said'),
      terminate: () => controller.updateCondition('Terminated', 'unsaid'),
    }),
  });

const mute = (handles: () => unknown): Integration => ({ ...greeting('DNS'), handles }) as Integration;

const throwing = (): never => {
  throw new Error('spec.zone is missing');
};
const silent: readonly (readonly [handles: () => unknown, found: RegExp])[] = [
  [throwing, /handles must not throw; it threw spec\.zone is missing$/],
  [async () => true, /handles must return true or false; found a Promise$/],
  [() => 'yes', /handles must return true or false; found "yes"$/],
];
for (const [handles, found] of silent)
  test(`handles that breaks its contract costs its own condition alone: ${found.source}`, async (t) => {
    const target = await aTargetCluster();
    await target.create();
    const actor = target.actor([mute(handles), greeting('Mail')]);
    await actor.walk();
    const workspace = await target.read();
    t.is(conditionOf(workspace, 'Mail').status, 'Completed');
    const { status, reason } = conditionOf(workspace, 'DNS');
    t.is(status, 'Error');
    t.regex(reason, /^integration "dns" \(condition DNS\): /);
    t.regex(reason, found);
    t.like(conditionOf(workspace, 'Ready'), { status: 'False', reason: 'Error: DNS' });
    await actor.walk();
    t.is(actor.events.filter((event) => event.reason === 'DNSFailed').length, 1, 'told once');
  });

test('a claim of an integration whose handles throws stays, and is ended with the workspace', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  await target.actor([greeting('DNS')]).walk();
  const actor = target.actor([mute(throwing)]);
  await actor.walk();
  t.deepEqual((await target.read()).metadata.finalizers, ['se.quencer.io/dns']);
  await target.delete();
  await actor.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

const wrong: readonly (readonly [title: string, plugin: Partial<Integration>, found: RegExp])[] = [
  [
    'connect that answers no provider',
    { connect: () => ({}) as Provider },
    /connect must return an object with functions reconcile and terminate; found reconcile undefined$/,
  ],
  [
    'reconcile that answers a time that is none',
    { connect: () => ({ reconcile: async () => ({ requeueAfter: Number.NaN }), terminate: async () => {} }) },
    /what reconcile returned: requeueAfter must be a number of ms from 0; found NaN$/,
  ],
];
for (const [title, plugin, found] of wrong)
  test(`${title} is an Error of its condition that names it`, async (t) => {
    const target = await aTargetCluster();
    await target.create();
    const actor = target.actor([{ ...idle, ...plugin }, greeting('Mail')]);
    await t.throwsAsync(actor.walk(), { name: 'ContractError', message: found });
    t.like(conditionOf(await target.read(), 'DNS'), { status: 'Error' });
    t.regex(conditionOf(await target.read(), 'DNS').reason, found);
    t.is(conditionOf(await target.read(), 'Mail').status, 'Completed');
  });

test('a reconcile that returns without a word is an Error of its condition, once, and heals', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  let isMute = true;
  const mute = integration((controller) => ({
    reconcile: async () => (isMute ? undefined : controller.updateCondition('Completed', 'said')),
  }));
  const actor = target.actor([mute, greeting('Mail')]);
  const message =
    /^integration "dns" \(condition DNS\): reconcile has returned, but its condition says nothing yet: await/;
  await t.throwsAsync(actor.walk(), { name: 'ContractError', message });
  const { status, reason } = conditionOf(await target.read(), 'DNS');
  t.is(status, 'Error');
  t.regex(reason, message);
  t.is(conditionOf(await target.read(), 'Mail').status, 'Completed');
  isMute = false;
  await actor.walk();
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'Completed', reason: 'said' });
});

test('a reconcile that comes back later may say nothing until then', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  await target.actor([integration(() => ({ reconcile: async () => ({ requeueAfter: 60_000 }) }))]).walk();
  t.is(conditionOf(await target.read(), 'DNS').status, 'Initialized');
});

test('a reconcile that hangs is reported after ten seconds, given up in time, and does nothing afterwards', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  let late: Promise<unknown> = Promise.resolve();
  const { promise: free, resolve } = Promise.withResolvers<void>();
  const hanging = integration((controller) => ({
    reconcile: async () => {
      await free;
      await t.throwsAsync(controller.delete(ConfigMap, { name: 'any' }), { name: 'ContractError' });
      late = controller.guard('too late', created);
      await late;
    },
  }));
  const actor = target.actor([hanging], { times: { call: 30_000 } });
  const walking = actor.walk();
  walking.catch(() => undefined);
  await passing(target, target.clock.sleep(12_000));
  t.like(conditionOf(await target.read(), 'DNS'), {
    status: 'Waiting',
    reason: 'reconcile has not answered since 2026-01-01T00:00:00Z, and is given up at 2026-01-01T00:00:30Z',
  });
  const error = await t.throwsAsync(passing(target, walking), { name: 'ContractError' });
  t.regex(
    error.message,
    /^integration "dns" \(condition DNS\): reconcile must answer within 30000 ms; found no answer since/,
  );
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'Error', reason: error.message });
  resolve();
  await passing(target, target.clock.sleep(200));
  await t.throwsAsync(
    late.then(() => late),
    { message: error.message },
  );
  t.is((await target.read()).status?.guards?.DNS?.phase, 'none', 'nothing was begun');
});

test('a reconcile that hangs after a change of the spec is reported, and what it showed before is not in force', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const { promise: free, resolve } = Promise.withResolvers<void>();
  let isHanging = false;
  const hanging = integration((controller) => ({
    reconcile: async () => (isHanging ? free : controller.updateCondition('Completed', 'there')),
  }));
  const actor = target.actor([hanging], { times: { call: 30_000 } });
  await actor.walk();
  isHanging = true;
  await target.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { other: {} } } } });
  const walking = actor.walk();
  await passing(target, target.clock.sleep(12_000));
  const { status, reason } = conditionOf(await target.read(), 'DNS');
  t.is(status, 'Waiting');
  t.regex(reason, /^reconcile has not answered since .*, and is given up at /);
  resolve();
  await passing(target, walking);
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'In Progress', reason: 'there' });
  t.like(conditionOf(await target.read(), 'Ready'), { status: 'False' });
});

test('a terminate that hangs is reported after ten seconds, whatever its condition said before', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const { promise: free, resolve } = Promise.withResolvers<void>();
  const hanging = integration((controller) => ({
    reconcile: () => controller.updateCondition('Completed', 'there'),
    async terminate() {
      await free;
      await controller.updateCondition('Terminated', 'gone');
    },
  }));
  const actor = target.actor([hanging], { times: { call: 30_000 } });
  await actor.walk();
  await target.delete();
  const walking = actor.walk();
  walking.catch(() => undefined);
  await passing(target, target.clock.sleep(12_000));
  t.like(conditionOf(await target.read(), 'DNS'), {
    status: 'Waiting',
    reason: 'terminate has not answered since 2026-01-01T00:00:00Z, and is given up at 2026-01-01T00:00:30Z',
  });
  resolve();
  await passing(target, walking);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('time inside of a guard is not the plug-in’s; what was reported before it answered is taken back', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const slow = integration((controller) => ({
    async reconcile() {
      await target.clock.sleep(12_000);
      if (controller.refs.length > 0) return;
      await controller.guard('working', async () => {
        await target.clock.sleep(120_000);
        return created();
      });
    },
  }));
  const actor = target.actor([slow], { times: { call: 20_000 } });
  await passing(target, actor.walk(), 300_000);
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'Completed', reason: 'made' });
  await statusOf(target, {
    conditions: [{ ...conditionOf(await target.read(), 'DNS'), status: 'Waiting', reason: 'x' }],
  });
  await passing(target, actor.walk(), 300_000);
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'Waiting', reason: 'x' });
});
