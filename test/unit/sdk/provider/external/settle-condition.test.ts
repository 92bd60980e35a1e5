import test from 'ava';
import { conditionOf } from '../../../../../sdk/index.ts';
import { aKeeper, boxes, want } from '../a-keeper.ts';

test('a spec that changes nothing outside is recorded together with its condition in one write, and the next walk writes nothing', async (t) => {
  const { stage, party, actor } = await aKeeper();
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await want(stage, { a: 2 });
  await want(stage, { a: 1 });
  const before = stage.cluster.audit.length;
  await actor.walk();
  const workspace = await stage.read();
  const { generation } = workspace.metadata;
  t.is(conditionOf(workspace, 'Boxes').observedGeneration, generation);
  t.is(workspace.status?.guards?.Boxes?.generation, generation);
  t.deepEqual(party.calls, ['create a']);
  const patches = stage.cluster.audit.slice(before).filter(({ method }) => method === 'PATCH');
  t.is(patches.length, 2, 'this one, and that of the summary of a new generation');
  const { revision } = stage.cluster;
  await actor.walk();
  t.is(stage.cluster.revision, revision);
});
