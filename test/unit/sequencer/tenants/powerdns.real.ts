import test, { type ExecutionContext } from 'ava';
import * as z from 'zod';
import { powerdnsDns } from '../../../../integrations/powerdns/dns.ts';
import { ClusterIntegrationConfig, IntegrationConfig, integrationTypeLabel } from '../../../../sdk/host/index.ts';
import { createClient, ensureCrds, findCondition, Namespace, Secret, Workspace } from '../../../../sdk/index.ts';
import { createSequencer, defineTenantIntegration } from '../../../../sequencer/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { type PowerdnsProcess, powerdnsAvailable, startPowerdns } from '../../../system/real/programs/powerdns.ts';
import { until } from '../../../system/real/until.ts';

const real = powerdnsAvailable() ? test : test.skip;
const zone = 'apps.example.test';
const tenants = ['team-a', 'team-b'] as const;
const never = Number.POSITIVE_INFINITY;
const dataOf = (key: string) => ({ apiKey: Buffer.from(key).toString('base64') });

/** Two PowerDNS servers, one of each tenant, and a sequencer on a cluster with a config and a workspace of each; team-b has the key of team-a. */
async function started(t: ExecutionContext) {
  const [a, b] = (await Promise.all(tenants.map(() => startPowerdns([zone])))) as [PowerdnsProcess, PowerdnsProcess];
  t.teardown(() => Promise.all([a.close(), b.close()]));
  const servers = { 'team-a': a, 'team-b': b };
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  const type = defineTenantIntegration({
    condition: 'DNS',
    handles: ({ spec }) => spec.networking?.dns !== undefined,
    options: z.strictObject({ server: z.enum(tenants), ttl: z.coerce.number().int().min(60).default(300) }),
    secrets: ['apiKey'],
    create: ({ server, ttl }, { apiKey }) =>
      powerdnsDns({ ...{ url: servers[server].url, apiKey, zone, ttl }, target: '192.0.2.1', driftInterval: never }),
  });
  const stop = new AbortController();
  const tenantIntegrations = { 'powerdns-dns': type };
  const running = createSequencer({ client, integrations: [], tenantIntegrations }).run(stop.signal);
  t.teardown(() => {
    stop.abort();
    return running;
  });
  for (const namespace of tenants) {
    await client.create(Namespace, { metadata: { name: namespace } });
    const metadata = { namespace, name: 'pdns' };
    const labels = { [integrationTypeLabel]: 'powerdns-dns' };
    await client.create(Secret, { metadata: { ...metadata, labels }, data: dataOf(a.apiKey) });
    const secretRefs = { apiKey: { name: 'pdns', key: 'apiKey' } };
    const spec = { type: 'powerdns-dns', default: true, options: { server: namespace, ttl: '120' }, secretRefs };
    await client.create(IntegrationConfig, { metadata, spec });
    const rules = [{ name: 'web', subdomain: namespace, path: '/', component: 'web', network: 'http' }];
    const networking = { dns: { zone }, ingress: { className: 'nginx', rules } };
    await client.create(Workspace, { metadata: { namespace, name: 'shop' }, spec: { networking } });
  }
  return { client, a, b };
}

real(
  'two tenants publish at a PowerDNS server each; a wrong key is reported without itself, and fixed by its Secret',
  async (t) => {
    const { client, a, b } = await started(t);
    const dnsIs = (namespace: string, status: string) =>
      until(
        async () => {
          const { status: told } = await client.get(Workspace, { namespace, name: 'shop' });
          const dns = findCondition(told?.conditions, 'DNS');
          return dns?.status === status ? dns.reason : undefined;
        },
        { message: () => `DNS of ${namespace} is not ${status}` },
      );
    await dnsIs('team-a', 'Completed');
    t.deepEqual(await a.lookup(`team-a.${zone}`, 'A'), ['192.0.2.1']);
    const refused = await dnsIs('team-b', 'Error');
    t.notRegex(refused, new RegExp(a.apiKey));
    t.regex(refused, /401/);
    t.deepEqual(await b.lookup(`team-b.${zone}`, 'A'), []);

    const key = { namespace: 'team-b', name: 'pdns' };
    await client.patch(Secret, key, { type: 'merge', value: { data: dataOf(b.apiKey) } });
    await dnsIs('team-b', 'Completed');
    t.deepEqual(await b.lookup(`team-b.${zone}`, 'A'), ['192.0.2.1']);
    t.deepEqual(await a.lookup(`team-b.${zone}`, 'A'), [], 'each has its own server');

    await client.delete(IntegrationConfig, key);
    for (const namespace of tenants) await client.delete(Workspace, { namespace, name: 'shop' });
    const left = async () => {
      const [workspaces, configs] = [await client.list(Workspace), await client.list(IntegrationConfig)];
      return workspaces.items.length === 0 && configs.items.length === 1 ? true : undefined;
    };
    await until(left, { message: () => 'objects are left' });
    t.deepEqual([await a.lookup(`team-a.${zone}`, 'A'), await b.lookup(`team-b.${zone}`, 'A')], [[], []]);
  },
);
