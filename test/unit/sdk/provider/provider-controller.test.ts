/** The members of the sequencer SDK's ProviderController, on a server in memory or a real one. */

import test from 'ava';
import {
  BusyError,
  ConfigMap,
  conditionOf,
  createController,
  createProviderHost,
  createRecorder,
  Event,
  ensureCrds,
  Namespace,
  NotFoundError,
  StaleError,
  systemClock,
  type Task,
  Workspace,
} from '../../../../sdk/index.ts';
import { aServer } from '../a-server.ts';

const claim = 'se.quencer.io/tunnel';
const entry = { phase: 'none', op: 'task', key: 'k-0', token: 0, holder: 'none' } as const;

/** A claimed workspace whose journal says that nothing was begun, and controllers of its condition by processes of their own. */
async function aWorkspace() {
  const { client, key } = await aServer();
  await ensureCrds(client, [Workspace]);
  const shop = key('shop');
  await client.create(Workspace, { metadata: { ...shop, finalizers: [claim] }, spec: {} });
  const begun = { type: 'merge', value: { status: { guards: { Tunneling: entry } } } } as const;
  await client.patch(Workspace, shop, begun, { subresource: 'status' });
  const events = createRecorder({ client, component: 'test' });
  const read = () => client.get(Workspace, shop);
  const controllerOf = async (holder: string, { terminating = false } = {}) =>
    createController(createProviderHost({ client, clock: systemClock, events, holder }), await read(), {
      type: 'Tunneling',
      claim,
      terminating,
    });
  return { client, key, shop, read, events, controllerOf, controller: await controllerOf('one') };
}

const completed: Task = async () => ({ status: 'Completed', reason: 'made', refs: [{ id: 't-1' }] });

test('NewController: a controller has the workspace, its condition and its namespace, as of its last own write', async (t) => {
  const { controller, shop } = await aWorkspace();
  t.like(controller.workspace.metadata, shop);
  t.is(controller.namespace, shop.namespace!);
  t.is(controller.condition.type, 'Tunneling');
  await controller.updateCondition('In Progress', 'working');
  t.like(controller.condition, { status: 'In Progress', reason: 'working' });
  t.throws(() => Object.assign(controller.workspace.spec, { host: 'x' }), { instanceOf: TypeError });
});

test('Guard: the condition is locked while the task runs, and then says what came of it', async (t) => {
  const { controller, read } = await aWorkspace();
  let during: Workspace | undefined;
  await controller.guard('creating the tunnel', async (context) => {
    during = await read();
    return completed(context);
  });
  const { status, reason } = conditionOf(during!, 'Tunneling');
  t.is(status, 'Locked');
  t.regex(reason, /^creating the tunnel, until 20.*Z at the latest$/);
  t.is(during?.status?.guards?.Tunneling?.phase, 'intent');
  const after = await read();
  t.like(conditionOf(after, 'Tunneling'), { status: 'Completed', reason: 'made' });
  t.like(after.status?.guards?.Tunneling, { phase: 'done', refs: [{ id: 't-1' }] });
});

test('Guard: of two processes that saw the same one runs, and the other is told that it is busy or outdated', async (t) => {
  const { controllerOf } = await aWorkspace();
  const both = [await controllerOf('one'), await controllerOf('two')];
  let calls = 0;
  const task: Task = async (context) => {
    calls += 1;
    return completed(context);
  };
  const ends = await Promise.allSettled(both.map((controller) => controller.guard('creating', task)));
  const [refused] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  t.is(calls, 1);
  t.true(refused instanceof StaleError || refused instanceof BusyError, String(refused));
});

test('Guard: an outdated workspace is found out before the task, which is not called', async (t) => {
  const { client, shop, controller, read } = await aWorkspace();
  await client.patch(Workspace, shop, { type: 'merge', value: { spec: { integrations: { tunnel: { plan: 'b' } } } } });
  await t.throwsAsync(
    controller.guard('creating', async () => t.fail('the task was called') as never),
    { instanceOf: StaleError },
  );
  t.is((await read()).status?.guards?.Tunneling?.phase, 'none');
});

test('Task: a status of its own is written, and an error comes out, with the condition saying so', async (t) => {
  const { controllerOf, controller } = await aWorkspace();
  await controller.guard('creating', async () => ({ status: 'Error', reason: 'no quota' }));
  t.like(controller.condition, { status: 'Error', reason: 'no quota' });
  const next = await controllerOf('one');
  await t.throwsAsync(
    next.guard('creating', () => Promise.reject(new Error('reset'))),
    { message: 'reset' },
  );
  t.regex(next.condition.reason, /reset/);
});

test('UpdateCondition: this condition is written and nothing else, unless it is locked', async (t) => {
  const { client, shop, controller, read } = await aWorkspace();
  const before = await read();
  await controller.updateCondition('Waiting', 'for a plan');
  const { status } = await read();
  t.like(status, { ...before.status, conditions: [{ type: 'Tunneling', status: 'Waiting', reason: 'for a plan' }] });
  await controller.guard('creating', async (context) => {
    await t.throwsAsync(controller.updateCondition('Completed', 'not yet'), { instanceOf: BusyError });
    return completed(context);
  });
  t.is(await client.delete(Workspace, shop), 'deleting');
});

test('Update: only what the recipe changes is written, and what another client writes meanwhile stays', async (t) => {
  const { client, shop, controller, read } = await aWorkspace();
  const theirs = { type: 'merge', value: { status: { host: 'theirs.example.com' } } } as const;
  await client.patch(Workspace, shop, theirs, { subresource: 'status' });
  await controller.update((status) => {
    status.tunnel = { remoteId: 't-1' };
  });
  t.like((await read()).status, { host: 'theirs.example.com', tunnel: { remoteId: 't-1' } });
});

test('Create, Delete: owned and in the namespace, with options; there already or gone is not a failure', async (t) => {
  const { client, key, controller } = await aWorkspace();
  const settings = { metadata: { name: 'settings' }, data: { id: 't-1' } };
  await controller.create(ConfigMap, settings, { dryRun: true });
  await t.throwsAsync(client.get(ConfigMap, key('settings')), { instanceOf: NotFoundError }, 'a dry run');
  const made = await controller.create(ConfigMap, settings);
  t.like(made.metadata.ownerReferences?.[0], { uid: controller.workspace.metadata.uid, controller: true });
  t.is((await controller.create(ConfigMap, settings)).metadata.uid, made.metadata.uid);
  const other = { preconditions: { uid: 'another' } };
  await t.throwsAsync(controller.delete(ConfigMap, { name: 'settings' }, other), { name: 'ConflictError' });
  await controller.delete(ConfigMap, { name: 'settings' });
  t.is(await controller.delete(ConfigMap, { name: 'settings' }), 'gone');
});

test('Create: what a workspace cannot own, since it has no namespace, is refused before it is made', async (t) => {
  const { client, key, controller } = await aWorkspace();
  const { name } = key('lost');
  const message = /integration "tunnel".*: create: namespaces is cluster-scoped/;
  const made = controller.create(Namespace, { metadata: { name: `${name}-${Date.now()}` } });
  await t.throwsAsync(made, { name: 'ContractError', message });
  const { items } = await client.list(Namespace);
  t.false(items.some(({ metadata }) => metadata.name.startsWith(name)));
});

test('SetFinalizer, RemoveFinalizer: one of its own comes and goes, others stay; gone is removed', async (t) => {
  const { client, shop, controller, controllerOf, read } = await aWorkspace();
  await controller.setFinalizer('example.com/tunnel');
  t.deepEqual((await read()).metadata.finalizers, [claim, 'example.com/tunnel']);
  await controller.removeFinalizer('example.com/tunnel');
  t.deepEqual((await read()).metadata.finalizers, [claim]);
  await controller.setFinalizer('example.com/tunnel');
  const late = await controllerOf('one', { terminating: true });
  t.true(late.workspace.metadata.finalizers?.includes('example.com/tunnel'), 'it has one to remove');
  await client.patch(Workspace, shop, { type: 'merge', value: { metadata: { finalizers: null } } });
  await client.delete(Workspace, shop);
  await t.notThrowsAsync(late.removeFinalizer('example.com/tunnel'));
});

test('any record: neither the journal nor a claim can be changed by a provider', async (t) => {
  const { controller, read, shop } = await aWorkspace();
  const before = await read();
  const emptied = controller.update((status) => {
    delete status.guards;
  });
  await t.throwsAsync(emptied, { name: 'ContractError' });
  await t.throwsAsync(controller.removeFinalizer(claim), { name: 'ContractError' });
  const patch = { type: 'merge', value: { metadata: { finalizers: null } } } as const;
  await t.throwsAsync(controller.patch(Workspace, shop, patch), { name: 'ContractError' });
  t.deepEqual(await read(), before);
  const labels = { metadata: { labels: { team: 'a' }, annotations: { 'acme.example/plan': 'b' } } };
  await t.notThrowsAsync(controller.patch(Workspace, shop, { type: 'merge', value: labels }));
});

test('Event: it is about the workspace', async (t) => {
  const { client, events, controller, shop } = await aWorkspace();
  controller.event('Normal', 'Created', `tunnel ${1}`);
  await events.flush();
  const { items } = await client.list(Event, { namespace: shop.namespace! });
  const made = items.find(({ reason }) => reason === 'Created');
  t.like(made, { type: 'Normal', message: 'tunnel 1', involvedObject: { kind: 'Workspace', name: 'shop' } });
});

test('Reader: live, in the namespace of the workspace unless told otherwise, with options', async (t) => {
  const { client, key, controller } = await aWorkspace();
  await client.create(ConfigMap, { metadata: key('seen'), data: { a: 'b' } });
  t.deepEqual((await controller.get(ConfigMap, { name: 'seen' })).data, { a: 'b' });
  const named = async (namespace?: string) =>
    (await controller.list(ConfigMap, namespace === undefined ? {} : { namespace })).items.map(
      ({ metadata }) => metadata.name,
    );
  t.true((await named()).includes('seen'));
  t.false((await named('kube-system')).includes('seen'));
  t.deepEqual((await controller.list(ConfigMap, { labels: 'a=none' })).items, []);
  const signal = AbortSignal.abort(new Error('enough'));
  await t.throwsAsync(controller.get(ConfigMap, { name: 'seen' }, { signal }), { message: 'enough' });
});
