import test from 'ava';
import { conditionOf, Workspace } from '../../../../sdk/index.ts';
import { boxes, key, restored, want } from './a-keeper.ts';
import { aScene, marks, reading, settled } from './mark-replacement.ts';

for (const carriedOut of [false, true])
  for (const next of ['a restore', 'a deletion', 'a wiped status', 'another process', 'nothing wanted'] as const)
    test(`a process that dies ${carriedOut ? 'after' : 'before'} the call that marks anew, and then ${next}, leaves nothing behind`, async (t) => {
      const scene = await aScene('tag', (party) => ({ observe: reading(party) }));
      const { stage, party, actor } = scene;
      await stage.create(boxes({ a: 1, b: 2 }));
      await actor.walk();
      party.faults.push({ call: 'replaceMark', carriedOut, error: new Error('reset') });
      await restored(stage);
      for (let turn = 0; party.faults.length > 0 && turn < 9; turn += 1) {
        await actor.walk().catch(() => undefined);
        await stage.clock.advance(5_000);
      }
      actor.die();
      const { guards } = (await stage.read()).status ?? {};
      t.is(guards?.Boxes?.phase, 'intent', 'the step is journalled, and open');
      if (next === 'a restore') await restored(stage);
      if (next === 'a deletion') await stage.delete();
      if (next === 'nothing wanted') await want(stage, { a: null, b: null });
      if (next === 'a wiped status')
        await stage.client.patch(Workspace, key, { type: 'merge', value: { status: null } }, { subresource: 'status' });
      await settled(stage, scene.heir());
      if (next !== 'a deletion') {
        const workspace = await stage.read();
        t.is(conditionOf(workspace, 'Boxes').status, 'Completed', conditionOf(workspace, 'Boxes').reason);
        const { expected, found } = await marks(scene);
        t.deepEqual(found, expected);
        t.is(found.length, next === 'nothing wanted' ? 0 : 2);
        await stage.delete();
        await settled(stage, scene.heir());
      }
      await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
      t.deepEqual(party.boxes, []);
    });
