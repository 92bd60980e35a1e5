/** A workspace with DNS names at a third party in memory. */

import {
  conditionOf,
  type Integration,
  Workspace,
  type WorkspaceSpec,
  type WorkspaceStatus,
} from '../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../a-target-cluster.ts';

/** Third party, and the integration that uses it by requests that faults can hit. */
interface DnsParty<Server> {
  readonly server: Server;
  /** Method of the requests that change records. @default 'POST' */
  readonly method?: string;
  integration(fetch: typeof globalThis.fetch): Integration;
}

/** Adds processes to a cluster, each with an integration of its own, for workspaces named `shop`. */
export function dnsProcesses(stage: TargetCluster, integration: () => Integration) {
  const process = (holder: string) =>
    stage.actor([integration()], { holder, times: { lease: 30_000, maxRequest: 15_000 } });
  const actor = process('one');
  return {
    ...stage,
    walk: () => actor.walk(),
    anotherProcess: () => process('another'),
    /** Reconciles as the engine does: runs again when requested, retries errors. */
    async walkOn(ms: number, name = 'shop') {
      await stage.clock.advance(ms);
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

/** Makes a workspace named `shop` on a manual clock. `party` starts the third party. */
export async function aDnsShopOverHttp<Server extends { readonly fetch: typeof globalThis.fetch }>(
  spec: WorkspaceSpec,
  party: (stage: TargetCluster) => DnsParty<Server>,
) {
  const stage = await aTargetCluster();
  const { server, method = 'POST', integration } = party(stage);
  const faults: (Response | Error | 'lost')[] = [];
  /** Sends a request to the server: a Response or an Error is the answer to a change without it, `lost` an answer that does not arrive. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const fault = init?.method === method ? faults.shift() : undefined;
    if (fault instanceof Response) return fault;
    if (fault instanceof Error) throw fault;
    const answer = await server.fetch(input, init);
    if (fault === 'lost') throw new TypeError('fetch failed');
    return answer;
  };
  await stage.create(spec);
  return { ...dnsProcesses(stage, () => integration(fetch)), server, faults };
}
