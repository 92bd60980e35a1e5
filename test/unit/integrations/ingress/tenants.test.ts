import test, { type ExecutionContext } from 'ava';
import * as z from 'zod';
import { ingress } from '../../../../integrations/ingress/index.ts';
import { type RouteObject, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { conditionOf, ensureCrds, type Integration, Workspace } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/run/sequencer.ts';
import { defineTenantIntegration, type TenantIntegration } from '../../../../sequencer/tenants/tenant-integration.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { component, rule } from '../fixtures/an-ingress-spec.ts';

const { handles, owns, permissions, outputs, uniqueNames } = ingress({ className: ['nginx'] });

/** Ingress as a type that tenants may configure by their own annotations. */
const ofTenants = (more: Partial<TenantIntegration>): TenantIntegration => ({
  ...defineTenantIntegration({
    condition: 'Ingress',
    handles,
    ...{ ...(owns && { owns }), ...(permissions && { permissions }), ...(outputs && { outputs }) },
    options: z.strictObject({ team: z.string() }),
    create: ({ team }) => ingress({ className: ['nginx'], annotations: { 'example.test/team': team } }),
  }),
  ...more,
});

/** Two teams with a config of their own, and a workspace each that asks for the same host, the first one's before the other's. */
async function aContest(t: ExecutionContext, type: TenantIntegration, integrations: readonly Integration[] = []) {
  const { client, clock, cluster } = await aTargetCluster();
  await ensureCrds(client, [IntegrationConfig, ClusterIntegrationConfig]);
  const stop = new AbortController();
  const own = { client, clock, random: () => 0.5, events: { event: () => {} } };
  const sequencer = createSequencer({ ...own, integrations, tenantIntegrations: { ingress: type } });
  const running = sequencer.run(stop.signal);
  const settled = async () => {
    for (let turn = 0; turn < 60; turn += 1) await clock.advance(0);
  };
  await settled();
  t.teardown(async () => {
    stop.abort();
    await Promise.all([running, clock.advance(20_000)]);
    await cluster.close();
  });
  const teams = ['team-a', 'team-b'] as const;
  for (const namespace of teams) {
    await client.create(
      { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
      { metadata: { name: namespace } },
    );
    const spec = { type: 'ingress', default: true, options: { team: namespace } };
    await client.create(IntegrationConfig, { metadata: { namespace, name: 'own' }, spec });
    await clock.advance(1000);
    const ingressRules = { className: 'nginx', rules: [rule('web', { name: 'web', subdomain: 'shop', path: '/' })] };
    await client.create(Workspace, {
      metadata: { namespace, name: 'shop' },
      spec: {
        components: [component('web', 80)],
        networking: { dns: { zone: 'example.test' }, ingress: ingressRules },
      },
    });
    await settled();
  }
  return {
    said: async (namespace: (typeof teams)[number]) => {
      const { status, reason } = conditionOf(await client.get(Workspace, { namespace, name: 'shop' }), 'Ingress');
      return `${status}: ${reason}`;
    },
    routes: async () =>
      (await client.list<RouteObject>(routeKinds.Ingress)).items.map(({ metadata }) => metadata.namespace).sort(),
    async remove(namespace: (typeof teams)[number]) {
      await client.delete(Workspace, { namespace, name: 'shop' });
      await settled();
    },
  };
}

test('of two tenants with a config each that ask for one host the first has it, until it is gone', async (t) => {
  const { said, routes, remove } = await aContest(t, ofTenants(uniqueNames ? { uniqueNames } : {}));
  t.is(await said('team-a'), 'Completed: Ingress of shop.example.test');
  t.regex(await said('team-b'), /^Error: .*shop\.example\.test\/ is asked for by workspace team-a\/shop too/);
  t.deepEqual(await routes(), ['team-a']);
  await remove('team-a');
  t.is(await said('team-b'), 'Completed: Ingress of shop.example.test');
  t.deepEqual(await routes(), ['team-b']);
});

test('where the type does not tell the names both make a route, and the cluster’s controller decides', async (t) => {
  const { said, routes } = await aContest(t, ofTenants({}));
  for (const team of ['team-a', 'team-b'] as const) t.is(await said(team), 'Completed: Ingress of shop.example.test');
  t.deepEqual(await routes(), ['team-a', 'team-b']);
});

test('a tenant’s workspace and one of an integration of the config file with the same names are compared', async (t) => {
  const ours = ingress({ className: ['nginx'] });
  const isOurs = ({ metadata }: Workspace) => metadata.namespace === 'team-b';
  const type = ofTenants({
    handles: (workspace) => !isOurs(workspace) && ours.handles(workspace),
    ...(ours.uniqueNames && { uniqueNames: ours.uniqueNames }),
  });
  const platform = { ...ours, name: 'platform-ingress', handles: (one: Workspace) => isOurs(one) && ours.handles(one) };
  const { said, routes, remove } = await aContest(t, type, [platform]);
  t.is(await said('team-a'), 'Completed: Ingress of shop.example.test');
  t.regex(await said('team-b'), /^Error: .*shop\.example\.test\/ is asked for by workspace team-a\/shop too/);
  t.deepEqual(await routes(), ['team-a']);
  await remove('team-a');
  t.is(await said('team-b'), 'Completed: Ingress of shop.example.test');
  t.deepEqual(await routes(), ['team-b']);
});
