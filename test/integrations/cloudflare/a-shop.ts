/** Workspaces with DNS names at a Cloudflare zone in memory. */

import { cloudflareDns } from '../../../integrations/cloudflare/dns.ts';
import type { CloudflareDnsOptions } from '../../../integrations/cloudflare/options.ts';
import { conditionOf, Workspace, type WorkspaceSpec, type WorkspaceStatus } from '../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { cloudflareStandIn } from './stand-in.ts';
import { account, accountId } from './subject.ts';

/** A workspace named `shop` on a manual clock, with a zone in memory. */
export async function aShop(spec: WorkspaceSpec, options: Partial<CloudflareDnsOptions> = {}) {
  const stage = await aTargetCluster();
  const server = cloudflareStandIn({ ...account, accountId });
  const faults: (Response | Error | 'lost')[] = [];
  /** Sends a request to the server: a Response or an Error is the answer to a change without it, `lost` an answer that does not arrive. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const fault = init?.method === 'POST' ? faults.shift() : undefined;
    if (fault instanceof Response) return fault;
    if (fault instanceof Error) throw fault;
    const answer = await server.fetch(input, init);
    if (fault === 'lost') throw new TypeError('fetch failed');
    return answer;
  };
  const clock = stage.clock;
  const own = { ...account, target: '192.0.2.1', driftInterval: 240_000, random: () => 0.5, fetch, clock, ...options };
  const process = (holder: string) =>
    stage.actor([cloudflareDns(own)], { holder, times: { lease: 30_000, maxRequest: 15_000 } });
  const actor = process('one');
  await stage.create(spec);
  return {
    ...stage,
    server,
    faults,
    /** Published records as `NAME TYPE CONTENT COMMENT`, sorted. */
    published: () =>
      server
        .records()
        .map(({ name, type, content, comment }) => [name, type, content, comment].join(' '))
        .sort(),
    walk: () => actor.walk(),
    /** Starts another process with an integration of its own. */
    anotherProcess: () => process('another'),
    /** Reconciles as the engine does: runs again when requested, retries errors. */
    async walkOn(ms: number, name = 'shop') {
      await clock.advance(ms);
      return actor.walk(name).catch(() => ({}));
    },
    async condition(name = 'shop') {
      const { status, reason } = conditionOf(await stage.read(name), 'DNS');
      return `${status}: ${reason}`;
    },
    /** Asks for records as other integrations do. */
    ask: (dns: NonNullable<WorkspaceStatus['dns']>, name = 'shop') =>
      stage.client.patch(
        Workspace,
        { namespace: 'default', name },
        { type: 'merge', value: { status: { dns } } },
        { subresource: 'status' },
      ),
  };
}
