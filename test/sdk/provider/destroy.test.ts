import test from 'ava';
import { conditionOf, type ExternalResource, Workspace } from '../../../sdk/index.ts';
import { aStage, type Stage } from '../../a-stage.ts';
import { aThirdParty, type Box, type BoxId, boxKeeper } from './a-third-party.ts';

const times = { lease: 10_000, maxRequest: 2_000 };
const key = { namespace: 'default', name: 'shop' };
const boxes = (sizes: Readonly<Record<string, number>>) => ({ integrations: { boxes: sizes } });
const _want = (stage: Stage, sizes: Readonly<Record<string, number | null>>) =>
  stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { boxes: sizes } } } });
const _said = async (stage: Stage): Promise<string> => {
  const { status, reason } = conditionOf(await stage.read(), 'Boxes');
  return `${status}: ${reason}`;
};

async function aKeeper(
  identity: ExternalResource<Box, BoxId>['identity'] = 'tag',
  more: Partial<ExternalResource<Box, BoxId>> = {},
) {
  const [stage, party] = [await aStage(), aThirdParty()];
  const integration = boxKeeper(party.resource(identity, more));
  return {
    stage,
    party,
    actor: stage.actor([integration], { times }),
    heir: () => stage.actor([integration], { holder: 'heir', times }),
  };
}

test('F39: an asynchronous deletion is waited for, and the claim with it', async (t) => {
  let asked = 0;
  const { stage, party, actor } = await aKeeper('tag', {
    delete: async () => {
      asked += 1;
      if (asked < 3) return 'deleting';
      party.boxes.pop();
      return 'gone';
    },
  });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await stage.delete();
  t.deepEqual(await actor.walk(), { requeueAfter: 5_000 });
  await actor.walk();
  t.truthy(await stage.read());
  await actor.walk();
  t.is(asked, 3);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('a deletion whose journal was lost looks for what the spec names', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await stage.client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
    { subresource: 'status' },
  );
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
  await stage.delete();
  const next = heir();
  await next.walk();
  await stage.clock.advance(22_000);
  await next.walk();
  t.is(party.boxes.length, 0);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});
