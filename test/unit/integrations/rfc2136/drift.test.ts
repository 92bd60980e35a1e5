import test from 'ava';
import { addRecord } from '../../../../integrations/rfc2136/update.ts';
import { Workspace } from '../../../../sdk/index.ts';
import { specOf } from '../fixtures/a-dns-spec.ts';
import { aShop, published } from './fixtures/a-shop.ts';

const minute = 60_000;
/** One drift check every four minutes, the first after half a minute. */
const looking = { driftInterval: 4 * minute, random: () => 0.5 };
const address = (name: string, target = '192.0.2.1', ttl = 60) => addRecord({ name, type: 'A', target }, ttl);

test('a name that was removed outside comes back with its mark by the next look', async (t) => {
  const { server, walk, walkOn, condition } = await aShop(t, specOf('shop', 'api'), looking);
  t.deepEqual(await walk(), { requeueAfter: minute / 2 });
  const before = server.records();
  server.clear();
  t.deepEqual(await walkOn(minute / 2), { requeueAfter: 3.5 * minute });
  t.deepEqual(server.records(), before);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
});

test('a look asks for each mark and each type, changes nothing, and nothing is asked before the next one', async (t) => {
  const { server, walk, walkOn } = await aShop(t, specOf('shop', 'api'), looking);
  await walk();
  const [updates, requests] = [server.updates, server.requests];
  await walkOn(minute / 2);
  t.is(server.requests - requests, 4);
  await walkOn(3 * minute);
  t.is(server.requests - requests, 4);
  t.is(server.updates, updates);
});

for (const [what, tampered] of [
  ['an address that was added', [address('shop.example.test', '192.0.2.66')]],
  ['an alias in its stead', [addRecord({ name: 'shop.example.test', type: 'CNAME', target: 'x.other.test' }, 60)]],
  ['another time to live', [address('shop.example.test', '192.0.2.1', 5)]],
] as const)
  test(`${what} is taken back; what is of another type stays`, async (t) => {
    const { server, walk, walkOn, read } = await aShop(t, specOf('shop'), looking);
    await walk();
    const before = server.records();
    const { uid } = (await read()).metadata;
    server.clear();
    const mark = `heritage=workspace-sequencer,owner=${uid},condition=DNS`;
    server.publish(addRecord({ name: '_op-owner.shop.example.test', type: 'TXT', target: mark }, 60));
    for (const record of tampered) server.publish(record);
    const note = { name: 'shop.example.test', type: 'TXT', target: 'verified' } as const;
    if (!what.includes('alias')) server.publish(addRecord(note, 60));
    const updates = server.updates;
    await walkOn(minute / 2);
    t.is(server.updates, updates + 1);
    t.deepEqual(
      server.records().filter((record) => !record.endsWith('TXT verified')),
      before,
    );
    t.is(server.records().length, before.length + (what.includes('alias') ? 0 : 1));
    await walkOn(3.5 * minute);
    t.is(server.updates, updates + 1, 'and then all is well');
  });

test('what an alias leads to is not taken for what stands at the name', async (t) => {
  const { server, client, walk, walkOn } = await aShop(t, specOf('shop'), looking);
  const dns = [{ recordType: 'CNAME', name: 'shop', target: 'LB.other.test.' }];
  const key = { namespace: 'default', name: 'shop' };
  await client.patch(Workspace, key, { type: 'merge', value: { status: { dns } } }, { subresource: 'status' });
  await walk();
  const before = server.records();
  const updates = server.updates;
  await walkOn(minute / 2);
  t.is(server.updates, updates);
  t.deepEqual(server.records(), before);
});

test('a name that lost its mark, or bears another one, is left alone and told', async (t) => {
  for (const [mark, said] of [
    [undefined, /is taken by an owner without a mark/],
    ['heritage=workspace-sequencer,owner=uid-other,condition=DNS', /is taken by the owner uid-other/],
  ] as const) {
    const { server, walk, walkOn, condition } = await aShop(t, specOf('shop'), looking);
    await walk();
    server.clear();
    server.publish(address('shop.example.test'));
    if (mark !== undefined)
      server.publish(addRecord({ name: '_op-owner.shop.example.test', type: 'TXT', target: mark }, 60));
    const before = server.records();
    await walkOn(minute / 2);
    t.deepEqual(server.records(), before);
    t.regex(await condition(), /^Error: shop.example.test /);
    t.regex(await condition(), said);
    server.clear();
    await walkOn(0);
    t.deepEqual(published(server), ['shop.example.test A 192.0.2.1']);
    t.regex(await condition(), /^Completed/);
  }
});

test('a server that does not answer a look leaves the condition as it is, and is asked again an interval later', async (t) => {
  const { server, walk, walkOn, condition } = await aShop(t, specOf('shop'), looking);
  await walk();
  server.clear();
  server.failNext('lost before');
  t.deepEqual(await walkOn(minute / 2), { requeueAfter: 3.5 * minute });
  t.is(await condition(), 'Completed: published shop.example.test');
  t.deepEqual(published(server), []);
  await walkOn(3.5 * minute);
  t.deepEqual(published(server), ['shop.example.test A 192.0.2.1']);
});

test('a record that was removed outside is put back by the next change of it', async (t) => {
  const { server, client, walk } = await aShop(t, specOf('shop'));
  await walk();
  server.clear();
  await client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { status: { dns: [{ recordType: 'A', name: 'shop', target: '192.0.2.2' }] } } },
    { subresource: 'status' },
  );
  await walk();
  t.deepEqual(published(server), ['shop.example.test A 192.0.2.2']);
});
