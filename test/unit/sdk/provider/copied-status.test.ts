import test from 'ava';
import { conditionOf, ignoreNotFound, Workspace } from '../../../../sdk/index.ts';
import type { TargetCluster } from '../../a-target-cluster.ts';
import { aKeeper, boxes, key, putStatus, settled, want } from './a-keeper.ts';

/** Changes the size of the box `a`, and waits until that is done. */
async function settledAt(stage: TargetCluster, actor: { walk(): Promise<unknown> }, size: number): Promise<void> {
  await want(stage, { a: size });
  await settled(stage, actor);
}

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  for (const changes of ['before', 'after'] as const)
    test(`a status that is put over that of a copy at any moment touches nothing of its original (${identity}, changed ${changes} the copy)`, async (t) => {
      for (const moment of Array.from({ length: 9 }, (_, index) => index)) {
        const { stage, party, actor } = await aKeeper(identity);
        await stage.create(boxes({ a: 1 }));
        await actor.walk();
        const copy = { ...key, name: 'copy' };
        const { metadata } = await stage.read();
        const { annotations = {}, finalizers = [] } = metadata;
        if (changes === 'before') await settledAt(stage, actor, 2);
        await stage.client.create(Workspace, { metadata: { ...copy, annotations, finalizers }, spec: boxes({ a: 7 }) });
        if (changes === 'after') await settledAt(stage, actor, 2);
        const { status } = await stage.read();
        let writes = 0;
        stage.cluster.intercept(async (request, next) => {
          const isWrite = request.method === 'PATCH' && request.url.includes('/copy') && !pasting;
          if (isWrite && writes++ === moment) await paste();
          return next(request);
        });
        let pasting = false;
        const paste = async () => {
          pasting = true;
          await putStatus(stage.client, copy, status);
          pasting = false;
        };
        const walk = () => actor.walk('copy').catch(() => undefined);
        await settled(stage, { walk });
        if (writes <= moment) await paste();
        await settled(stage, { walk });
        const spec = { integrations: { boxes: { a: 8 } } };
        await stage.client.patch(Workspace, copy, { type: 'merge', value: { spec } });
        await settled(stage, { walk });
        await settled(stage, { walk });
        const of = (name: string) => party.boxes.filter(({ mark }) => mark.startsWith(name)).map(({ size }) => size);
        t.deepEqual(of(metadata.uid!), [2], `${moment}: ${party.calls.join(', ')}`);
        await stage.client.delete(Workspace, copy);
        await settled(stage, { walk });
        await settled(stage, { walk });
        t.deepEqual(of(metadata.uid!), [2], `${moment}, deleted: ${party.calls.join(', ')}`);
        const left = await ignoreNotFound(stage.client.get(Workspace, copy));
        if (left === undefined) t.is(party.boxes.length, 1, `${moment}, deleted: ${party.calls.join(', ')}`);
        else t.is(conditionOf(left, 'Boxes').status, 'Unknown', `${moment}`);
      }
    });
