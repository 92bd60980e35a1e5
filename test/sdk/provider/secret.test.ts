import test from 'ava';
import { Secret } from '../../../sdk/index.ts';
import { aKeeper, makeWithoutAnswer, said, times } from './a-keeper.ts';
import { boxKeeper } from './a-third-party.ts';

for (const identity of ['name', 'tag'] as const)
  test(`a secret that was lost with the answer is asked for when its thing is found by its ${identity}`, async (t) => {
    const { stage, party } = await aKeeper(identity);
    const plain = party.resource(identity);
    const asked: string[] = [];
    const resource = party.resource(identity, {
      create: async (...given) => ({ ...(await plain.create(...given)), secret: { token: 'hush' } }),
      secretOf: async ({ id }, { owner }) => {
        asked.push(`${id} of ${owner.workspace}`);
        return { token: 'anew' };
      },
    });
    const actor = stage.actor([boxKeeper(resource)], { times });
    await makeWithoutAnswer(stage, party, actor);
    await actor.walk();
    t.is(await said(stage), 'Completed: box a is there');
    const { data } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-boxes-a' });
    t.is(Buffer.from(data?.token ?? '', 'base64').toString(), 'anew');
    t.deepEqual(asked, ['box-1 of shop']);
  });
