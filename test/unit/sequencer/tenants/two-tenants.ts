/** Two tenants with a config and a workspace each, on a cluster in memory, for tests with servers of third parties. */

import type { ExecutionContext } from 'ava';
import { ClusterIntegrationConfig, IntegrationConfig, integrationTypeLabel } from '../../../../sdk/host/index.ts';
import {
  createClient,
  ensureCrds,
  findCondition,
  Namespace,
  Secret,
  Workspace,
  type WorkspaceSpec,
} from '../../../../sdk/index.ts';
import { createSequencer, type TenantIntegration } from '../../../../sequencer/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { until } from '../../../system/real/until.ts';

/** Namespaces of the two. */
export const tenants = ['team-a', 'team-b'] as const;
/** One of the two. */
export type Tenant = (typeof tenants)[number];

/** Values of a Secret by credential. */
export type Credential = Readonly<Record<string, string>>;

/** Options of {@link startTwoTenants}. */
export interface TwoTenants {
  readonly name: string;
  readonly type: TenantIntegration;
  readonly credentials: Readonly<Record<Tenant, Credential>>;
  /** Spec of the workspace `shop` of a tenant. */
  readonly specOf: (tenant: Tenant) => WorkspaceSpec;
}

const dataOf = (credential: Credential): Credential =>
  Object.fromEntries(Object.entries(credential).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));

/** Starts a sequencer that opens a type to both; the option `server` of a config is its tenant. */
export async function startTwoTenants(t: ExecutionContext, { name, type, credentials, specOf }: TwoTenants) {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  const stop = new AbortController();
  const running = createSequencer({ client, integrations: [], tenantIntegrations: { [name]: type } }).run(stop.signal);
  t.teardown(() => {
    stop.abort();
    return running;
  });
  for (const namespace of tenants) {
    await client.create(Namespace, { metadata: { name: namespace } });
    const key = { namespace, name: 'account' };
    const metadata = { ...key, labels: { [integrationTypeLabel]: name } };
    await client.create(Secret, { metadata, data: dataOf(credentials[namespace]) });
    const names = Object.keys(credentials[namespace]).map((one) => [one, { name: 'account', key: one }]);
    const spec = { type: name, default: true, options: { server: namespace }, secretRefs: Object.fromEntries(names) };
    await client.create(IntegrationConfig, { metadata: key, spec });
    await client.create(Workspace, { metadata: { namespace, name: 'shop' }, spec: specOf(namespace) });
  }
  const shop = (namespace: Tenant) => ({ namespace, name: 'shop' });
  return {
    client,
    /** Waits until the condition of a tenant's workspace has a status for its present spec. @returns its reason */
    says: (tenant: Tenant, status: string) =>
      until(
        async () => {
          const { status: told, metadata } = await client.get(Workspace, shop(tenant));
          const found = findCondition(told?.conditions, type.condition);
          const isCurrent = found?.observedGeneration === metadata.generation;
          if (found?.status === status && isCurrent) return found.reason;
          throw new Error(`it is ${found?.status} ${found?.reason}`);
        },
        { message: (error) => `${type.condition} of ${tenant} is not ${status}: ${error}` },
      ),
    /** Replaces the credential of a tenant. */
    rotate: (namespace: Tenant, credential: Credential) =>
      client.patch(Secret, { namespace, name: 'account' }, { type: 'merge', value: { data: dataOf(credential) } }),
    /** Changes the spec of a tenant's workspace. */
    edit: (tenant: Tenant, spec: object) => client.patch(Workspace, shop(tenant), { type: 'merge', value: { spec } }),
    /** Deletes both workspaces, and waits until they are gone. */
    async removeAll() {
      for (const tenant of tenants) await client.delete(Workspace, shop(tenant));
      const left = async () => ((await client.list(Workspace)).items.length === 0 ? true : undefined);
      await until(left, { message: () => 'a workspace is left' });
    },
  };
}
