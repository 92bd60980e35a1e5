import test from 'ava';
import { cloudflareDns } from '../../../../integrations/cloudflare/dns.ts';
import { cloudflareTunnel } from '../../../../integrations/cloudflare/tunnel.ts';
import type { CloudflareTunnelOptions } from '../../../../integrations/cloudflare/tunnel-options.ts';
import { ingress } from '../../../../integrations/ingress/index.ts';
import { type RouteObject, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import {
  conditionOf,
  Deployment,
  type Integration,
  Secret,
  Workspace,
  type WorkspaceSpec,
} from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { rule } from '../fixtures/an-ingress-spec.ts';
import { cloudflareStandIn } from './fixtures/stand-in.ts';
import { account, accountId } from './fixtures/subject.ts';
import { tunnelSpec } from './fixtures/tunnel-subject.ts';

/** A workspace named `shop` with a tunnel, and DNS in the zone of the same account. */
async function aShop(
  options: Partial<CloudflareTunnelOptions> = {},
  spec: WorkspaceSpec = tunnelSpec('api'),
  beside: readonly Integration[] = [],
) {
  const stage = await aTargetCluster();
  const server = cloudflareStandIn({ ...account, accountId });
  const { fetch } = server;
  const own = { token: account.token, fetch, clock: stage.clock, random: () => 0.5 };
  const tunnel = cloudflareTunnel({ ...own, accountId, connector: false, driftInterval: 240_000, ...options });
  const dns = cloudflareDns({ ...own, ...account, driftInterval: 240_000 });
  const actor = stage.actor([tunnel, dns, ...beside], { times: { lease: 30_000, maxRequest: 15_000 } });
  await stage.create(spec);
  const key = { namespace: 'default', name: 'shop-cloudflared' };
  return {
    ...stage,
    ...server,
    /** Walks until nothing is asked for at once. */
    async walk(times = 6) {
      for (let round = 0; round < times; round += 1) {
        await actor.walk().catch(() => ({}));
        await stage.clock.advance(5_000);
      }
    },
    async condition(type = 'Tunneling') {
      const { status, reason } = conditionOf(await stage.read(), type);
      return `${status}: ${reason}`;
    },
    names: () =>
      server
        .records()
        .map(({ name, type, content, proxied }) => `${name} ${type} ${content} ${proxied}`)
        .sort(),
    connector: () => stage.client.get(Deployment, key),
    /** Reports all replicas of the connector as available. */
    async connect() {
      const { metadata, spec: { replicas = 1 } = {} } = await stage.client.get(Deployment, key);
      const count = { replicas, updatedReplicas: replicas, availableReplicas: replicas, readyReplicas: replicas };
      const value = { status: { ...count, observedGeneration: metadata.generation ?? 0 } };
      await stage.client.patch(Deployment, key, { type: 'merge', value }, { subresource: 'status' });
    },
  };
}

const connector = { image: 'cloudflared:1' };

test('hosts reach services by a tunnel, their names are proxied, and nothing is left after deletion', async (t) => {
  const shop = await aShop();
  await shop.walk();
  const [tunnel] = shop.tunnels.all;
  t.is(await shop.condition('DNS'), 'Completed: published shop.example.test, api.example.test');
  t.deepEqual(tunnel?.rules, [
    { hostname: 'shop.example.test', service: 'http://shop-web-http.default.svc:80' },
    { hostname: 'api.example.test', path: '^/api(/|$)', service: 'http://shop-api-http.default.svc:8080' },
    { service: 'http_status:404' },
  ]);
  const target = `${tunnel?.id}.cfargotunnel.com`;
  t.deepEqual(shop.names(), [`api.example.test CNAME ${target} true`, `shop.example.test CNAME ${target} true`]);
  const { changes } = shop.count;
  await shop.walk(60);
  t.is(shop.count.changes, changes, 'looks find nothing to change');
  await shop.delete();
  await shop.walk(12);
  t.deepEqual([shop.names(), shop.tunnels.all], [[], []]);
  await t.throwsAsync(shop.read(), { message: /not found/ });
});

test('the token is in a Secret of the workspace, an output, and nowhere else', async (t) => {
  const shop = await aShop();
  await shop.walk();
  const [tunnel] = shop.tunnels.all;
  const token = shop.tunnels.tokenOf(tunnel!);
  const { data = {} } = await shop.client.get(Secret, { namespace: 'default', name: 'shop-tunneling' });
  t.is(atob(data.token ?? ''), token);
  const workspace = await shop.read();
  const outputs = JSON.stringify(workspace.status?.outputs?.Tunneling);
  for (const value of [tunnel?.id, 'shop.example.test', 'shop-tunneling'])
    t.true(outputs.includes(`"${value}"`), outputs);
  t.false(JSON.stringify(workspace).includes(token));
});

test('a name that a person takes out of the proxy is put back', async (t) => {
  const shop = await aShop();
  await shop.walk();
  const before = shop.names();
  shop.edit(shop.records()[0]!.id, { proxied: false, ttl: 300 });
  t.notDeepEqual(shop.names(), before);
  await shop.walk(60);
  t.deepEqual(shop.names(), before);
});

test('the condition waits for the connector, and DNS for the condition', async (t) => {
  const shop = await aShop({ connector: { ...connector, replicas: 2 } });
  await shop.walk();
  t.is(await shop.condition(), 'In Progress: waiting for the connector, Deployment shop-cloudflared');
  t.deepEqual(shop.names(), []);
  const { requests } = shop.count;
  await shop.walk(12);
  t.true(shop.count.requests - requests < 6, 'the third party is not asked all the time');
  await shop.connect();
  await shop.walk();
  t.regex(await shop.condition(), /^Completed/);
  t.is(shop.names().length, 2);
});

test('a Deployment that others change or delete is corrected; one of that name is left alone', async (t) => {
  const shop = await aShop({ connector });
  await shop.walk();
  await shop.connect();
  await shop.walk();
  const key = { namespace: 'default', name: 'shop-cloudflared' };
  await shop.client.patch(Deployment, key, { type: 'merge', value: { spec: { replicas: 5 } } });
  await shop.walk(1);
  t.is((await shop.connector()).spec?.replicas, 1);
  await shop.client.delete(Deployment, key);
  await shop.walk(1);
  const { spec } = await shop.connector();
  t.is(spec?.replicas, 1);
  const other = await aShop({ connector });
  await other.client.create(Deployment, { metadata: { ...key, labels: {} }, spec: spec! });
  await other.walk();
  t.is(
    await other.condition(),
    'Error: Deployment shop-cloudflared exists and is not this workspace’s: delete or rename it',
  );
});

test('a tunnel that was deleted is made anew, with its names, its token and its connector', async (t) => {
  const shop = await aShop({ connector });
  await shop.walk();
  await shop.connect();
  await shop.walk();
  shop.tunnels.clear();
  await shop.walk(60);
  await shop.connect();
  await shop.walk();
  const [tunnel] = shop.tunnels.all;
  const annotations = (await shop.connector()).spec?.template.metadata?.annotations;
  t.deepEqual(annotations, { 'tunnel.sequencer.io/id': tunnel?.id });
  t.true(shop.names().every((line) => line.includes(`${tunnel?.id}.cfargotunnel.com`)));
  const { data = {} } = await shop.client.get(Secret, { namespace: 'default', name: 'shop-tunneling' });
  t.is(atob(data.token ?? ''), shop.tunnels.tokenOf(tunnel!));
  t.regex(await shop.condition(), /^Completed/);
});

test('rules that others change come back, and follow the spec with the names', async (t) => {
  const shop = await aShop();
  await shop.walk();
  const [tunnel] = shop.tunnels.all;
  shop.tunnels.edit(tunnel!.id, { rules: [{ service: 'http_status:503' }] });
  await shop.walk(60);
  t.deepEqual(shop.tunnels.all[0]?.rules, tunnel?.rules);
  const value = { spec: { networking: { ingress: { rules: [rule('web', { subdomain: 'new' })] } } } };
  await shop.client.patch(Workspace, { namespace: 'default', name: 'shop' }, { type: 'merge', value });
  await shop.walk();
  t.deepEqual(
    shop.tunnels.all[0]?.rules.map(({ hostname }) => hostname),
    ['new.example.test', undefined],
  );
  t.deepEqual(
    shop.records().map(({ name }) => name),
    ['new.example.test'],
  );
});

for (const [why, spec, said] of [
  [
    'no rules',
    { networking: { tunnel: { cloudflare: {} } } },
    /ingress\.rules: there is none, and a tunnel needs a host/,
  ],
  ['a member', { networking: { tunnel: { cloudflare: { name: 'x' } } } }, /cloudflare: name is not a member/],
  ['a text', { networking: { tunnel: { cloudflare: 'yes' } } }, /tunnel\.cloudflare must be an object: \{\}/],
] as const)
  test(`a tunnel with ${why} is an Error that says what to do`, async (t) => {
    const shop = await aShop({}, spec as never);
    await shop.walk(1);
    t.regex(await shop.condition(), said);
    t.is(shop.count.requests, 0);
  });

test('an ingress beside a tunnel that publishes the same hosts is an error of the one that comes later, and of no other', async (t) => {
  const shop = await aShop({}, tunnelSpec('api'), [ingress({ waitForAddress: true })]);
  await shop.walk();
  t.regex(await shop.condition(), /^Completed/);
  const { items } = await shop.client.list<RouteObject>(routeKinds.Ingress, { namespace: 'default' });
  const value = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };
  for (const { metadata } of items)
    await shop.client.patch(
      routeKinds.Ingress,
      { namespace: 'default', name: metadata.name },
      { type: 'merge', value },
      { subresource: 'status' },
    );
  await shop.walk();
  const { id } = shop.tunnels.all[0]!;
  t.is(
    await shop.condition('Ingress'),
    `Error: option waitForAddress of ingress, for spec.networking.ingress.rules: status.dns has CNAME shop.example.test to ${id}.cfargotunnel.com, which another integration of this workspace asks for: let one of an ingress and a tunnel publish the host`,
  );
  t.regex(await shop.condition(), /^Completed/);
  const operations = [{ op: 'remove', path: '/spec/networking/tunnel' }] as const;
  await shop.client.patch(Workspace, { namespace: 'default', name: 'shop' }, { type: 'json', operations });
  await shop.walk();
  t.regex(await shop.condition('Ingress'), /^Completed: .* at 192\.0\.2\.1$/);
  t.is(await shop.condition('DNS'), 'Completed: published shop.example.test, api.example.test');
  const again = [{ op: 'add', path: '/spec/networking/tunnel', value: { cloudflare: {} } }] as const;
  await shop.client.patch(Workspace, { namespace: 'default', name: 'shop' }, { type: 'json', operations: again });
  await shop.walk();
  t.regex(await shop.condition(), /^Error: spec\.networking\.tunnel\.cloudflare: status\.dns has A shop/);
  t.deepEqual(shop.tunnels.all, [], 'none is made in vain');
});
