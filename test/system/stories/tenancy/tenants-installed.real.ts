/** Follows docs/operating/tenants.md as a platform engineer would: installs an operator, has two tenants with two configs each, rotates a password, checks, drains and uninstalls. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { built } from '../../clients/recipes.ts';
import { realServerAvailable } from '../../real/binaries.ts';
import { startPostgres } from '../../real/programs/postgres.ts';
import { powerdnsAvailable, startPowerdns } from '../../real/programs/powerdns.ts';
import { until } from '../../real/until.ts';
import { run } from '../programs.ts';
import { serversUnderTest } from '../servers.ts';
import { aPlatform, operatorNamespace } from './platform.ts';

const zone = 'apps.example.test';
const tenants = { 'team-a': 'blue', 'team-b': 'green' } as const;
type Tenant = keyof typeof tenants;
const names = Object.keys(tenants) as readonly Tenant[];
const roleOf = (tenant: Tenant): string => tenant.replace('-', '_');

const ownersOfDatabases = `SELECT datdba::regrole::text AS owner FROM pg_database WHERE datname LIKE 'ws_%' ORDER BY 1`;

/** All that a tenant applies: Secrets with their labels, configs, and a workspace that picks none. */
const manifestsOf = (tenant: Tenant, apiKey: string): string => `
apiVersion: v1
kind: Secret
metadata: { namespace: ${tenant}, name: dns, labels: { se.quencer.io/integration-type: powerdns-dns } }
stringData: { key: ${apiKey} }
---
apiVersion: v1
kind: Secret
metadata: { namespace: ${tenant}, name: database, labels: { se.quencer.io/integration-type: postgres-database } }
stringData: { password: password-of-${tenant} }
---
apiVersion: se.quencer.io/v1alpha1
kind: IntegrationConfig
metadata: { namespace: ${tenant}, name: dns }
spec:
  type: powerdns-dns
  default: true
  options: { server: ${tenants[tenant]}, zone: ${zone} }
  mutableOptions: { target: 192.0.2.1 }
  secretRefs: { apiKey: { name: dns, key: key } }
---
apiVersion: se.quencer.io/v1alpha1
kind: IntegrationConfig
metadata: { namespace: ${tenant}, name: database }
spec:
  type: postgres-database
  default: true
  options: { user: ${roleOf(tenant)} }
  secretRefs: { password: { name: database, key: password } }
---
apiVersion: se.quencer.io/v1alpha1
kind: Workspace
metadata: { namespace: ${tenant}, name: shop }
spec:
  networking:
    dns: { zone: ${zone} }
    ingress: { rules: [{ name: web, subdomain: ${tenant}, component: web, network: http }] }
  integrations: { postgres-database: {} }
`;

/** Second workspace of the first tenant: a database alone. */
const blog = `
apiVersion: se.quencer.io/v1alpha1
kind: Workspace
metadata: { namespace: team-a, name: blog }
spec: { integrations: { postgres-database: {} } }
`;

/** Third parties: a name server for each tenant, and a PostgreSQL server where each has a credential that makes databases. */
async function startThirdParties(t: ExecutionContext) {
  const [blue, green, postgres] = await Promise.all([startPowerdns([zone]), startPowerdns([zone]), startPostgres()]);
  t.teardown(() => Promise.all([blue.close(), green.close(), postgres.close()]));
  for (const tenant of names)
    await postgres.sql(`CREATE ROLE ${roleOf(tenant)} LOGIN CREATEDB CREATEROLE PASSWORD 'password-of-${tenant}'`);
  return { names: { blue, green }, postgres };
}

const helm = built('helm');
const declare = realServerAvailable() && helm !== undefined && powerdnsAvailable() ? test.serial : test.skip;
const { start } = serversUnderTest().at(-1)!;

type Way = 'sequencer manifests' | 'Helm';
type Platform = ReturnType<typeof aPlatform>;

async function install(way: Way, { folder, good, kubectl, sequencer, within }: Platform): Promise<void> {
  const options = ['--config', 'sequencer.config.js', '--image', 'registry.example/sequencer:1'];
  if (way === 'Helm') {
    await sequencer('manifests', ...options, '--chart', 'chart');
    const args = ['sequencer', 'chart', '--namespace', operatorNamespace, '--create-namespace'];
    await good(run(join(helm!, 'helm'), ['install', ...args], within));
    return;
  }
  for (const [file, text] of [
    ['crds.yaml', await sequencer('crds')],
    ['sequencer.yaml', await sequencer('manifests', ...options)],
  ] as const) {
    writeFileSync(join(folder, file), text);
    await kubectl('apply', '-f', file);
  }
}

async function uninstall(way: Way, { good, kubectl, within }: Platform): Promise<void> {
  if (way === 'Helm')
    await good(run(join(helm!, 'helm'), ['uninstall', 'sequencer', '--namespace', operatorNamespace], within));
  else await kubectl('delete', '--ignore-not-found', '-f', 'sequencer.yaml');
}

for (const way of ['sequencer manifests', 'Helm'] as const)
  declare(`installed by ${way}, an operator serves two tenants, each with two integrations of its own`, async (t) => {
    t.timeout(300_000);
    const [server, thirdParties] = await Promise.all([start(), startThirdParties(t)]);
    t.teardown(() => server.close());
    const platform = aPlatform(t, server, thirdParties);
    const { folder, kubectl, sequencer, operator } = platform;
    await install(way, platform);
    const running = await operator();

    for (const tenant of names) {
      await kubectl('create', 'namespace', tenant);
      const file = join(folder, `${tenant}.yaml`);
      writeFileSync(file, manifestsOf(tenant, thirdParties.names[tenants[tenant]].apiKey));
      await kubectl('apply', '-f', file);
    }
    const ready = ['--for=condition=Ready', '--timeout=60s', '-A', '--all'];
    await kubectl('wait', ...ready, 'integrationconfigs,workspaces');
    const published = () =>
      Promise.all(
        Object.values(thirdParties.names).flatMap((one) => names.map((tenant) => one.lookup(`${tenant}.${zone}`, 'A'))),
      );
    t.deepEqual(await published(), [['192.0.2.1'], [], [], ['192.0.2.1']], 'each at its own server');
    const owners = () => thirdParties.postgres.sql(ownersOfDatabases);
    t.deepEqual(
      await owners(),
      names.map((tenant) => ({ owner: roleOf(tenant) })),
    );
    await kubectl('-n', 'team-a', 'get', 'secret', 'shop-database');
    const plan = await sequencer('plan', '--kubeconfig', server.kubeconfigPath, 'team-a.yaml');
    t.regex(plan, /nothing would be done\n$/);

    const change = JSON.stringify({ spec: { mutableOptions: { target: '192.0.2.2' } } });
    await kubectl('-n', 'team-a', 'patch', 'integrationconfig', 'dns', '--type=merge', '-p', change);
    await until(async () => (await published())[0]?.[0] === '192.0.2.2' || undefined, {
      message: () => 'the record is not changed',
    });

    await thirdParties.postgres.sql(`ALTER ROLE ${roleOf('team-a')} PASSWORD 'rotated-password'`);
    const rotated = JSON.stringify({ stringData: { password: 'rotated-password' } });
    await kubectl('-n', 'team-a', 'patch', 'secret', 'database', '--type=merge', '-p', rotated);
    writeFileSync(join(folder, 'blog.yaml'), blog);
    await kubectl('apply', '-f', 'blog.yaml');
    await kubectl('wait', ...ready, 'integrationconfigs,workspaces');
    t.is((await owners()).filter(({ owner }) => owner === roleOf('team-a')).length, 2, 'made with the new password');

    t.regex(await sequencer('doctor', '--config', 'sequencer.config.js'), /✔ rights .*\n✔ leader /);

    await sequencer('drain');
    t.deepEqual([await published(), await owners()], [[[], [], [], []], []]);
    t.is(await running.stop(), 'exited with 0');
    await uninstall(way, platform);
    writeFileSync(join(folder, 'crds.yaml'), await sequencer('crds'));
    await kubectl('delete', '--timeout=60s', '-f', 'crds.yaml');
    const kinds = 'customresourcedefinitions,clusterroles,clusterrolebindings,validatingadmissionpolicies';
    t.notRegex(await kubectl('get', kinds, '-o', 'name'), /quencer/);
  });
