/** A sequencer in real time, and what its workspaces say of their certificates. */

import type { ExecutionContext } from 'ava';
import { conditionOf, createClient, ensureCrds, type Integration, Secret, Workspace } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { until } from '../../../system/real/until.ts';

/** Namespace of the workspaces. */
export const namespace = 'default';
const rule = (subdomain: string) => ({ name: 'web', subdomain, path: '/', component: 'web', network: 'http' });
const spec = (...subdomains: readonly string[]) => ({
  networking: {
    dns: { zone: 'example.test' },
    ingress: { className: 'nginx', rules: subdomains.map((one, index) => ({ ...rule(one), name: `rule-${index}` })) },
  },
  integrations: { 'acme-certificate': {} },
});

/** Starts a sequencer with these integrations, beside a cluster in memory; both end with the test. */
export async function aRealSequencer(t: ExecutionContext, integrations: readonly Integration[]) {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace]);
  const stop = new AbortController();
  const running = createSequencer({ client, integrations }).run(stop.signal);
  t.teardown(async () => {
    stop.abort();
    await running;
    await client.close();
    await cluster.close();
  });
  const said = async (name: string, type = 'Certificate'): Promise<string> => {
    const { status, reason } = conditionOf(await client.get(Workspace, { namespace, name }), type);
    return `${status}: ${reason}`;
  };
  const reaches = (name: string, words: RegExp, type?: string) => {
    const seen = { last: '' };
    const look = async () => {
      seen.last = await said(name, type);
      return words.test(seen.last) || undefined;
    };
    return until(look, { deadline: 60_000, interval: 50, message: () => `${name} says ${seen.last}, not ${words}` });
  };
  return {
    client,
    said,
    reaches,
    create: (name: string, ...subdomains: readonly string[]) =>
      client.create(Workspace, { metadata: { namespace, name }, spec: spec(...subdomains) }),
    async secret(name = 'shop-certificate') {
      const { type, data = {} } = await client.get(Secret, { namespace, name });
      return { type, chain: atob(data['tls.crt'] ?? ''), key: atob(data['tls.key'] ?? '') };
    },
    async vanishes(name: string) {
      await client.delete(Workspace, { namespace, name });
      const look = async () =>
        (await client.list(Workspace)).items.some(({ metadata }) => metadata.name === name) ? undefined : true;
      await until(look, { deadline: 60_000, interval: 50, message: () => `${name} stays` });
    },
  };
}
