import test from 'ava';
import Cloudflare from 'cloudflare';
import { zone } from '../a-dns-spec.ts';
import { cloudflareStandIn } from './stand-in.ts';
import { account, accountId } from './subject.ts';

const zone_id = account.zoneId;
const name = `web.${zone}`;
const address = { zone_id, name, type: 'A', content: '192.0.2.1', ttl: 60, comment: 'owner=me' } as const;

/** The vendor's own client, asking the stand-in. */
function aClient(apiToken = account.token) {
  const server = cloudflareStandIn({ ...account, accountId });
  return { server, client: new Cloudflare({ apiToken, fetch: server.fetch, maxRetries: 0 }) };
}

/** Records of a list, over all of its pages. */
async function all<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of pages) found.push(one);
  return found;
}

/** Status and code of a refusal, as the vendor's client reads them. */
async function refusal(act: PromiseLike<unknown>): Promise<readonly unknown[]> {
  const error = await Promise.resolve(act).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Cloudflare.APIError)) return ['no refusal', error];
  return [error.status, error.errors[0]?.code];
}

test('the official client creates, reads, changes and deletes a record', async (t) => {
  const { client, server } = aClient();
  const { records } = client.dns;
  const made = await records.create(address);
  t.regex(made.id, /^[0-9a-f]{32}$/);
  t.like(made, { name, type: 'A', content: '192.0.2.1', ttl: 60, proxied: false, comment: 'owner=me' });
  t.deepEqual(await records.get(made.id, { zone_id }), made);
  t.like(await records.edit(made.id, { ...address, content: '192.0.2.2' }), { id: made.id, content: '192.0.2.2' });
  t.like(await records.update(made.id, { ...address, ttl: 120 }), { id: made.id, content: '192.0.2.1', ttl: 120 });
  t.deepEqual(await records.delete(made.id, { zone_id }), { id: made.id });
  t.deepEqual(server.records(), []);
});

test('the official client lists by name, type and comment, page by page', async (t) => {
  const { client } = aClient();
  const { records } = client.dns;
  for (const content of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) await records.create({ ...address, content });
  await records.create({ ...address, type: 'TXT', content: '"x"', comment: 'owner=you' });
  await records.create({ ...address, name: `web2.${zone}` });
  const contents = async (query: object) =>
    (await all(records.list({ zone_id, per_page: 2, ...query }))).map(({ content }) => content);
  t.is((await contents({})).length, 5);
  t.is((await contents({ name: { exact: name } })).length, 4);
  t.deepEqual(await contents({ name: { exact: name.toUpperCase() }, type: 'TXT' }), ['"x"']);
  t.deepEqual(await contents({ comment: { startswith: 'owner=you' } }), ['"x"']);
  t.deepEqual(await contents({ content: { endswith: '.3' } }), ['192.0.2.3']);
});

test('the official client carries out a batch as a whole, or not at all', async (t) => {
  const { client, server } = aClient();
  const { records } = client.dns;
  const { id } = await records.create(address);
  const alias = { name, type: 'CNAME', content: 'lb.other.test', ttl: 60 } as const;
  t.deepEqual(await refusal(records.batch({ zone_id, posts: [alias] })), [400, 81053]);
  const both = { zone_id, deletes: [{ id }], posts: [alias, { ...alias, content: 'lb2.other.test' }] };
  t.deepEqual(await refusal(records.batch(both)), [400, 81053]);
  t.deepEqual(
    server.records().map((record) => record.id),
    [id],
  );
  const done = await records.batch({ zone_id, deletes: [{ id }], posts: [alias] });
  t.like(done, { deletes: [{ id }], posts: [{ type: 'CNAME', content: 'lb.other.test' }] });
  const [made] = server.records();
  const changed = await records.batch({ zone_id, puts: [{ id: made!.id, ...alias, content: 'lb3.other.test' }] });
  t.like(changed, { puts: [{ id: made!.id, content: 'lb3.other.test' }] });
});

test('the official client reads each refusal with its status and code', async (t) => {
  const { client } = aClient();
  const { records } = client.dns;
  await records.create(address);
  await records.create({ ...address, content: '192.0.2.2', comment: 'owner=you' });
  const alias = { ...address, type: 'CNAME', content: 'lb.other.test' } as const;
  await records.create({ ...alias, name: `alias.${zone}` });
  for (const [what, act, expected] of [
    ['identical', records.create(address), [400, 81058]],
    ['an alias beside addresses', records.create(alias), [400, 81053]],
    ['an address beside an alias', records.create({ ...address, name: `alias.${zone}` }), [400, 81054]],
    ['absent', records.get('f'.repeat(32), { zone_id }), [404, 81044]],
    ['absent, deleted', records.delete('f'.repeat(32), { zone_id }), [404, 81044]],
    ['no address', records.create({ ...address, content: 'nope' }), [400, 9005]],
    ['a TTL that is too short', records.create({ ...address, ttl: 5 as never }), [400, 9021]],
    ['a long comment', records.create({ ...address, comment: 'x'.repeat(101) }), [400, 9313]],
    ['tags on a free zone', records.create({ ...address, tags: ['owner:me'] }), [400, 9300]],
    ['a name of another zone', records.create({ ...address, name: 'web.other.test' }), [400, 9000]],
    ['another zone', records.create({ ...address, zone_id: 'e'.repeat(32) }), [404, 7003]],
    ['a wrong token', aClient('a-wrong-token').client.dns.records.create(address), [403, 10000]],
  ] as const)
    t.deepEqual(await refusal(act), expected, what);
});
