import test from 'ava';
import { markedOwner, ownerName } from '../../../../integrations/dns/owners.ts';
import { Workspace } from '../../../../sdk/index.ts';
import { type NameServer, nameServerAvailable } from '../../../system/real/programs/name-server.ts';
import { until } from '../../../system/real/until.ts';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';
import { aShop, started } from './fixtures/a-real-shop.ts';

/** Records in the zone beyond the initial ones. */
const added = async (server: NameServer): Promise<readonly string[]> =>
  (await server.transfer())
    .filter(({ name, type }) => name !== zone && name !== `ns1.${zone}` && type !== 'SOA')
    .map(({ name, type }) => `${name} ${type}`)
    .sort();

const shopRecords = ['_op-owner.shop.example.test TXT', 'shop.example.test A'];

for (const implementation of ['bind', 'knot'] as const) {
  const real = nameServerAvailable(implementation) ? test.serial : test.serial.skip;

  real(`${implementation}: names answer while they are wanted, and not after`, async (t) => {
    const server = await started(t, implementation);
    const { create, actor, read, condition, delete: remove } = await aShop(server);
    await create(specOf('shop', 'api'));
    await actor.walk();
    t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
    t.deepEqual(await server.lookup('shop.example.test', 'A'), ['192.0.2.1']);
    t.deepEqual(await server.lookup('api.example.test', 'A'), ['192.0.2.1']);
    const [mark] = await server.lookup(ownerName('shop.example.test'), 'TXT');
    t.is(markedOwner(mark ?? ''), (await read()).metadata.uid);
    await remove();
    await actor.walk();
    t.deepEqual(await added(server), []);
    await t.throwsAsync(read(), { message: /not found/ });
  });

  real(`${implementation}: a record may change its type, each change being one update`, async (t) => {
    const server = await started(t, implementation);
    const { create, actor, client } = await aShop(server);
    await create(specOf('shop'));
    await actor.walk();
    const ask = async (recordType: string, target: string) => {
      await client.patch(
        Workspace,
        { namespace: 'default', name: 'shop' },
        { type: 'merge', value: { status: { dns: [{ recordType, name: 'shop', target }] } } },
        { subresource: 'status' },
      );
      await actor.walk();
    };
    await ask('CNAME', 'tunnel.other.test');
    t.deepEqual(await server.lookup('shop.example.test', 'CNAME'), ['tunnel.other.test']);
    await ask('AAAA', '2001:db8::1');
    t.deepEqual(await server.lookup('shop.example.test', 'AAAA'), ['2001:db8::1']);
    t.deepEqual(await added(server), ['_op-owner.shop.example.test TXT', 'shop.example.test AAAA']);
    const long = 'x'.repeat(600);
    await client.patch(
      Workspace,
      { namespace: 'default', name: 'shop' },
      { type: 'merge', value: { status: { dns: [{ recordType: 'TXT', name: 'note', target: long }] } } },
      { subresource: 'status' },
    );
    await actor.walk();
    t.deepEqual(await server.lookup('note.example.test', 'TXT'), [long]);
  });

  real(
    `${implementation}: of many workspaces that want one name, exactly one gets it, and the others say whose it is`,
    async (t) => {
      const server = await started(t, implementation);
      const { create, walkOn, read, condition } = await aShop(server);
      const names = Array.from({ length: 8 }, (_, index) => `shop-${index}`);
      await Promise.all(names.map((name) => create(specOf('shop'), name)));
      await Promise.all(names.map((name) => walkOn(0, name)));
      const conditions = await Promise.all(names.map((name) => condition(name)));
      const winner = names[conditions.findIndex((one) => one.startsWith('Completed'))]!;
      t.is(conditions.filter((one) => one.startsWith('Completed')).length, 1);
      const { uid } = (await read(winner)).metadata;
      t.is(conditions.filter((one) => one.includes(`is taken by the owner ${uid}`)).length, names.length - 1);
      t.deepEqual(await added(server), shopRecords);
    },
  );

  real(
    `${implementation}: a create that was given up and carried out later is found again as ours, and goes with the workspace`,
    async (t) => {
      const server = await started(t, implementation);
      const { create, walkOn, condition, delete: remove } = await aShop(server, { deadline: 1_000 });
      await create(specOf('shop'));
      server.pause();
      await walkOn(0);
      t.regex(await condition(), /^Locked: outcome not known yet, .*no answer within 1000 ms/);
      server.resume();
      await until(async () => ((await added(server)).length > 0 ? true : undefined), {
        deadline: 10_000,
        interval: 20,
        message: () => 'the create that was given up was never carried out',
      });
      for (let round = 0; round < 3 && !(await condition()).startsWith('Completed'); round += 1) await walkOn(20_000);
      t.regex(await condition(), /^Completed/);
      t.deepEqual(await added(server), shopRecords);
      await remove();
      for (let round = 0; round < 3; round += 1) await walkOn(20_000);
      t.deepEqual(await added(server), []);
    },
  );

  real(`${implementation}: what it acknowledged survives its death`, async (t) => {
    const server = await started(t, implementation);
    const { create, actor, delete: remove } = await aShop(server);
    await create(specOf('shop'));
    await actor.walk();
    await server.restart();
    t.deepEqual(await added(server), shopRecords);
    await remove();
    await actor.walk();
    t.deepEqual(await added(server), []);
  });

  real(`${implementation}: a server that is away is an Error that says where, fixed when it is back`, async (t) => {
    const server = await started(t, implementation);
    const { create, walkOn, condition } = await aShop(server);
    await create(specOf('shop'));
    await server.kill();
    await walkOn(0);
    t.regex(await condition(), /^Error: name server 127\.0\.0\.1:\d+: .*ECONNREFUSED/);
    await server.restart();
    await walkOn(0);
    t.regex(await condition(), /^Completed/);
  });
}
