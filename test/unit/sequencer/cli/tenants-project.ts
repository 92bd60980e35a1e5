/** A config that opens the in-memory DNS to tenants, and manifests of two tenants. */

import type { ExecutionContext } from 'ava';
import { aFolder } from '../../a-folder.ts';

const root = new URL('../../../../', import.meta.url);
const config = `
import { memoryDns } from '${new URL('integrations/memory/dns.ts', root).href}';
import { defineTenantIntegration } from '${new URL('sequencer/index.ts', root).href}';
export const integrations = [];
export const tenantIntegrations = {
  'memory-dns': defineTenantIntegration({
    condition: 'DNS',
    handles: ({ spec }) => spec.networking?.dns !== undefined,
    secrets: ['token'],
    create: (_, { token }) => ({ ...memoryDns(), secrets: [token] }),
  }),
};`;

/** Returns a folder with that config. */
export const aTenantsProject = (t: ExecutionContext): Promise<string> => aFolder(t, { 'sequencer.config.ts': config });

/** A namespace with a Secret and a config that uses it. */
export const tenantManifests = (namespace: string): string => `
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: v1
kind: Secret
metadata: { namespace: ${namespace}, name: dns, labels: { se.quencer.io/integration-type: memory-dns } }
stringData: { key: token-of-${namespace} }
---
apiVersion: se.quencer.io/v1alpha1
kind: IntegrationConfig
metadata: { namespace: ${namespace}, name: dns }
spec: { type: memory-dns, default: true, secretRefs: { token: { name: dns, key: key } } }
---
`;

/** A workspace of a tenant with a name in DNS. */
export const tenantWorkspace = (namespace: string): string => `
apiVersion: se.quencer.io/v1alpha1
kind: Workspace
metadata: { namespace: ${namespace}, name: shop }
spec:
  networking:
    dns: { zone: ${namespace}.example.com }
    ingress: { rules: [{ name: web, component: web, network: http }] }
---
`;
