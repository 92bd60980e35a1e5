import test from 'ava';
import { powerdnsDns } from '../../../../integrations/powerdns/dns.ts';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';
import { aShop } from './a-shop.ts';

const mark = (name: string, uid: string | undefined) =>
  `_op-owner.${name} TXT "heritage=workspace-sequencer,owner=${uid},condition=DNS"`;

test('names are published with the mark of their owner, and nothing is left after deletion', async (t) => {
  const { published, walk, read, delete: remove, condition } = await aShop(specOf('shop', 'api'));
  await walk();
  const { uid } = (await read()).metadata;
  t.deepEqual(published(), [
    mark('api.example.test', uid),
    mark('shop.example.test', uid),
    'api.example.test A 192.0.2.1',
    'shop.example.test A 192.0.2.1',
  ]);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  await remove();
  await walk();
  t.deepEqual(published(), []);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('an address may become an alias and an alias an address, in one change each', async (t) => {
  const { server, published, ask, walk } = await aShop(specOf('shop'));
  await walk();
  await ask([{ recordType: 'CNAME', name: 'shop', target: 'tunnel.other.test' }]);
  await walk();
  t.deepEqual(published().slice(1), ['shop.example.test CNAME tunnel.other.test.']);
  await ask([{ recordType: 'AAAA', name: 'shop', target: '2001:db8:0::1' }]);
  await walk();
  t.deepEqual(published().slice(1), ['shop.example.test AAAA 2001:db8::1']);
  t.is(server.count.changes, 3);
});

test('a wildcard has its mark at a name that the server can store, and that no workspace can have', async (t) => {
  const {
    published,
    walk,
    read,
    delete: remove,
    condition,
  } = await aShop(specOf('*', '_op-owner'), { wildcards: true });
  await walk();
  t.regex(await condition(), /^Error: _op-owner.example.test: _op-owner is kept for the marks of owners/);
  const other = await aShop(specOf('*'), { wildcards: true });
  await other.walk();
  const { uid } = (await other.read()).metadata;
  t.deepEqual(other.published(), ['*.example.test A 192.0.2.1', mark('_op-owner.example.test', uid)]);
  for (const shop of [
    { remove, walk, published, read },
    { ...other, remove: other.delete },
  ]) {
    await shop.remove();
    await shop.walk();
    t.deepEqual(shop.published(), []);
  }
});

for (const [what, uid, said] of [
  ['of another owner', 'uid-other', 'the owner uid-other'],
  ['without any mark', undefined, 'an owner without a mark'],
] as const)
  test(`a name ${what} is left alone and its owner told`, async (t) => {
    const { server, published, walk, walkOn, condition, delete: remove } = await aShop(specOf('shop'));
    server.put({ name: 'shop.example.test', type: 'A', contents: ['192.0.2.9'] });
    const text = `"heritage=workspace-sequencer,owner=${uid},condition=DNS"`;
    if (uid !== undefined) server.put({ name: '_op-owner.shop.example.test', type: 'TXT', contents: [text] });
    const before = published();
    await t.throwsAsync(walk());
    t.is(await condition(), `Error: shop.example.test is taken by ${said}: remove it there, or ask for another name`);
    await remove();
    await walkOn(0);
    t.deepEqual(published(), before);
    t.is(server.count.changes, 0);
  });

for (const [what, fault] of [
  ['a lost answer', 'lost'],
  ['a reset', new TypeError('fetch failed')],
  ['an error of the server', new Response('Internal Server Error', { status: 500 })],
] as const)
  test(`after a change that ended with ${what} there is one record in the end, and none after deletion`, async (t) => {
    const { faults, published, walkOn, condition, delete: remove } = await aShop(specOf('shop'));
    faults.push(fault);
    await walkOn(0);
    t.regex(
      await condition(),
      /^Locked: outcome not known yet.*PowerDNS: PATCH \/api\/v1\/servers\/localhost\/zones\/example\.test\.: /,
    );
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.regex(await condition(), /^Completed/);
    t.deepEqual(published().slice(1), ['shop.example.test A 192.0.2.1']);
    await remove();
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.deepEqual(published(), []);
  });

test('a refusal is an Error at once, in the server’s words, and fixed once the server agrees', async (t) => {
  const { faults, walk, walkOn, condition } = await aShop(specOf('shop'));
  faults.push(Response.json({ error: 'Conflicts with pre-existing RRset' }, { status: 422 }));
  await t.throwsAsync(walk());
  t.is(
    await condition(),
    'Error: PowerDNS: PATCH /api/v1/servers/localhost/zones/example.test.: HTTP 422: Conflicts with pre-existing RRset',
  );
  await walkOn(0);
  t.regex(await condition(), /^Completed/);
});

test('a server that asks for patience is not asked meanwhile, by no workspace', async (t) => {
  const { server, faults, create, walkOn, condition } = await aShop(specOf('shop'));
  await create(specOf('api'), 'other');
  faults.push(new Response(null, { status: 429, headers: { 'retry-after': '60' } }));
  await walkOn(0);
  t.regex(await condition(), /^Waiting: PowerDNS: PATCH .* HTTP 429/);
  const { requests } = server.count;
  await walkOn(0, 'other');
  t.regex(await condition('other'), /^Waiting: PowerDNS: GET .*: not sent: PowerDNS asked to wait/);
  t.is(server.count.requests, requests);
});

test('a wrong key is reported with what to check, and not shown', async (t) => {
  const { walk, condition } = await aShop(specOf('shop'), { apiKey: 'a-wrong-key' });
  await t.throwsAsync(walk());
  t.regex(
    await condition(),
    /^Error: PowerDNS: GET .*: HTTP 401: check option apiKey, and the server’s setting api-key$/,
  );
});

test('a zone that the server does not have is an Error that names it, and does not hold up the deletion', async (t) => {
  const spec = { networking: { ...specOf('shop').networking, dns: { zone: 'absent.test' } } };
  const { walk, walkOn, condition, read, delete: remove } = await aShop(spec);
  await t.throwsAsync(walk());
  t.regex(
    await condition(),
    /^Error: PowerDNS: the server has no zone absent.test: create it there, or check option zone/,
  );
  await remove();
  await walkOn(0);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('a server that is not there is not taken for one without the zone', async (t) => {
  const { walk, walkOn, condition, delete: remove } = await aShop(specOf('shop'), { serverId: 'other' });
  await t.throwsAsync(walk());
  await remove();
  await walkOn(0);
  t.regex(
    await condition(),
    /^Error: PowerDNS: GET \/api\/v1\/servers\/other: HTTP 404: check options url, serverId and zone/,
  );
});

test('the workspace’s zone may be part of the server’s', async (t) => {
  const spec = { networking: { ...specOf('shop').networking, dns: { zone: 'dev.example.test' } } };
  const { published, walk } = await aShop(spec, { zone });
  await walk();
  t.deepEqual(published().slice(1), ['shop.dev.example.test A 192.0.2.1']);
  const other = await aShop(spec, { zone: 'other.test' });
  await other.walk();
  t.is(other.server.count.requests, 0);
  t.is(await other.condition(), 'Error: shop.dev.example.test is not within the zone other.test of option zone');
});

test('comments name the workspace, where they are wanted', async (t) => {
  const { server, walk, read } = await aShop(specOf('shop'), { comments: true });
  await walk();
  const { uid } = (await read()).metadata;
  const comment = { content: `workspace ${uid}`, account: 'workspace-sequencer' };
  t.deepEqual(
    server.rrsets().map(({ comments }) => comments),
    [[comment], [comment]],
  );
});

test('what is published elsewhere at an own name goes with it; a look asks twice for a name and changes nothing', async (t) => {
  const { server, published, walk, walkOn, delete: remove } = await aShop(specOf('shop'), { driftInterval: 240_000 });
  await walk();
  server.put({ name: 'shop.example.test', type: 'MX', contents: ['10 mail.example.test.'] });
  const { requests, changes } = server.count;
  await walkOn(30_000);
  t.deepEqual([server.count.requests - requests, server.count.changes - changes], [2, 0]);
  await remove();
  await walk();
  t.deepEqual(published(), []);
});

test('what was changed or removed outside is corrected by the next look, and other types stay', async (t) => {
  const { server, published, walk, walkOn } = await aShop(specOf('shop'), { driftInterval: 240_000 });
  await walk();
  const before = published();
  server.clear();
  await walkOn(30_000);
  t.deepEqual(published(), before);
  server.put({ name: 'shop.example.test', type: 'A', contents: ['192.0.2.66', '192.0.2.1'], ttl: 5 });
  server.put({ name: 'shop.example.test', type: 'TXT', contents: ['"verified"'] });
  await walkOn(240_000);
  t.deepEqual(published(), [...before, 'shop.example.test TXT "verified"']);
});

test('two workspaces that want one name at once: one gets it, the other is told whose it is', async (t) => {
  const { create, walkOn, condition, published, read } = await aShop(specOf('shop'));
  await create(specOf('shop'), 'rival');
  await Promise.all([walkOn(0), walkOn(0, 'rival')]);
  const conditions = [await condition(), await condition('rival')].sort();
  t.regex(conditions[0]!, /^Completed/);
  t.regex(conditions[1]!, /^Error: shop.example.test is taken by the owner/);
  const winner = (await condition()).startsWith('Completed') ? 'shop' : 'rival';
  const { uid } = (await read(winner)).metadata;
  t.deepEqual(published(), [mark('shop.example.test', uid), 'shop.example.test A 192.0.2.1']);
});

test('of two processes that change one name at once the later has it, and the other one says so at its next look', async (t) => {
  const { create, walk, walkOn, anotherProcess, condition, published, read } = await aShop(specOf('shop'), {
    driftInterval: 240_000,
  });
  await create(specOf('shop'), 'rival');
  await Promise.all([walk(), anotherProcess().walk('rival')]);
  t.regex(await condition(), /^Completed/);
  t.regex(await condition('rival'), /^Completed/);
  const uids = [(await read()).metadata.uid, (await read('rival')).metadata.uid];
  const winner = uids.findIndex((uid) => published().includes(mark('shop.example.test', uid)));
  const names = ['shop', 'rival'] as const;
  await walkOn(30_000, names[1 - winner]);
  t.regex(await condition(names[1 - winner]), new RegExp(`is taken by the owner ${uids[winner]}`));
  await walkOn(30_000, names[winner]);
  t.regex(await condition(names[winner]), /^Completed/);
  t.deepEqual(published(), [mark('shop.example.test', uids[winner]), 'shop.example.test A 192.0.2.1']);
});

test('options are checked before anything else', (t) => {
  t.throws(() => powerdnsDns({ url: 'http://pdns.test' } as never), { instanceOf: TypeError, message: /apiKey/ });
});
