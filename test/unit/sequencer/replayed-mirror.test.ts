import test from 'ava';
import { mirrorAnnotation, Workspace } from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';
import { boxes, key, settled, times } from '../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';

const annotation = mirrorAnnotation('Boxes');

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  test(`the mirror of a former workspace of its name adds nothing to the journal of one that has begun: ${identity}`, async (t) => {
    const [stage, party] = [await aTargetCluster(), aThirdParty()];
    const actor = stage.actor([boxKeeper(party.resource(identity))], { times });
    await stage.create(boxes({ a: 1 }));
    await settled(stage, actor);
    const old = (await stage.read()).metadata.annotations?.[annotation];
    const [former] = party.boxes;
    await stage.delete();
    await settled(stage, actor);
    t.is(party.boxes.length, 0);

    party.boxes.push({ ...former!, name: 'of another owner', mark: 'another' }); // the third party gives the id to another owner
    await stage.create(boxes({ a: 1 }));
    await settled(stage, actor);
    const patch = (value: object) => stage.client.patch(Workspace, key, { type: 'merge', value });
    await patch({ metadata: { annotations: { [annotation]: old } } });
    await settled(stage, actor);
    t.is(party.boxes.length, 2);
    t.true(actor.events.some(({ reason }) => reason === 'ForeignIds'));
    const { metadata } = await stage.read();
    t.is(JSON.parse(metadata.annotations?.[annotation] ?? '{}').uid, metadata.uid);
    await stage.delete();
    await settled(stage, actor);
    t.deepEqual(
      party.boxes.map(({ name }) => name),
      ['of another owner'],
    );
  });
