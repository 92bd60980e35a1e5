import test from 'ava';
import { createDryRunController } from '../../../../sdk/host/index.ts';
import { createController, type Integration } from '../../../../sdk/index.ts';
import { callProvider } from '../../../../sequencer/engine/call-provider.ts';
import { scopeOf } from '../../../../sequencer/engine/workspace-patches.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { passing } from '../../sdk/provider/guarding.ts';

const answering = (reconcile: () => Promise<unknown>): Integration =>
  ({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: () => ({ reconcile, terminate: async () => ({ requeueAfter: 7 }) }),
  }) as unknown as Integration;

test('an integration is connected and asked, and its answer handed on', async (t) => {
  const target = await aTargetCluster();
  const workspace = await target.create();
  const integration = answering(async () => undefined);
  const controller = createController(target.actor([]).host, workspace, scopeOf(workspace, integration, false));
  t.deepEqual(await callProvider(controller, controller, { kind: 'reconcile', integration }), {});
  t.deepEqual(await callProvider(controller, controller, { kind: 'terminate', integration }), { requeueAfter: 7 });
});

for (const kind of ['controller', 'planner'] as const)
  test(`of a ${kind}, too, each call has a deadline, and ends with the process`, async (t) => {
    const target = await aTargetCluster();
    const workspace = await target.create();
    const integration = answering(() => new Promise(() => {}));
    const killed = new AbortController();
    const host = { ...target.actor([], { times: { call: 5_000 } }).host, killed: killed.signal };
    const scope = scopeOf(workspace, integration, false);
    const ask = () => {
      const planner = createDryRunController(host, workspace, scope);
      const controller = createController(host, workspace, scope);
      const [asker, handle] = kind === 'planner' ? [planner, planner.controller] : [controller, controller];
      return callProvider(asker, handle, { kind: 'reconcile', integration });
    };
    await t.throwsAsync(passing(target, ask()), { message: /reconcile must answer within 5000 ms/ });
    const asking = ask();
    killed.abort(new Error('told to end'));
    await t.throwsAsync(asking, { message: 'told to end' });
    await t.throwsAsync(ask(), { message: 'told to end' });
  });
