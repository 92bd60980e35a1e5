import test from 'ava';
import { createMemoryDnsProvider, type MemoryDnsFault, memoryDns } from '../../../../integrations/memory/dns.ts';
import { conditionOf, Workspace, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { specOf, zone } from '../fixtures/a-dns-spec.ts';

async function aShop(...subdomains: readonly string[]) {
  const stage = await aTargetCluster();
  const provider = createMemoryDnsProvider({ clock: stage.clock });
  const integration = memoryDns({ provider });
  const actor = stage.actor([integration], { times: { lease: 30_000, maxRequest: 15_000 } });
  await stage.create(specOf(...subdomains));
  const { metadata } = await stage.read();
  return {
    ...stage,
    provider,
    integration,
    owner: metadata.uid ?? '',
    walk: () => actor.walk(),
    /** Reconciles as the engine does: runs again when requested, retries errors. */
    async walkOn(ms: number) {
      await stage.clock.advance(ms);
      return actor.walk().catch(() => ({}));
    },
    names: () => provider.records().map(({ name }) => name),
    async condition() {
      const { status, reason } = conditionOf(await stage.read(), 'DNS');
      return `${status}: ${reason}`;
    },
    async change(spec: WorkspaceSpec) {
      const operations = [{ op: 'replace', path: '/spec', value: spec }] as const;
      await stage.client.patch(Workspace, { namespace: 'default', name: 'shop' }, { type: 'json', operations });
    },
  };
}

test('a workspace’s names are published under its mark, its host is known', async (t) => {
  const { walk, provider, owner, read, condition } = await aShop('shop', 'api');
  await walk();
  t.deepEqual(provider.records(), [
    { zone, name: 'shop.example.test', type: 'A', target: '127.0.0.1', owner },
    { zone, name: 'api.example.test', type: 'A', target: '127.0.0.1', owner },
  ]);
  t.is(await condition(), 'Completed: published shop.example.test, api.example.test');
  t.is((await read()).status?.host, 'shop.example.test');
});

test('a second walk does nothing at all', async (t) => {
  const { walk, provider, read } = await aShop('shop');
  await walk();
  const { resourceVersion } = (await read()).metadata;
  await walk();
  t.is(provider.changes().length, 1);
  t.is((await read()).metadata.resourceVersion, resourceVersion);
});

test('a changed spec publishes what is new and removes what is not wanted any more', async (t) => {
  const { walk, change, names, read, condition } = await aShop('shop', 'old');
  await walk();
  await change(specOf('new', 'shop'));
  await walk();
  t.deepEqual(names().sort(), ['new.example.test', 'shop.example.test']);
  t.is((await read()).status?.host, 'new.example.test');
  t.is(await condition(), 'Completed: published new.example.test, shop.example.test');
});

test('what others ask for in status.dns is published too', async (t) => {
  const { client, walk, provider } = await aShop();
  const asked = [{ recordType: 'TXT', name: 'verify', target: 'abc' }];
  await client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { status: { dns: asked } } },
    { subresource: 'status' },
  );
  await walk();
  t.like(provider.records(), [{ name: 'verify.example.test', type: 'TXT', target: 'abc' }]);
});

test('on deletion nothing is left, at the third party or in the cluster', async (t) => {
  const { walk, delete: remove, names, read } = await aShop('shop', 'api');
  await walk();
  await remove();
  await walk();
  t.deepEqual(names(), []);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('a workspace that no longer asks for DNS loses its records and its host', async (t) => {
  const { walk, change, names, read } = await aShop('shop');
  await walk();
  await change({});
  await walk();
  t.deepEqual(names(), []);
  const { status, metadata } = await read();
  t.is(status?.host, undefined);
  t.is(metadata.finalizers, undefined);
});

test('a name of another owner is left alone and named; it is ours once it is free', async (t) => {
  const { walk, walkOn, provider, condition, names } = await aShop('shop');
  provider.occupy('uid-other', [{ zone, name: 'shop.example.test', type: 'A', target: '192.0.2.9' }]);
  await t.throwsAsync(walk(), { message: 'shop.example.test belongs to uid-other' });
  t.is(await condition(), 'Error: shop.example.test belongs to uid-other');
  t.like(provider.records(), [{ owner: 'uid-other', target: '192.0.2.9' }]);
  await provider.apply(
    { op: 'delete', zone, name: 'shop.example.test', records: [] },
    { owner: 'uid-other', signal: new AbortController().signal },
  );
  await walkOn(0);
  t.deepEqual(names(), ['shop.example.test']);
  t.regex(await condition(), /^Completed/);
});

test('deleting a workspace never touches a name of another owner', async (t) => {
  const { walk, walkOn, provider, delete: remove, read } = await aShop('shop');
  provider.occupy('uid-other', [{ zone, name: 'shop.example.test', type: 'A', target: '192.0.2.9' }]);
  await t.throwsAsync(walk());
  await remove();
  await walkOn(0);
  t.like(provider.records(), [{ owner: 'uid-other' }]);
  await t.throwsAsync(read(), { message: /not found/ });
});

for (const fault of [
  'refused',
  'lost before',
  'lost after',
  { lateBy: 5_000 },
] as const satisfies readonly MemoryDnsFault[])
  test(`after a create that was ${JSON.stringify(fault)} there is one record in the end, and none after deletion`, async (t) => {
    const { walkOn, provider, condition, names, delete: remove } = await aShop('shop');
    provider.failNext(fault);
    await walkOn(0);
    t.regex(
      await condition(),
      fault === 'refused' ? /^Error: shop.example.test: refused/ : /^Locked: outcome not known yet/,
    );
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.regex(await condition(), /^Completed/);
    t.deepEqual(names(), ['shop.example.test']);
    t.is(provider.changes().length, 1);
    await remove();
    for (let round = 0; round < 3; round += 1) await walkOn(20_000);
    t.deepEqual(names(), []);
  });

test('a name that was published by an attempt whose answer was lost goes, even if the spec has changed before that was known', async (t) => {
  const { walkOn, provider, names, change } = await aShop('shop', 'api');
  provider.failNext('lost after');
  await walkOn(0);
  await change(specOf('api'));
  for (let round = 0; round < 3; round += 1) await walkOn(20_000);
  t.deepEqual(names(), ['api.example.test']);
});

test('a deletion whose answer was lost is carried out again', async (t) => {
  const { walkOn, walk, provider, names, delete: remove, read } = await aShop('shop');
  await walk();
  await remove();
  provider.failNext('lost before');
  for (let round = 0; round < 3; round += 1) await walkOn(20_000);
  t.deepEqual(names(), []);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('a zone that is not a name is an Error, fixed by a change', async (t) => {
  const { walk, change, condition } = await aShop('shop');
  await change({ networking: { dns: { zone: 'not a zone' } } });
  await walk();
  t.is(
    await condition(),
    'Error: spec.networking.dns.zone: "not a zone" is not the name of a zone: it must have labels of a-z, 0-9, - and _, 63 characters each and 253 in all; others in their form xn--…',
  );
  await change(specOf('shop'));
  await walk();
  t.regex(await condition(), /^Completed/);
});

test('a workspace whose last name went before it did is let go', async (t) => {
  const { walk, change, names, delete: remove, read, condition } = await aShop('shop');
  await walk();
  await change(specOf());
  await walk();
  t.deepEqual(names(), []);
  t.is(await condition(), 'Completed: nothing to publish');
  t.is((await read()).status?.host, undefined);
  await remove();
  await walk();
  await t.throwsAsync(read(), { message: /not found/ });
});

test('deleting a workspace whose DNS could never start asks the third party for nothing', async (t) => {
  const { walk, change, provider, delete: remove, read } = await aShop('shop');
  await change({ networking: { dns: { zone: 'not a zone' } } });
  await walk();
  await remove();
  await walk();
  t.deepEqual(provider.changes(), []);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('under policy orphan, names that are not wanted any more stay published, others are still made and changed', async (t) => {
  const stage = await aTargetCluster();
  const provider = createMemoryDnsProvider({ clock: stage.clock });
  const actor = stage.actor([{ ...memoryDns({ provider }), policy: 'orphan' as const }]);
  const names = () => provider.records().map((record) => record.name);
  const key = { namespace: 'default', name: 'shop' };
  await stage.create(specOf('a', 'b'));
  await actor.walk();
  await stage.client.patch(Workspace, key, { type: 'merge', value: { spec: specOf('b', 'c') } });
  await actor.walk();
  t.deepEqual(names(), ['a.example.test', 'b.example.test', 'c.example.test']);
  await stage.client.patch(Workspace, key, { type: 'merge', value: { spec: specOf('c') } });
  await actor.walk();
  await actor.walk();
  t.deepEqual(
    actor.events.filter(({ reason }) => reason === 'Orphaned').map(({ message }) => message),
    ['a.example.test', 'b.example.test'].map((name) => `${name}: no longer desired, and left unchanged`),
  );
  await stage.delete();
  await actor.walk();
  t.is(names().length, 3);
});
