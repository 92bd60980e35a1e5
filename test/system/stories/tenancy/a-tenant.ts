/** Configs of tenants for tests: a type of the in-memory DNS, whose accounts are told apart by a token. */

import * as z from 'zod';
import { createMemoryDnsProvider, type MemoryDnsProvider, memoryDns } from '../../../../integrations/memory/dns.ts';
import { ClusterIntegrationConfig, IntegrationConfig, integrationTypeLabel } from '../../../../sdk/host/index.ts';
import { type Client, DefiniteError, Secret, Workspace } from '../../../../sdk/index.ts';
import { defineTenantIntegration } from '../../../../sequencer/index.ts';

/** Accounts of a DNS provider, by the token that opens each. */
export function dnsAccounts(...tokens: readonly string[]) {
  const accounts = new Map<string, MemoryDnsProvider>(tokens.map((token) => [token, createMemoryDnsProvider()]));
  const opened: string[] = [];
  const closed: string[] = [];
  const type = defineTenantIntegration({
    condition: 'DNS',
    handles: ({ spec }) => spec.networking?.dns !== undefined,
    options: z.strictObject({ target: z.ipv4().default('192.0.2.1') }),
    mutableOptions: z.strictObject({ target: z.ipv4().optional() }),
    secrets: ['token'],
    create({ target: first }, { token }, { target = first }) {
      opened.push(token);
      const refusing: Pick<MemoryDnsProvider, 'apply'> = {
        apply: async () => {
          throw new DefiniteError(`401 for ${token}`);
        },
      };
      const provider = accounts.get(token) ?? { ...createMemoryDnsProvider(), ...refusing };
      const integration = memoryDns({ provider, target, driftInterval: Number.POSITIVE_INFINITY });
      return { integration, close: () => void closed.push(token) };
    },
  });
  /** Names that are published in an account. */
  const namesIn = (token: string): readonly string[] =>
    [
      ...new Set(
        accounts
          .get(token)
          ?.records()
          .map(({ name }) => name),
      ),
    ].toSorted();
  /** Changes that an account has carried out: name and targets. */
  const changesIn = (token: string): readonly string[] =>
    (accounts.get(token)?.changes() ?? []).map(
      ({ name, records }) => `${name} ${records.map(({ target }) => target).join(' ')}`,
    );
  return { types: { 'memory-dns': type }, namesIn, changesIn, opened, closed };
}

/** Creates or replaces the Secret of a token, open to configs. */
export async function putToken(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
  token: string,
) {
  const metadata = { ...key, labels: { [integrationTypeLabel]: 'memory-dns' } };
  const data = { token: Buffer.from(token).toString('base64') };
  const found = (await client.list(Secret, { namespace: key.namespace })).items.some(
    ({ metadata: { name } }) => name === key.name,
  );
  if (found) await client.patch(Secret, key, { type: 'merge', value: { data } });
  else await client.create(Secret, { metadata, data });
}

/** Creates a config whose token is in the Secret of its name. */
export const putConfig = (
  client: Client,
  { namespace, name, labels = {} }: { readonly namespace: string; readonly name: string; readonly labels?: object },
  spec: Partial<IntegrationConfig['spec']> = {},
) =>
  client.create(IntegrationConfig, {
    metadata: { namespace, name, labels: { ...labels } },
    spec: { type: 'memory-dns', secretRefs: { token: { name, key: 'token' } }, ...spec },
  });

/** Creates a cluster-wide config whose token is in the Secret of its name. */
export const putClusterConfig = (
  client: Client,
  name: string,
  spec: Partial<ClusterIntegrationConfig['spec']> & Pick<ClusterIntegrationConfig['spec'], 'allowedNamespaces'>,
) =>
  client.create(ClusterIntegrationConfig, {
    metadata: { name },
    spec: { type: 'memory-dns', secretRefs: { token: { name, key: 'token' } }, ...spec },
  });

/** Creates a workspace with a name in DNS; `pick` is its reference to a config. */
export const putWorkspace = (
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  pick?: NonNullable<Workspace['spec']['integrationConfigs']>[string],
) =>
  client.create(Workspace, {
    metadata: { namespace, name },
    spec: {
      networking: {
        dns: { zone: `${namespace}.example.com` },
        ingress: {
          className: 'nginx',
          rules: [{ name: 'web', subdomain: name, path: '/', component: 'web', network: 'http' }],
        },
      },
      ...(pick && { integrationConfigs: { 'memory-dns': pick } }),
    },
  });
