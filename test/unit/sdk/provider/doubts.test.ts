import test from 'ava';
import { DefiniteError, Workspace } from '../../../../sdk/index.ts';
import { refusing } from '../../a-target-cluster.ts';
import { aKeeper, boxes, key, listing, said, settled, want } from './a-keeper.ts';
import type { Stored } from './a-third-party.ts';
import { isMirror } from './guarding.ts';

for (const phase of ['done', 'failed', 'intent'] as const)
  for (const isClaimRemoved of [false, true])
    test(`what was made since a status that is put back (${phase}${isClaimRemoved ? ', its claim removed' : ''}), and recorded in it alone, is found by findAll, and goes`, async (t) => {
      const kept: Stored[] = [];
      const { stage, party, actor } = await aKeeper('tag', listing(kept));
      refusing(stage, isMirror, { code: 403, reason: 'Forbidden', message: 'no' });
      if (phase !== 'done')
        party.faults.push({
          call: 'create',
          carriedOut: false,
          error: new (phase === 'failed' ? DefiniteError : Error)('no'),
        });
      if (phase === 'done') await stage.create(boxes({ a: 1 }));
      else await stage.create(boxes({ a: 1, b: 1, c: 1 }));
      await actor.walk().catch(() => undefined);
      const { status } = await stage.read();
      t.is(status?.guards?.Boxes?.phase, phase);
      if (phase === 'done') await want(stage, { b: 1, c: 1 });
      await settled(stage, actor);
      t.deepEqual(
        party.boxes.map(({ name }) => name),
        ['a', 'b', 'c'],
      );
      kept.push(...party.boxes);
      const operations = [{ op: 'replace', path: '/status', value: status }] as const;
      await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
      await want(stage, { b: null });
      if (isClaimRemoved)
        await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
      for (let walks = 0; walks < 6; walks += 1) {
        await actor.walk().catch(() => undefined);
        await stage.clock.advance(24_000);
      }
      t.deepEqual(
        party.boxes.map(({ name }) => name),
        ['a', 'c'],
      );
      t.is(await said(stage), 'Completed: 2 × box: a, c');
      t.is((await stage.read()).status?.guards?.Boxes?.lost, undefined);
    });
