import test from 'ava';
import type { Rfc2136DnsOptions } from '../../../../integrations/rfc2136/options.ts';
import { addRecord } from '../../../../integrations/rfc2136/update.ts';
import { rcode } from '../../../../integrations/rfc2136/wire.ts';
import { Workspace } from '../../../../sdk/index.ts';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';
import { aShop, published } from './fixtures/a-shop.ts';
import type { Fault } from './fixtures/responder.ts';

test('names are published with the mark of their owner, and nothing is left after deletion', async (t) => {
  const { server, walk, read, delete: remove, condition } = await aShop(t, specOf('shop', 'api'));
  await walk();
  const { uid } = (await read()).metadata;
  t.deepEqual(server.records(), [
    `_op-owner.api.example.test TXT heritage=workspace-sequencer,owner=${uid},condition=DNS`,
    `_op-owner.shop.example.test TXT heritage=workspace-sequencer,owner=${uid},condition=DNS`,
    'api.example.test A 192.0.2.1',
    'shop.example.test A 192.0.2.1',
  ]);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  t.is((await read()).status?.host, 'shop.example.test');
  await remove();
  await walk();
  t.deepEqual(server.records(), []);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('an address may become an alias and an alias an address, in one update each', async (t) => {
  const { server, client, walk } = await aShop(t, specOf('shop'));
  await walk();
  const ask = async (recordType: string, target: string) => {
    await client.patch(
      Workspace,
      { namespace: 'default', name: 'shop' },
      { type: 'merge', value: { status: { dns: [{ recordType, name: 'shop', target }] } } },
      { subresource: 'status' },
    );
    await walk();
  };
  await ask('CNAME', 'tunnel.other.test');
  t.deepEqual(published(server), ['shop.example.test CNAME tunnel.other.test']);
  await ask('AAAA', '2001:db8::1');
  t.deepEqual(published(server), ['shop.example.test AAAA 2001:db8::1']);
  t.is(server.updates, 3);
});

test('a name of another owner is left alone and its owner named', async (t) => {
  const { server, walk, condition } = await aShop(t, specOf('shop'));
  server.publish(addRecord({ name: 'shop.example.test', type: 'A', target: '192.0.2.9' }, 60));
  const mark = 'heritage=workspace-sequencer,owner=uid-other,condition=DNS';
  server.publish(addRecord({ name: '_op-owner.shop.example.test', type: 'TXT', target: mark }, 60));
  const before = server.records();
  await t.throwsAsync(walk());
  t.is(
    await condition(),
    'Error: shop.example.test is taken by the owner uid-other: remove it there, or ask for another name',
  );
  t.deepEqual(server.records(), before);
});

test('a name without any mark has an owner too', async (t) => {
  const { server, walk, condition, delete: remove } = await aShop(t, specOf('shop'));
  server.publish(addRecord({ name: 'shop.example.test', type: 'A', target: '192.0.2.9' }, 60));
  await t.throwsAsync(walk());
  t.regex(await condition(), /^Error: shop.example.test is taken by an owner without a mark/);
  await remove();
  await walk();
  t.deepEqual(server.records(), ['shop.example.test A 192.0.2.9']);
});

for (const fault of [
  'lost before',
  'lost after',
  'unsigned',
  'other id',
  { code: rcode.SERVFAIL },
] as const satisfies readonly Fault[])
  test(`after a create that ended with ${JSON.stringify(fault)} there is one record in the end, and none after deletion`, async (t) => {
    const { server, walkOn, condition, delete: remove } = await aShop(t, specOf('shop'));
    server.failNext(fault);
    await walkOn(0);
    t.regex(await condition(), /^Locked: outcome not known yet/);
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.regex(await condition(), /^Completed/);
    t.deepEqual(published(server), ['shop.example.test A 192.0.2.1']);
    await remove();
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.deepEqual(server.records(), []);
  });

test('a refusal is an Error at once, and fixed once the server agrees', async (t) => {
  const { server, walk, walkOn, condition } = await aShop(t, specOf('shop'));
  server.failNext({ code: rcode.REFUSED });
  await t.throwsAsync(walk());
  t.regex(
    await condition(),
    /^Error: name server 127.0.0.1:\d+: REFUSED: the key op-key may not update the zone example.test/,
  );
  await walkOn(0);
  t.regex(await condition(), /^Completed/);
});

test('a record that was removed outside is not missed at deletion', async (t) => {
  const { server, walk, read, delete: remove } = await aShop(t, specOf('shop'));
  await walk();
  server.clear();
  await remove();
  await walk();
  await t.throwsAsync(read(), { message: /not found/ });
  t.deepEqual(server.records(), []);
});

test('a changed zone is left clean: what was published there goes', async (t) => {
  const { server, walk, change, condition } = await aShop(t, specOf('shop'), { zone });
  await walk();
  await change({ networking: { ...specOf('shop').networking, dns: { zone: 'dev.example.test' } } });
  await walk();
  t.deepEqual(published(server), ['shop.dev.example.test A 192.0.2.1']);
  t.regex(await condition(), /^Completed/);
});

test('a workspace’s zone outside the server’s is an Error that names both', async (t) => {
  const { server, walk, condition } = await aShop(t, specOf('shop'), { zone: 'other.test' });
  await walk();
  t.is(server.requests, 0);
  t.is(await condition(), 'Error: shop.example.test is not within the zone other.test of option zone');
});

test('the zone itself belongs to no workspace', async (t) => {
  const { server, walk, condition } = await aShop(t, specOf('@'));
  await walk();
  t.regex(await condition(), /^Error: example.test is a zone itself/);
  t.is(server.requests, 0);
});

test('without a target names wait until a record is requested', async (t) => {
  const { server, walk, condition } = await aShop(t, specOf('shop'), {
    target: undefined,
  } as Partial<Rfc2136DnsOptions>);
  await walk();
  t.is(await condition(), 'Waiting: waiting for a target of shop.example.test in status.dns');
  t.is(server.requests, 0);
});

for (const [what, subdomain, options, reason] of [
  [
    'outside of the zone',
    'www.evil.test.',
    {},
    /^Error: spec.networking.ingress.rules: www.evil.test is not within the zone example.test$/,
  ],
  [
    'outside of the server’s zone',
    'shop',
    { zone: 'other.test' },
    /^Error: api.example.test is not within the zone other.test of option zone$/,
  ],
  ['that is a wildcard', '*', {}, /^Error: \*.example.test: wildcards are not allowed/],
  [
    'that is not in the list',
    'shop',
    { names: ['apps.example.test'] },
    /^Error: api.example.test: only names within apps.example.test are allowed/,
  ],
  [
    'that holds the mark of an owner',
    '_op-owner.other',
    {},
    /^Error: _op-owner.other.example.test: _op-owner is kept for the marks of owners$/,
  ],
] as const)
  test(`a name ${what} is refused before anything is sent, and the workspace can be deleted`, async (t) => {
    const {
      server,
      walk,
      read,
      condition,
      delete: remove,
    } = await aShop(t, specOf('api', subdomain), options as object);
    await walk();
    t.regex(await condition(), reason);
    t.is(server.requests, 0);
    await remove();
    await walk();
    await walk();
    await t.throwsAsync(read(), { message: /not found/ });
    t.deepEqual(server.records(), []);
  });

test('an attempt at names that can never be sent, as earlier releases made them, does not hold up a deletion', async (t) => {
  const {
    server,
    client,
    walk,
    walkOn,
    read,
    delete: remove,
  } = await aShop(t, specOf('shop'), { names: ['example.test'] });
  await walk();
  const names = [
    { zone, name: 'shop.example.test' },
    { zone, name: 'www.evil.test' },
  ];
  const guards = { DNS: { phase: 'failed', input: { names } } };
  await client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { status: { guards } } },
    { subresource: 'status' },
  );
  await remove();
  for (let round = 0; round < 3; round += 1) await walkOn(20_000);
  await t.throwsAsync(read(), { message: /not found/ });
  t.deepEqual(server.records(), []);
});
