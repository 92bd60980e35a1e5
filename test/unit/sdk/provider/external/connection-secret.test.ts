import test from 'ava';
import { conditionOf, DefiniteError, isOwnedBy, Secret } from '../../../../../sdk/index.ts';
import { aKeeper, boxes, makeWithoutAnswer, said, times } from '../a-keeper.ts';
import { boxKeeper } from '../a-third-party.ts';

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

for (const [title, name, slot] of [
  ['of 64 characters', 'x'.repeat(64), 'a'],
  ['of 253 characters', 'x'.repeat(253), 'a'],
  ['with dots, and a thing with a name that no Secret can have', 'shop.v2', 'Main_1.'],
] as const)
  test(`the secret of a workspace’s thing is kept under a name ${title}`, async (t) => {
    const { stage, party } = await aKeeper('opaque');
    const plain = party.resource('opaque');
    const create: typeof plain.create = async (...given) => ({
      ...(await plain.create(...given)),
      secret: { token: 'hush' },
    });
    const actor = stage.actor([boxKeeper(party.resource('opaque', { create }))], { times });
    await stage.create(boxes({ [slot]: 1 }), name);
    await actor.walk(name);
    t.is(conditionOf(await stage.read(name), 'Boxes').reason, `box ${slot} is there`);
    const [secret] = (await stage.client.list(Secret)).items;
    t.is(Buffer.from(secret?.data?.token ?? '', 'base64').toString(), 'hush');
    t.true(secret && isOwnedBy(secret, await stage.read(name)));
  });

test('a secret that a third party gave is in no reason afterwards, and an id that holds it is reported', async (t) => {
  const { stage, party } = await aKeeper('name');
  const plain = party.resource('name');
  const secret = 'hush-hush-hush';
  const resource = party.resource('name', {
    create: async (...given) => {
      const { id } = await plain.create(...given);
      return { id: { ...id, link: `https://third.party/#${btoa(`me:${secret}`)}` }, secret: { token: secret } };
    },
  });
  const keeper = boxKeeper(resource);
  const actor = stage.actor(
    [
      {
        ...keeper,
        connect: async (config) => {
          const provider = await keeper.connect(config);
          return {
            ...provider,
            async reconcile(settings) {
              if (config.controller.refs.length > 0) throw new Error(`what about ${secret}?`);
              return provider.reconcile(settings);
            },
          };
        },
      },
    ],
    { times },
  );
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await t.throwsAsync(actor.walk());
  t.is(await said(stage), 'Error: what about ***?');
  const told = actor.events.filter(({ reason }) => reason === 'SecretInId');
  t.is(told.length, 1);
  t.regex(told[0]?.message ?? '', /^Boxes: an id holds a secret/);
});

test('a Secret that was deleted is noticed at the next look, and its secret asked for; one of another owner is not', async (t) => {
  const { stage, party } = await aKeeper('name');
  const plain = party.resource('name');
  const asked: string[] = [];
  const resource = party.resource('name', {
    driftInterval: 60_000,
    create: async (...given) => ({ ...(await plain.create(...given)), secret: { token: 'first' } }),
    secretOf: async ({ id }) => {
      asked.push(id);
      return { token: `anew ${asked.length}` };
    },
  });
  const actor = stage.actor([boxKeeper(resource)], { times });
  const key = { namespace: 'default', name: 'shop-boxes-a' };
  const look = async () => {
    await stage.clock.advance(60_000);
    await actor.walk();
  };
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await look();
  t.deepEqual(asked, []);
  await stage.client.delete(Secret, key);
  await look();
  await look();
  const { data } = await stage.client.get(Secret, key);
  t.is(Buffer.from(data?.token ?? '', 'base64').toString(), 'anew 1');
  t.deepEqual(asked, ['box-1']);
  t.is(await said(stage), 'Completed: box a is there');
  t.is(actor.events.filter(({ reason }) => reason === 'SecretGone').length, 1);

  await stage.client.delete(Secret, key);
  await stage.client.create(Secret, { metadata: key, stringData: { token: 'mine' } });
  await look();
  t.deepEqual(asked, ['box-1']);
});

test('a secret that comes after the creation is asked for when all else is as wanted, and Completed waits for it', async (t) => {
  const { stage, party } = await aKeeper('name');
  const plain = party.resource('name');
  const done: string[] = [];
  const resource = party.resource('name', {
    driftInterval: 60_000,
    create: async (...given) => ({ ...(await plain.create(...given)), upToDate: false }),
    update: async (...given) => {
      done.push('update');
      await plain.update?.(...given);
    },
    secretOf: async () => {
      done.push('secretOf');
      if (done.length < 3) throw new DefiniteError('no secret today');
      return { token: 'late' };
    },
  });
  const actor = stage.actor([boxKeeper(resource)], { times });
  await stage.create(boxes({ a: 1 }));
  await t.throwsAsync(actor.walk(), { message: /no secret today/ });
  t.is(await said(stage), 'Error: no secret today');
  await actor.walk();
  t.is(await said(stage), 'Completed: box a is there');
  const { data } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-boxes-a' });
  t.is(Buffer.from(data?.token ?? '', 'base64').toString(), 'late');
  await stage.clock.advance(60_000);
  await actor.walk();
  t.deepEqual(done, ['update', 'secretOf', 'secretOf']);
  t.deepEqual(
    actor.events.filter(({ reason }) => reason === 'SecretGone'),
    [],
  );
});

test('what was removed outside comes back with a secret that comes after the creation', async (t) => {
  const { stage, party } = await aKeeper('name');
  let asked = 0;
  const resource = party.resource('name', {
    driftInterval: 60_000,
    secretOf: async () => {
      asked += 1;
      return { token: `${asked}` };
    },
  });
  const actor = stage.actor([boxKeeper(resource)], { times });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  party.boxes.splice(0);
  await stage.clock.advance(60_000);
  await actor.walk();
  const { data } = await stage.client.get(Secret, { namespace: 'default', name: 'shop-boxes-a' });
  t.is(Buffer.from(data?.token ?? '', 'base64').toString(), '2');
  t.is(await said(stage), 'Completed: box a is there');
});
