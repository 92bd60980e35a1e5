import test from 'ava';
import Cloudflare from 'cloudflare';
import { cloudflareStandIn } from './fixtures/stand-in.ts';
import { account, accountId } from './fixtures/subject.ts';

const account_id = accountId;

/** The vendor's own client, asking the stand-in. */
function aClient() {
  const server = cloudflareStandIn({ ...account, accountId });
  const client = new Cloudflare({ apiToken: account.token, fetch: server.fetch, maxRetries: 0 });
  return { tunnels: server.tunnels, cloudflared: client.zeroTrust.tunnels.cloudflared };
}

/** Status and code of a refusal, as the vendor's client reads them. */
async function refusal(act: PromiseLike<unknown>): Promise<readonly unknown[]> {
  const error = await Promise.resolve(act).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Cloudflare.APIError ? [error.status, error.errors[0]?.code] : ['no refusal', error];
}

test('the official client creates, lists, renames, configures and deletes a tunnel', async (t) => {
  const { cloudflared, tunnels } = aClient();
  const { id = '' } = await cloudflared.create({ account_id, name: 'ws-1', config_src: 'cloudflare' });
  t.like(await cloudflared.get(id, { account_id }), { id, name: 'ws-1', status: 'inactive', remote_config: true });
  const named = async (query: object) => {
    const found: unknown[] = [];
    for await (const { name } of cloudflared.list({ account_id, per_page: 1, ...query })) found.push(name);
    return found;
  };
  await cloudflared.create({ account_id, name: 'ws-10', config_src: 'cloudflare' });
  t.deepEqual(await named({}), ['ws-1', 'ws-10']);
  t.deepEqual(await named({ name: 'ws-1', is_deleted: false }), ['ws-1']);
  t.like(await cloudflared.edit(id, { account_id, name: 'ws-2' }), { id, name: 'ws-2' });
  const ingress = [
    { hostname: 'a.test', path: '^/a', service: 'http://web.team.svc:80' },
    { service: 'http_status:404' },
  ];
  const set = await cloudflared.configurations.update(id, { account_id, config: { ingress: ingress as never } });
  t.like(set, { tunnel_id: id, version: 1 });
  const { config } = await cloudflared.configurations.get(id, { account_id });
  t.like(config?.ingress?.[0], { hostname: 'a.test', path: '^/a', service: 'http://web.team.svc:80' });
  const token = await cloudflared.token.get(id, { account_id });
  t.like(JSON.parse(atob(token)), { a: accountId, t: id });
  tunnels.edit(id, { connections: 1 });
  t.deepEqual(await refusal(cloudflared.delete(id, { account_id })), [400, 1022]);
  t.is(await cloudflared.connections.delete(id, { account_id }), null);
  t.truthy((await cloudflared.delete(id, { account_id })).deleted_at);
  t.deepEqual(await named({ is_deleted: false }), ['ws-10']);
  t.deepEqual(await named({ name: 'ws-2' }), ['ws-2'], 'deleted ones are listed too');
});

test('the official client reads each refusal with its status and code', async (t) => {
  const { cloudflared } = aClient();
  const { id = '' } = await cloudflared.create({ account_id, name: 'ws-1', config_src: 'cloudflare' });
  const config = { ingress: [{ hostname: 'a.test', service: 'http://web' }] };
  for (const [what, act, expected] of [
    ['a name that is taken', cloudflared.create({ account_id, name: 'ws-1', config_src: 'cloudflare' }), [409, 1013]],
    ['absent', cloudflared.get('f'.repeat(36), { account_id }), [404, 1001]],
    ['no last rule', cloudflared.configurations.update(id, { account_id, config }), [400, 1056]],
    ['another account', cloudflared.get(id, { account_id: 'e'.repeat(32) }), [404, 7003]],
  ] as const)
    t.deepEqual(await refusal(act), expected, what);
});
