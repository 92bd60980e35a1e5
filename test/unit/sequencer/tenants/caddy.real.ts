import { X509Certificate } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import * as z from 'zod';
import { caddyRoutes } from '../../../../integrations/caddy/routes.ts';
import { defineTenantIntegration } from '../../../../sequencer/index.ts';
import { createAuthority } from '../../../cluster/index.ts';
import { freePorts } from '../../../system/real/free-ports.ts';
import { programPath } from '../../../system/real/owned-process.ts';
import { until } from '../../../system/real/until.ts';
import { type RealCaddy, startRealCaddy } from '../../integrations/caddy/a-real-server.ts';
import { startTwoTenants, type Tenant, tenants } from './fixtures/two-tenants.ts';

const real = programPath('caddy') === undefined ? test.skip : test;
const authority = createAuthority(Date.now());

/** Certificate of a client, as a Secret holds it. */
function newCredential(name: string) {
  const { certificate, key } = authority.issueFor({ name, groups: [] });
  return { certificate, key };
}
type Credential = ReturnType<typeof newCredential>;

/** Server whose admin API is open to others by client certificates: `admin.remote`, for its routes alone. */
async function aServer(t: ExecutionContext) {
  const caddy = await startRealCaddy();
  t.teardown(() => caddy.close());
  const [port] = (await freePorts(1)) as [number];
  const admin = async (method: string, path: string, body?: unknown): Promise<string> => {
    const said = await until(() => caddy.admin(method, path, body), { message: (error) => `no answer: ${error}` });
    t.is(said.status, 200, said.body);
    return said.body;
  };
  const own = JSON.parse(await admin('GET', '/config/admin')) as object;
  const admit = (...credentials: readonly Credential[]) =>
    admin('PATCH', '/config/admin', {
      ...own,
      identity: { identifiers: ['127.0.0.1'], issuers: [{ module: 'internal' }] },
      remote: {
        listen: `127.0.0.1:${port}`,
        access_control: [
          {
            public_keys: credentials.map(({ certificate }) => new X509Certificate(certificate).raw.toString('base64')),
            permissions: [
              { paths: [`/config/apps/http/servers/${caddy.server}/routes`], methods: ['GET', 'PUT', 'PATCH'] },
            ],
          },
        ],
      },
    });
  const authorityOf = async () => JSON.parse(await admin('GET', '/pki/ca/local')).root_certificate as string;
  return { caddy, url: `https://127.0.0.1:${port}`, admit, authorityOf };
}

const hostsOf = async (caddy: RealCaddy) =>
  (await caddy.routes()).flatMap(({ match }) => match?.flatMap(({ host = [] }) => host) ?? []);
const specOf = (host: string) => ({
  components: [
    {
      name: 'web',
      template: { containers: [{ name: 'web', image: 'web' }] },
      networks: [{ name: 'http', port: 80, targetPort: 80, protocol: 'TCP' as const }],
    },
  ],
  networking: {
    ingress: {
      className: 'caddy',
      rules: [{ name: 'web', subdomain: host, path: '/', component: 'web', network: 'http' }],
    },
    dns: { zone: 'example.com' },
  },
});

real('two tenants have routes at a Caddy each, by client certificates; one is rotated without a restart', async (t) => {
  const [a, b] = [await aServer(t), await aServer(t)];
  const servers = { 'team-a': a, 'team-b': b };
  const first = { 'team-a': newCredential('a'), 'team-b': newCredential('b') };
  for (const tenant of tenants) await servers[tenant].admit(first[tenant]);
  const authorities = { 'team-a': await a.authorityOf(), 'team-b': await b.authorityOf() };
  const create = ({ server }: { server: Tenant }, { certificate: cert, key }: Credential) => {
    const { url, caddy } = servers[server];
    const tls = { ca: authorities[server], cert, key };
    return caddyRoutes({ url, server: caddy.server, tls, upstream: () => '127.0.0.1:9', driftInterval: 3_600_000 });
  };
  const type = defineTenantIntegration({
    condition: 'Ingress',
    handles: ({ spec }) => spec.networking?.ingress !== undefined,
    outputs: create({ server: 'team-a' }, first['team-a']).outputs ?? {},
    options: z.strictObject({ server: z.enum(tenants) }),
    secrets: ['certificate', 'key'],
    create,
  });
  const { says, rotate, edit, removeAll } = await startTwoTenants(t, {
    name: 'caddy-routes',
    type,
    credentials: first,
    specOf,
  });
  for (const tenant of tenants) {
    await says(tenant, 'Completed');
    t.deepEqual(await hostsOf(servers[tenant].caddy), [`${tenant}.example.com`], 'its own, and none of the other');
  }

  const later = newCredential('later');
  await a.admit(first['team-a'], later);
  await rotate('team-a', later);
  await a.admit(later); // the former certificate opens nothing any more
  await edit('team-a', specOf('renewed'));
  await says('team-a', 'Completed');
  t.deepEqual(await hostsOf(a.caddy), ['renewed.example.com']);
  await b.admit(later); // an administrator was too fast: that of team-b is not known
  await edit('team-b', specOf('renewed'));
  t.regex(await says('team-b', 'Locked'), /other side closed/); // Caddy closes the connection: what a change came to is looked for
  t.deepEqual(await hostsOf(b.caddy), ['team-b.example.com'], 'what is there stays');
  await rotate('team-b', later);
  await says('team-b', 'Completed');
  t.deepEqual(await hostsOf(b.caddy), ['renewed.example.com']);
  await removeAll();
  for (const tenant of tenants) t.deepEqual(await hostsOf(servers[tenant].caddy), []);
});
