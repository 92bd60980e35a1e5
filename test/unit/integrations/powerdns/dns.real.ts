import test, { type ExecutionContext } from 'ava';
import { markedOwner, ownerName } from '../../../../integrations/dns/owners.ts';
import type { PowerdnsDnsOptions } from '../../../../integrations/powerdns/options.ts';
import { powerdnsAvailable } from '../../../system/real/programs/powerdns.ts';
import { until } from '../../../system/real/until.ts';
import { specOf } from '../fixtures/a-dns-spec.ts';
import { aRealServer } from './a-real-server.ts';
import { aRealShop, wordsOf } from './a-shop.ts';

const real = powerdnsAvailable() ? test.serial : test.serial.skip;

/** A real server, and workspaces with names there. */
async function started(t: ExecutionContext, options: Partial<PowerdnsDnsOptions> = {}) {
  const server = await aRealServer();
  t.teardown(() => server.close());
  const shop = await aRealShop({ url: server.url, apiKey: server.apiKey, ...options });
  const published = async () => wordsOf(await server.rrsets());
  /** Published names without owner marks. */
  const names = async () => (await published()).filter((line) => !line.startsWith('_op-owner.'));
  return { ...shop, server, published, names };
}

real('names answer while they are wanted, and not after', async (t) => {
  const { server, create, walk, read, condition, published, delete: remove } = await started(t);
  await create(specOf('shop', 'api'));
  await walk();
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  t.deepEqual(await server.lookup('shop.example.test', 'A'), ['192.0.2.1']);
  t.deepEqual(await server.lookup('api.example.test', 'A'), ['192.0.2.1']);
  const [mark] = await server.lookup(ownerName('shop.example.test'), 'TXT');
  t.is(markedOwner(mark ?? ''), (await read()).metadata.uid);
  await remove();
  await walk();
  t.deepEqual(await published(), []);
  t.deepEqual(await server.lookup('shop.example.test', 'A'), []);
  await t.throwsAsync(read(), { message: /not found/ });
});

real('a record may change its type, a text may be long and odd, and a wildcard answers', async (t) => {
  const { server, create, walk, ask, names, delete: remove } = await started(t, { wildcards: true, comments: true });
  await create(specOf('*'));
  await walk();
  t.deepEqual(await server.lookup('anything.example.test', 'A'), ['192.0.2.1']);
  await ask([{ recordType: 'CNAME', name: 'shop', target: 'tunnel.other.test' }]);
  await walk();
  t.deepEqual(await server.lookup('shop.example.test', 'CNAME'), ['tunnel.other.test']);
  const text = `${'x'.repeat(300)} "quoted" \\ text`;
  await ask([
    { recordType: 'AAAA', name: 'shop', target: '2001:DB8:0::1' },
    { recordType: 'TXT', name: 'note', target: text },
  ]);
  await walk();
  t.deepEqual(await server.lookup('shop.example.test', 'AAAA'), ['2001:db8::1']);
  t.deepEqual(await server.lookup('note.example.test', 'TXT'), [text]);
  await remove();
  await walk();
  t.deepEqual(await names(), []);
});

real('what is published is found unchanged by a look, whatever its type', async (t) => {
  const { server, create, walk, walkOn, ask, condition } = await started(t, { driftInterval: 240_000 });
  await create(specOf('shop'));
  await ask([
    { recordType: 'AAAA', name: 'shop', target: '2001:DB8:0:0::1' },
    { recordType: 'TXT', name: 'note', target: `${'x'.repeat(300)} "quoted" \\ é` },
    { recordType: 'CNAME', name: 'www', target: 'LB.other.test.' },
  ]);
  await walk();
  const serial = async () =>
    ((await (await server.api('GET', '/zones/example.test.')).json()) as { serial: number }).serial;
  const before = await serial();
  await walkOn(30_000);
  await walkOn(240_000);
  t.is(await serial(), before);
  t.regex(await condition(), /^Completed/);
});

real('what a person changes or removes there comes back, and other types stay', async (t) => {
  const { server, create, walk, walkOn, published } = await started(t, { driftInterval: 240_000 });
  await create(specOf('shop', 'api'));
  await walk();
  const before = await published();
  await server.clear();
  await walkOn(30_000);
  t.deepEqual(await published(), before);
  const records = (...contents: readonly string[]) => contents.map((content) => ({ content, disabled: false }));
  const there = { name: 'shop.example.test.', ttl: 5, changetype: 'REPLACE' };
  await server.patch(
    { ...there, type: 'A', records: records('192.0.2.1', '192.0.2.66') },
    { ...there, type: 'TXT', records: records('"verified"') },
    { ...there, name: 'api.example.test.', type: 'A', records: [{ content: '192.0.2.1', disabled: true }] },
  );
  await walkOn(240_000);
  t.deepEqual(await published(), [...before, 'shop.example.test TXT "verified"'].sort());
  t.deepEqual(await server.lookup('shop.example.test', 'A'), ['192.0.2.1']);
  t.deepEqual(await server.lookup('api.example.test', 'A'), ['192.0.2.1']);
});

real('of many workspaces that want one name, one gets it, and the others say whose it is', async (t) => {
  const { create, walkOn, read, condition, names } = await started(t);
  const all = Array.from({ length: 8 }, (_, index) => `shop-${index}`);
  await Promise.all(all.map((name) => create(specOf('shop'), name)));
  await Promise.all(all.map((name) => walkOn(0, name)));
  const conditions = await Promise.all(all.map((name) => condition(name)));
  t.is(conditions.filter((one) => one.startsWith('Completed')).length, 1);
  const { uid } = (await read(all[conditions.findIndex((one) => one.startsWith('Completed'))])).metadata;
  t.is(conditions.filter((one) => one.includes(`is taken by the owner ${uid}`)).length, all.length - 1);
  t.deepEqual(await names(), ['shop.example.test A 192.0.2.1']);
});

real(
  'a create that was given up and carried out later is found again as ours, and goes with the workspace',
  async (t) => {
    const {
      server,
      create,
      walkOn,
      condition,
      published,
      names,
      delete: remove,
    } = await started(t, {
      deadline: 1_000,
      // Stalls the server just before the change is sent, after it has answered the reads.
      fetch: async (input, init) => {
        if (init?.method === 'PATCH') await stall();
        return fetch(input, init);
      },
    });
    let stall = () => server.pause();
    await create(specOf('shop'));
    await walkOn(0);
    stall = async () => undefined;
    t.regex(await condition(), /^Locked: outcome not known yet, .*no answer within 1000 ms/);
    server.resume();
    await until(async () => ((await names()).length > 0 ? true : undefined), {
      deadline: 10_000,
      interval: 20,
      message: () => 'the create that was given up was never carried out',
    });
    for (let round = 0; round < 3 && !(await condition()).startsWith('Completed'); round += 1) await walkOn(20_000);
    t.regex(await condition(), /^Completed/);
    t.deepEqual(await names(), ['shop.example.test A 192.0.2.1']);
    await remove();
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.deepEqual(await published(), []);
  },
);

real(
  'a server that is away is an Error that says where, fixed when it is back with what it acknowledged',
  async (t) => {
    const { server, create, walkOn, condition, names, published, delete: remove } = await started(t);
    await create(specOf('shop'));
    await server.kill();
    await walkOn(0);
    t.regex(await condition(), /^Error: PowerDNS: GET .*ECONNREFUSED/);
    await server.restart();
    await walkOn(0);
    t.regex(await condition(), /^Completed/);
    await server.restart();
    t.deepEqual(await names(), ['shop.example.test A 192.0.2.1']);
    await remove();
    await walkOn(0);
    t.deepEqual(await published(), []);
  },
);
