import test, { type ExecutionContext } from 'ava';
import { rfc2136Dns } from '../../../integrations/rfc2136/dns.ts';
import type { Rfc2136DnsOptions } from '../../../integrations/rfc2136/options.ts';
import { addRecord } from '../../../integrations/rfc2136/update.ts';
import { rcode } from '../../../integrations/rfc2136/wire.ts';
import { conditionOf, Workspace, type WorkspaceSpec } from '../../../sdk/index.ts';
import { aStage } from '../../a-stage.ts';
import { startTestNameServer, type TestNameServer } from './name-server.ts';
import type { Fault } from './responder.ts';

const zone = 'example.test';
const secret = Buffer.from('0123456789abcdef');
const specOf = (...subdomains: readonly string[]): WorkspaceSpec => ({
  networking: {
    dns: { zone },
    ingress: {
      className: 'nginx',
      rules: subdomains.map((subdomain, index) => ({
        name: `rule-${index}`,
        subdomain,
        path: '/',
        component: 'web',
        network: 'http',
      })),
    },
  },
});

/** The published names, owner marks aside. */
const published = (server: TestNameServer): readonly string[] =>
  server.records().filter((record) => !record.startsWith('_op-owner.'));

async function aShop(t: ExecutionContext, spec: WorkspaceSpec, options: Partial<Rfc2136DnsOptions> = {}) {
  const stage = await aStage();
  const { clock, client, read } = stage;
  const key = { name: 'op-key', algorithm: 'hmac-sha256', secret } as const;
  const server = await startTestNameServer({ zone, key, now: () => clock.now() / 1000 });
  t.teardown(() => server.close());
  const integration = rfc2136Dns({
    server: { host: server.host, port: server.port },
    key: { name: key.name, secret: secret.toString('base64') },
    target: '192.0.2.1',
    clock,
    ...options,
  });
  const actor = stage.actor([integration], { times: { lease: 30_000, maxRequest: 15_000 } });
  await stage.create(spec);
  return {
    ...stage,
    server,
    walk: () => actor.walk(),
    /** As the engine would: comes back when asked to, errors are retried. */
    async walkOn(ms: number) {
      await clock.advance(ms);
      return actor.walk().catch(() => ({}));
    },
    async condition() {
      const { status, reason } = conditionOf(await read(), 'DNS');
      return `${status}: ${reason}`;
    },
    change: (changed: WorkspaceSpec) =>
      client.patch(
        Workspace,
        { namespace: 'default', name: 'shop' },
        { type: 'json', operations: [{ op: 'replace', path: '/spec', value: changed }] },
      ),
  };
}

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

test('a name without any mark is somebody’s too', async (t) => {
  const { server, walk, condition, delete: remove } = await aShop(t, specOf('shop'));
  server.publish(addRecord({ name: 'shop.example.test', type: 'A', target: '192.0.2.9' }, 60));
  await t.throwsAsync(walk());
  t.regex(await condition(), /^Error: shop.example.test is taken by somebody who left no mark/);
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

test('a refusal is an Error at once, and mended once the server agrees', async (t) => {
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

const minute = 60_000;
/** One look every four minutes, the first after half a minute. */
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
    [undefined, /is taken by somebody who left no mark/],
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

test('a changed zone is left clean: what was published there goes', async (t) => {
  const { server, walk, change, condition } = await aShop(t, specOf('shop'), { zone });
  await walk();
  await change({ networking: { ...specOf('shop').networking, dns: { zone: 'dev.example.test' } } });
  await walk();
  t.deepEqual(published(server), ['shop.dev.example.test A 192.0.2.1']);
  t.regex(await condition(), /^Completed/);
});

test('a workspace’s zone outside the server’s is an Error that names both', async (t) => {
  const { walk, condition } = await aShop(t, specOf('shop'), { zone: 'other.test' });
  await t.throwsAsync(walk());
  t.is(await condition(), 'Error: shop.example.test is not within the zone other.test of option zone');
});

test('the zone itself belongs to no workspace', async (t) => {
  const { server, walk, condition } = await aShop(t, specOf('@'));
  await t.throwsAsync(walk());
  t.regex(await condition(), /^Error: example.test is a zone itself/);
  t.is(server.requests, 0);
});

test('without a target names wait until somebody asks for a record', async (t) => {
  const { server, walk, condition } = await aShop(t, specOf('shop'), {
    target: undefined,
  } as Partial<Rfc2136DnsOptions>);
  await walk();
  t.is(await condition(), 'Waiting: waiting for a target of shop.example.test in status.dns');
  t.is(server.requests, 0);
});
