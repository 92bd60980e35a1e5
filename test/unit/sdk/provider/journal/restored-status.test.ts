import test from 'ava';
import { Workspace } from '../../../../../sdk/index.ts';
import type { TargetCluster } from '../../../a-target-cluster.ts';
import { aKeeper, boxes, key, putStatus, restored, said, settled, want } from '../a-keeper.ts';

/** Restores from a backup with the status, as Velero does with `--restore-status`. */
async function restoredWithStatus(stage: TargetCluster, how: { readonly finalizers: boolean }): Promise<void> {
  const { status } = await stage.read();
  await restored(stage, how);
  await putStatus(stage.client, key, status);
}

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  for (const finalizers of [true, false])
    for (const change of [undefined, { a: null, c: 1 }] as const)
      test(`a restore with its status takes over what is there, once (${identity}, ${finalizers ? 'with' : 'without'} finalizers, ${change ? 'changed' : 'unchanged'})`, async (t) => {
        const { stage, party, actor, heir } = await aKeeper(identity);
        await stage.create(boxes({ a: 1, b: 1 }));
        await actor.walk();
        await restoredWithStatus(stage, { finalizers });
        if (change) await want(stage, change);
        const next = heir();
        await settled(stage, next);
        await settled(stage, next);
        t.deepEqual(party.boxes.map(({ name }) => name).sort(), change ? ['b', 'c'] : ['a', 'b'], await said(stage));
        t.is((await said(stage)).split(':')[0], 'Completed', await said(stage));
        await stage.delete();
        await settled(stage, next);
        await settled(stage, next);
        t.deepEqual(party.boxes, []);
        await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
      });

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  for (const finalizers of [true, false])
    test(`a copy with its status touches nothing of its original (${identity}, ${finalizers ? 'with' : 'without'} finalizers)`, async (t) => {
      const { stage, party, actor } = await aKeeper(identity);
      await stage.create(boxes({ a: 1, b: 1 }));
      await actor.walk();
      const { metadata, status } = await stage.read();
      const originals = party.boxes.map(({ id, size }) => `${id} ${size}`);
      const copy = { ...key, name: 'copy' };
      const { annotations = {} } = metadata;
      const kept = { annotations, ...(finalizers && { finalizers: metadata.finalizers ?? [] }) };
      await stage.client.create(Workspace, { metadata: { ...copy, ...kept }, spec: boxes({ a: 2, c: 1 }) });
      await putStatus(stage.client, copy, status);
      await settled(stage, { walk: () => actor.walk('copy').catch(() => undefined) });
      t.true(actor.events.some(({ reason, message }) => reason === 'ForeignIds' && message.includes('is a copy')));
      await stage.client.delete(Workspace, copy);
      await settled(stage, { walk: () => actor.walk('copy').catch(() => undefined) });
      await settled(stage, { walk: () => actor.walk('copy').catch(() => undefined) });
      t.deepEqual(
        party.boxes.map(({ id, size }) => `${id} ${size}`),
        originals,
        party.calls.join(', '),
      );
      await t.throwsAsync(stage.client.get(Workspace, copy), { name: 'NotFoundError' });
    });
