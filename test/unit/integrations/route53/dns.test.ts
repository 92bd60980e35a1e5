import test from 'ava';
import { ownerMark } from '../../../../integrations/dns/owners.ts';
import { route53Dns } from '../../../../integrations/route53/dns.ts';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';
import { aShop } from './a-shop.ts';
import { refusalAnswer } from './messages.ts';
import { Refusal } from './zone-rules.ts';

const name = `shop.${zone}`;
const line = `${name} A 192.0.2.1`;
const markLine = (owner = '', of = name) => `_op-owner.${of} TXT "${ownerMark(owner)}"`;
const stranger = { name, type: 'A', ttl: 300, values: ['192.0.2.9'] };
const mark = (owner: string) => ({
  ...{ name: `_op-owner.${name}`, type: 'TXT', ttl: 60 },
  values: [`"${ownerMark(owner)}"`],
});

test('names are published beside their owner in the public zone, and nothing is left after deletion', async (t) => {
  const { published, walk, read, condition, delete: remove } = await aShop(specOf('shop', 'api'));
  await walk();
  const { uid } = (await read()).metadata;
  const api = `api.${zone}`;
  t.deepEqual(published(), [markLine(uid, api), markLine(uid), `${api} A 192.0.2.1`, line]);
  t.is(await condition(), `Completed: published ${name}, ${api}`);
  await remove();
  await walk();
  t.deepEqual(published(), []);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('an address may become another one, an alias, texts, and a wildcard may stand beside; each is one change', async (t) => {
  const { server, ask, walk, walkOn, names, condition } = await aShop(specOf('shop'), { wildcards: true });
  await walk();
  const asked = async (...dns: readonly (readonly [recordType: string, target: string, name?: string])[]) => {
    await ask(dns.map(([recordType, target, at = 'shop']) => ({ recordType, name: at, target })));
    await walk();
    return names();
  };
  t.deepEqual(await asked(['A', '192.0.2.2'], ['A', '192.0.2.3']), [`${name} A 192.0.2.2 192.0.2.3`]);
  t.deepEqual(await asked(['CNAME', 'Tunnel.other.test.']), [`${name} CNAME tunnel.other.test.`]);
  const texts = [`${'x'.repeat(256)}`, 'é "quoted" \\'] as const;
  t.deepEqual(await asked(['AAAA', '2001:DB8:0::1'], ['TXT', texts[0]], ['TXT', texts[1]]), [
    `${name} AAAA 2001:DB8:0::1`,
    `${name} TXT "${'x'.repeat(255)}" "x" "\\303\\251 \\"quoted\\" \\\\"`,
  ]);
  t.is(server.count.changes, 4);
  t.deepEqual(await asked(['A', '192.0.2.1'], ['A', '192.0.2.4', '*']), [`\\052.${zone} A 192.0.2.4`, line]);
  t.is(server.count.changes, 6);
  await walkOn(30_000);
  await walkOn(240_000);
  t.is(server.count.changes, 6, 'a look finds nothing to change');
  t.regex(await condition(), /^Completed/);
});

for (const [what, before, said] of [
  ['of another owner', [stranger, mark('uid-other')], 'the owner uid-other'],
  ['with a record of a person', [stranger], 'an owner without a mark'],
  ['with records routed by weight', [{ ...stranger, identifier: 'blue' }], 'an owner without a mark'],
] as const)
  test(`a name ${what} is left alone and its owner told`, async (t) => {
    const { server, published, walk, walkOn, condition, read, delete: remove } = await aShop(specOf('shop'));
    server.change(...before.map((set) => ['CREATE', set] as const));
    const there = published();
    await t.throwsAsync(walk());
    t.is(await condition(), `Error: ${name} is taken by ${said}: remove it there, or ask for another name`);
    await remove();
    await walkOn(0);
    t.deepEqual(published(), there);
    await t.throwsAsync(read(), { message: /not found/ });
  });

for (const [what, fault] of [
  ['a lost answer', 'lost'],
  ['a reset', new TypeError('fetch failed')],
  ['an error of the server', refusalAnswer(new Refusal('InternalFailure', 'try later', 500))],
  ['an answer that is not XML', new Response('<html>', { status: 502 })],
  ['a success that cannot be read', new Response('{"a":', { status: 200 })],
] as const)
  test(`after a change that ended with ${what} there is one record in the end, and none after deletion`, async (t) => {
    const { faults, published, walkOn, condition, read, delete: remove } = await aShop(specOf('shop'));
    faults.push(fault);
    await walkOn(0);
    t.regex(await condition(), /^Locked: outcome not known yet.*Route 53 /);
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.regex(await condition(), /^Completed/);
    t.deepEqual(published(), [markLine((await read()).metadata.uid), line]);
    await remove();
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.deepEqual(published(), []);
  });

for (const code of ['Throttling', 'PriorRequestNotComplete'])
  test(`${code} is waited for`, async (t) => {
    const { faults, walkOn, condition } = await aShop(specOf('shop'));
    faults.push(refusalAnswer(new Refusal(code, 'Rate exceeded')));
    await walkOn(0);
    t.is(await condition(), `Waiting: Route 53 says Rate exceeded (${code})`);
    await walkOn(5_000);
    t.regex(await condition(), /^Completed/);
  });

test('with five requests a second, many names are published in the end', async (t) => {
  const subdomains = Array.from({ length: 9 }, (_, index) => `s${index}`);
  const { names, walkOn } = await aShop(specOf(...subdomains), { isThrottled: true });
  for (let round = 0; round < 9; round += 1) await walkOn(20_000);
  t.is(names().length, 9);
});

test('changes of one zone wait for one another, those of another process are told to come later', async (t) => {
  const { create, walkOn, anotherProcess, condition, names } = await aShop(specOf('shop'));
  for (const other of ['a', 'b']) await create(specOf(other), other);
  await Promise.all([
    walkOn(0),
    walkOn(0, 'a'),
    anotherProcess()
      .walk('b')
      .catch(() => ({})),
  ]);
  for (const one of ['shop', 'a']) t.regex(await condition(one), /^Completed/);
  await walkOn(10_000, 'b');
  t.is(names().length, 3);
});

test('of two processes that create one name at once, one has it and the other says whose it is', async (t) => {
  const { create, walk, anotherProcess, condition, published, read } = await aShop(specOf('shop'));
  await create(specOf('shop'), 'rival');
  await Promise.allSettled([walk(), anotherProcess().walk('rival')]);
  const told = [await condition(), await condition('rival')];
  const winner = told.findIndex((one) => one.startsWith('Completed'));
  t.regex(told[1 - winner]!, /^(Error: .* is taken by the owner|Waiting: .*PriorRequestNotComplete)/);
  const { uid } = (await read((['shop', 'rival'] as const)[winner])).metadata;
  t.deepEqual(published(), [markLine(uid), line]);
});

test('a name that changes owner between look and change is not touched', async (t) => {
  const { server, ask, walk, condition, published, read } = await aShop(specOf('shop'));
  await walk();
  const { uid = '' } = (await read()).metadata;
  const { fetch } = server;
  Object.assign(server, {
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      if (init?.method === 'POST') {
        server.change(['DELETE', mark(uid)], ['CREATE', mark('uid-other')]);
        Object.assign(server, { fetch });
      }
      return fetch(input, init);
    },
  });
  await ask([{ recordType: 'A', name: 'shop', target: '192.0.2.2' }]);
  await t.throwsAsync(walk());
  t.regex(await condition(), /^Error: Route 53 says .*_op-owner.*but the values provided do not match/);
  t.deepEqual(published(), [markLine('uid-other'), line]);
  await t.throwsAsync(walk());
  t.regex(await condition(), /is taken by the owner uid-other/);
});

test('a credential without rights is reported with what to check, and not shown', async (t) => {
  const { faults, walk, condition } = await aShop(specOf('shop'));
  faults.push(refusalAnswer(new Refusal('AccessDenied', 'User is not authorized', 403)));
  await t.throwsAsync(walk());
  t.regex(
    await condition(),
    /^Error: Route 53 says User is not authorized \(AccessDenied\); the credential lacks what/,
  );
});

test('what is changed outside comes back: a value, a TTL, an alias, an addition, all; other types stay', async (t) => {
  const { server, published, walk, walkOn, read } = await aShop(specOf('shop'));
  await walk();
  const whole = [markLine((await read()).metadata.uid), line];
  await walkOn(30_000);
  const ours = { name, type: 'A', ttl: 60, values: ['192.0.2.1'] };
  const elsewhere = { zone: 'ZELB', name: 'lb.aws.test.', health: false };
  for (const causeDrift of [
    () => server.change(['UPSERT', { ...ours, values: ['192.0.2.66'] }]),
    () => server.change(['UPSERT', { ...ours, ttl: 300 }]),
    () => server.change(['UPSERT', { name, type: 'A', values: [], alias: elsewhere }]),
    () => server.change(['UPSERT', { ...ours, values: ['192.0.2.1', '192.0.2.9'] }]),
    () => server.change(['DELETE', ours], ['CREATE', { ...ours, identifier: 'blue', values: ['192.0.2.9'] }]),
    () => server.change(['DELETE', ours]),
    () => server.clear(),
  ]) {
    causeDrift();
    await walkOn(240_000);
    t.deepEqual(published(), whole);
    t.deepEqual(
      server.sets().map(({ ttl }) => ttl),
      [60, 60],
    );
  }
  server.change(['CREATE', { ...ours, type: 'TXT', values: ['"verified"'] }]);
  await walkOn(240_000);
  t.is(published().length, 3);
});

test('a load balancer gets an alias, which comes back, may change, and goes with the workspace', async (t) => {
  const target = 'LB-1.elb.amazonaws.com.';
  const alias = { hostedZoneId: 'Z35SXDOTRQ7X7K', ipv6: true };
  const shop = await aShop(specOf('shop'), { target, alias });
  const { server, ask, names, walk, walkOn, delete: remove } = shop;
  await walk();
  const of = (type: string) => `${name} ${type} -> Z35SXDOTRQ7X7K lb-1.elb.amazonaws.com.`;
  t.deepEqual(names(), [of('A'), of('AAAA')]);
  const { changes } = server.count;
  await walkOn(30_000);
  t.is(server.count.changes, changes, 'a look finds nothing to change');
  const [there] = server.sets().filter(({ type }) => type === 'AAAA');
  server.change(['DELETE', there!]);
  await walkOn(240_000);
  t.deepEqual(names(), [of('A'), of('AAAA')]);
  await ask([{ recordType: 'CNAME', name: 'shop', target, properties: { ttl: '30' } }]);
  await walk();
  t.deepEqual(names(), [`${name} CNAME lb-1.elb.amazonaws.com.`]);
  await ask([]);
  await walk();
  t.deepEqual(names(), [of('A'), of('AAAA')]);
  await remove();
  await walk();
  t.deepEqual(server.sets(), []);
});

test('options are checked before anything else', (t) => {
  t.throws(() => route53Dns({ zoneId: 'Z' } as never), { instanceOf: TypeError, message: /zoneId is not an option/ });
});
