import test from 'ava';
import {
  claimOf,
  defineIntegration,
  ensureCrds,
  externalResource,
  InvalidError,
  Lease,
  Workspace,
} from '../../../sdk/index.ts';
import { runSequencer } from '../../../sequencer/run/run.ts';
import { eventually, isReady, startSequencer, workspaceGone, workspaceThat } from './sequencing.ts';
import { startClientsUnderTest } from './servers.ts';

/** An integration that records the workspaces for which it was called. */
function recording() {
  const called = new Set<string>();
  const boxes = new Set<string>();
  const box = externalResource<{ name: string }, { id: string }>({
    label: 'box',
    identity: 'name',
    find: async ({ uid }) => (boxes.has(uid) ? { id: uid } : undefined),
    create: async (_, { owner: { uid } }) => {
      boxes.add(uid);
      return { id: { id: uid } };
    },
    delete: async ({ id }) => void boxes.delete(id),
  });
  const integration = defineIntegration({
    name: 'boxes',
    condition: 'Box',
    handles: ({ metadata }) => {
      called.add(metadata.name);
      return true;
    },
    connect: ({ controller }) => ({
      reconcile: () => controller.ensure(box, { name: 'box' }),
      terminate: () => controller.destroy(box),
    }),
  });
  return { called, boxes, integration };
}

const servers = await startClientsUnderTest();
for (const { client } of servers) await ensureCrds(client, [Workspace]);

for (const { name, client, kubeconfigPath, close } of servers) {
  test.after.always(`${name} stops`, close);

  test.serial(`${name}: sequencers of two classes and one of none touch no workspace of another`, async (t) => {
    const classes = [undefined, 'blue', 'green'];
    const parties = classes.map(recording);
    const running = await Promise.all(
      parties.map(({ integration }, at) =>
        startSequencer(client, [integration], classes[at] === undefined ? {} : { className: classes[at] }),
      ),
    );
    const nameOf = (className = 'plain') => className;
    for (const className of [...classes, 'of-nobody'])
      await client.create(Workspace, {
        metadata: { namespace: 'default', name: nameOf(className) },
        spec: className === undefined ? {} : { className },
      });
    for (const className of classes) await workspaceThat(client, nameOf(className), isReady);

    const other = { namespace: 'default', name: 'of-nobody' };
    const untouched = await client.get(Workspace, other);
    t.deepEqual([untouched.status, untouched.metadata.finalizers], [undefined, undefined]);
    for (const value of ['green', null])
      await t.throwsAsync(
        client.patch(Workspace, { ...other, name: 'blue' }, { type: 'merge', value: { spec: { className: value } } }),
        { instanceOf: InvalidError, message: /className cannot be changed: delete the workspace/ },
      );
    await t.throwsAsync(
      client.patch(Workspace, { ...other, name: 'plain' }, { type: 'merge', value: { spec: { className: 'blue' } } }),
      { instanceOf: InvalidError, message: /className cannot be changed/ },
    );

    for (const className of [...classes, 'of-nobody']) {
      await client.delete(Workspace, { namespace: 'default', name: nameOf(className) });
      await workspaceGone(client, nameOf(className));
    }
    for (const [at, { called, boxes }] of parties.entries()) {
      t.deepEqual([...called], [nameOf(classes[at])]);
      t.is(boxes.size, 0);
    }
    for (const { stop } of running) await stop();
  });

  test.serial(`${name}: a workspace whose labels move it to another sequencer is taken over as it is`, async (t) => {
    const parties = { gold: recording(), silver: recording() };
    const silver = await startSequencer(client, [parties.silver.integration], { selector: 'tier=silver' });
    const gold = await startSequencer(client, [parties.gold.integration], { selector: 'tier in (gold)' });
    const key = { namespace: 'default', name: 'moving' };
    const { metadata } = await client.create(Workspace, { metadata: { ...key, labels: { tier: 'silver' } }, spec: {} });
    const { status } = await workspaceThat(client, 'moving', isReady);
    t.deepEqual([parties.gold.called.size, parties.silver.boxes.size], [0, 1]);

    await client.patch(Workspace, key, { type: 'merge', value: { metadata: { labels: { tier: 'gold' } } } });
    await eventually('the other one has it', async () => parties.gold.called.has('moving') || undefined);
    const moved = await client.get(Workspace, key);
    t.is(moved.metadata.uid, metadata.uid);
    t.deepEqual(moved.metadata.finalizers, [claimOf('boxes')]);
    t.deepEqual(moved.status?.guards?.Box?.refs, status?.guards?.Box?.refs, 'it knows what there is');
    t.is(parties.silver.boxes.size, 1, 'the former one ends nothing');
    t.is(parties.gold.boxes.size, 0, 'and nothing is made twice');

    await client.patch(Workspace, key, { type: 'merge', value: { metadata: { labels: { tier: 'silver' } } } });
    await client.delete(Workspace, key);
    await workspaceGone(client, 'moving');
    t.is(parties.silver.boxes.size, 0);
    await Promise.all([silver.stop(), gold.stop()]);
  });

  test.serial(`${name}: each class has a Lease of its own`, async (t) => {
    const stop = new AbortController();
    const leading = (['blue', 'green'] as const).map(async (className) => {
      const ready = Promise.withResolvers<void>();
      const running = runSequencer({
        kubeconfig: kubeconfigPath,
        integrations: [],
        className,
        leaderElection: { namespace: 'default' },
        signal: stop.signal,
        onReady: () => ready.resolve(),
      });
      await Promise.race([ready.promise, running]);
      return running;
    });
    const ended = Promise.all(leading);
    for (const className of ['blue', 'green'])
      await eventually(`${className} leads`, async () => {
        const lease = await client.get(Lease, { namespace: 'default', name: `sequencer-${className}` });
        return (lease.spec?.holderIdentity ?? '') !== '' || undefined;
      });
    stop.abort();
    await ended;
    t.pass();
  });
}
