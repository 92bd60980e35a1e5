import test from 'ava';
import { createDryRunController } from '../../../../../sdk/host/index.ts';
import { ContractError, createController, StaleError, Workspace } from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { key } from '../guarding.ts';

const claim = 'se.quencer.io/dns';
const own = 'acme.example/boxes';

async function aScene(finalizers: readonly string[], { terminating = false, deleting = false } = {}) {
  const stage = await aTargetCluster();
  await stage.create();
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers } } });
  if (deleting) await stage.delete();
  const [{ host }, workspace] = [stage.actor([]), await stage.read()];
  const scope = { type: 'DNS', claim, terminating };
  return {
    finalizers: async () => (await stage.read()).metadata.finalizers,
    controller: createController(host, workspace, scope),
    planner: createDryRunController(host, workspace, scope).controller,
  };
}

test('a finalizer of its own is set once and removed', async (t) => {
  const { controller, finalizers } = await aScene([claim]);
  await controller.setFinalizer(own);
  await controller.setFinalizer(own);
  t.deepEqual(await finalizers(), [claim, own]);
  await controller.removeFinalizer(own);
  await controller.removeFinalizer(own);
  t.deepEqual(await finalizers(), [claim]);
});

for (const finalizer of [claim, 'se.quencer.io/mail'])
  test(`a claim is no business of an integration: ${finalizer}`, async (t) => {
    const { controller, planner: dryRun, finalizers } = await aScene([claim]);
    const message = `integration "dns" (condition DNS): the finalizer ${finalizer} is a claim, which only the sequencer sets`;
    for (const handle of [controller, dryRun]) {
      await t.throwsAsync(handle.setFinalizer(finalizer), { instanceOf: ContractError, message });
      await t.throwsAsync(handle.removeFinalizer(finalizer), { instanceOf: ContractError, message });
    }
    t.deepEqual(await finalizers(), [claim]);
  });

for (const finalizer of ['boxes', '', 'a/b/c', undefined])
  test(`${JSON.stringify(finalizer)} is not a finalizer`, async (t) => {
    const { controller } = await aScene([claim]);
    const message = /a finalizer must be a qualified name such as acme\.example\/boxes; found/;
    await t.throwsAsync(controller.setFinalizer(finalizer as string), { instanceOf: ContractError, message });
  });

test('a workspace that is being deleted takes no new finalizer, and says so', async (t) => {
  const reconciling = await aScene([claim], { deleting: true });
  await t.throwsAsync(reconciling.controller.setFinalizer(own), {
    instanceOf: StaleError,
    message: `workspace default/shop is being deleted: it takes no new finalizer ${own}`,
  });
  const terminating = await aScene([claim], { deleting: true, terminating: true });
  await t.throwsAsync(terminating.controller.setFinalizer(own), {
    instanceOf: ContractError,
    message: /terminate cannot set acme\.example\/boxes/,
  });
  t.deepEqual(await terminating.finalizers(), [claim]);
  const holding = await aScene([claim, own], { deleting: true });
  await t.notThrowsAsync(holding.controller.setFinalizer(own));
});
