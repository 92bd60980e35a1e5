import test from 'ava';
import { cloudflareDns } from '../../../../integrations/cloudflare/dns.ts';
import { ownerMark } from '../../../../integrations/dns/owners.ts';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';
import { aShop } from './fixtures/a-shop.ts';

const line = (name: string, uid: string | undefined) => `${name} A 192.0.2.1 ${ownerMark(uid ?? '')}`;
const name = 'shop.example.test';
const stranger = { name, type: 'A', content: '192.0.2.9', ttl: 60 } as const;

test('names are published with their owner in the comment, and nothing is left after deletion', async (t) => {
  const { published, walk, read, condition, delete: remove } = await aShop(specOf('shop', 'api'));
  await walk();
  const { uid } = (await read()).metadata;
  t.deepEqual(published(), [line('api.example.test', uid), line(name, uid)]);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  await remove();
  await walk();
  t.deepEqual(published(), []);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('an address may become another one, an alias, and texts; each is one change', async (t) => {
  const { server, ask, walk, walkOn, condition } = await aShop(specOf('shop'));
  await walk();
  const [first] = server.records();
  const asked = async (...dns: readonly (readonly [recordType: string, target: string])[]) => {
    await ask(dns.map(([recordType, target]) => ({ recordType, name: 'shop', target })));
    await walk();
    return server.records().map(({ type, content }) => `${type} ${content}`);
  };
  t.deepEqual(await asked(['A', '192.0.2.2']), ['A 192.0.2.2']);
  t.is(server.records()[0]?.id, first?.id);
  t.deepEqual(await asked(['CNAME', 'Tunnel.other.test.']), ['CNAME tunnel.other.test']);
  const texts = [`${'x'.repeat(256)}`, 'é "quoted"'] as const;
  t.deepEqual(await asked(['AAAA', '2001:DB8:0::1'], ['TXT', texts[0]], ['TXT', texts[1]]), [
    'AAAA 2001:db8::1',
    `TXT "${'x'.repeat(255)}" "x"`,
    'TXT "\\195\\169 \\"quoted\\""',
  ]);
  t.is(server.count.changes, 4);
  await walkOn(30_000);
  await walkOn(240_000);
  t.is(server.count.changes, 4, 'a look finds nothing to change');
  t.regex(await condition(), /^Completed/);
});

for (const [what, comment, said] of [
  ['of another owner', ownerMark('uid-other'), 'the owner uid-other'],
  ['with a note of a person', 'do not touch', 'an owner without a mark'],
] as const)
  test(`a name ${what} is left alone and its owner told`, async (t) => {
    const { server, published, walk, walkOn, condition, read, delete: remove } = await aShop(specOf('shop'));
    server.put({ ...stranger, comment });
    const before = published();
    await t.throwsAsync(walk());
    t.is(await condition(), `Error: ${name} is taken by ${said}: remove it there, or ask for another name`);
    await remove();
    await walkOn(0);
    t.deepEqual(published(), before);
    await t.throwsAsync(read(), { message: /not found/ });
  });

for (const [what, fault] of [
  ['a lost answer', 'lost'],
  ['a reset', new TypeError('fetch failed')],
  ['an error of the server', Response.json({ success: false }, { status: 502 })],
  ['an answer without success', Response.json({ success: false })],
] as const)
  test(`after a change that ended with ${what} there is one record in the end, and none after deletion`, async (t) => {
    const { faults, published, walkOn, condition, read, delete: remove } = await aShop(specOf('shop'));
    faults.push(fault);
    await walkOn(0);
    t.regex(await condition(), /^Locked: outcome not known yet.*Cloudflare: /);
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.regex(await condition(), /^Completed/);
    t.deepEqual(published(), [line(name, (await read()).metadata.uid)]);
    await remove();
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.deepEqual(published(), []);
  });

test('a 429 stops every request until the time that it names', async (t) => {
  const { server, faults, create, walkOn, condition } = await aShop(specOf('shop'));
  await create(specOf('api'), 'other');
  const errors = [{ code: 971, message: 'Please wait and consider throttling your request speed' }];
  faults.push(Response.json({ success: false, errors }, { status: 429, headers: { 'retry-after': '300' } }));
  await walkOn(0);
  t.regex(await condition(), /^Waiting: Cloudflare: POST .*: HTTP 429: 971 Please wait/);
  const { requests } = server.count;
  await walkOn(0, 'other');
  t.regex(await condition('other'), /^Waiting: /);
  t.is(server.count.requests, requests);
  await walkOn(300_000);
  await walkOn(1_000);
  t.regex(await condition(), /^Completed/);
});

test('a token without rights is reported with what to check, and not shown', async (t) => {
  const { walk, condition } = await aShop(specOf('shop'), { token: 'a-token-without-rights' });
  await t.throwsAsync(walk());
  t.regex(
    await condition(),
    /HTTP 403: 10000 Authentication error: check option token: it needs the permission DNS: Edit/,
  );
  t.false((await condition()).includes('without-rights'));
});

test('a workspace’s zone outside of the account’s is an Error before anything is sent', async (t) => {
  const { server, walk, condition } = await aShop(specOf('shop'), { zone: 'other.test' });
  await walk();
  t.is(server.count.requests, 0);
  t.is(await condition(), 'Error: shop.example.test is not within the zone other.test of option zone');
});

test('what is changed outside comes back: a value, a TTL, the proxy, an addition; other types stay', async (t) => {
  const { server, published, walk, walkOn, read } = await aShop(specOf('shop'));
  await walk();
  const whole = [line(name, (await read()).metadata.uid)];
  await walkOn(30_000);
  for (const causeDrift of [
    (id: string) => server.edit(id, { content: '192.0.2.66' }),
    (id: string) => server.edit(id, { ttl: 300 }),
    (id: string) => server.edit(id, { proxied: true }),
    () => server.put({ ...stranger }),
    () => server.clear(),
  ]) {
    causeDrift(server.records()[0]!.id);
    await walkOn(240_000);
    t.deepEqual(published(), whole);
    t.like(server.records()[0], { ttl: 60, proxied: false });
  }
  server.put({ ...stranger, type: 'TXT', content: '"verified"' });
  await walkOn(240_000);
  t.is(published().length, 2);
});

test('a record whose mark a person removed is reported, not touched', async (t) => {
  const { server, walk, walkOn, condition } = await aShop(specOf('shop'));
  await walk();
  server.edit(server.records()[0]!.id, { comment: 'mine now' });
  const { changes } = server.count;
  await walkOn(30_000);
  t.regex(await condition(), /^Error: shop.example.test is taken by an owner without a mark/);
  t.is(server.count.changes, changes);
});

for (const [what, target, said] of [
  ['one name at once, the one with the younger record gives it up', '192.0.2.2', 'is taken by the owner'],
  ['one record at once, one is refused', '192.0.2.1', '81058 An identical record already exists'],
] as const)
  test(`of two processes that create ${what}, and says who has the name when it is walked again`, async (t) => {
    const { create, ask, walk, walkOn, anotherProcess, condition, server, read } = await aShop(specOf('shop'));
    await create(specOf('shop'), 'rival');
    await ask([{ recordType: 'A', name: 'shop', target }], 'rival');
    await Promise.allSettled([walk(), anotherProcess().walk('rival')]);
    const names = ['shop', 'rival'] as const;
    const told = [await condition(), await condition('rival')];
    const winner = told.findIndex((one) => one.startsWith('Completed'));
    t.regex(told[1 - winner]!, /^Error: /);
    t.true(told[1 - winner]!.includes(said));
    const { uid = '' } = (await read(names[winner])).metadata;
    const marks = () => server.records().map(({ comment }) => comment);
    t.deepEqual(marks(), [ownerMark(uid)]);
    await walkOn(30_000, names[1 - winner]);
    t.true((await condition(names[1 - winner])).includes(`is taken by the owner ${uid}`));
    await walkOn(30_000, names[winner]);
    t.regex(await condition(names[winner]), /^Completed/);
    t.deepEqual(marks(), [ownerMark(uid)]);
  });

test('rivals of a lost race are waited for, and not taken for drift', async (t) => {
  const { server, walk, walkOn, condition } = await aShop(specOf('shop'));
  await walk();
  server.put({ ...stranger, content: '192.0.2.8', comment: ownerMark('uid-younger') });
  const { changes } = server.count;
  await walkOn(30_000);
  t.is(server.count.changes, changes);
  t.regex(await condition(), /^Completed/);
});

test('options are checked before anything else', (t) => {
  t.throws(() => cloudflareDns({ zone } as never), { instanceOf: TypeError, message: /zoneId/ });
});
