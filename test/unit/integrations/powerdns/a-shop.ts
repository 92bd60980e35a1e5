/** Workspaces with DNS names at a PowerDNS server. */

import { powerdnsDns } from '../../../../integrations/powerdns/dns.ts';
import type { PowerdnsDnsOptions } from '../../../../integrations/powerdns/options.ts';
import {
  type Clock,
  conditionOf,
  systemClock,
  Workspace,
  type WorkspaceSpec,
  type WorkspaceStatus,
} from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { zone } from '../a-dns-spec.ts';
import { powerdnsStandIn, type StoredRrset } from './stand-in.ts';

const apiKey = 'the-key-of-the-tests';

/** Describes RRsets as `NAME TYPE CONTENT …`, without final dots of names, sorted. */
export const wordsOf = (rrsets: readonly StoredRrset[]): readonly string[] =>
  rrsets
    .map(({ name, type, records }) => [name.slice(0, -1), type, ...records.map(({ content }) => content)].join(' '))
    .sort();

/** Workspaces on a manual clock, and an integration with these options. */
async function aStage(optionsFor: (clock: Clock) => PowerdnsDnsOptions) {
  const stage = await aTargetCluster();
  const options = { target: '192.0.2.1', random: () => 0.5, ...optionsFor(stage.clock) };
  const times = { lease: 30_000, maxRequest: 15_000 };
  const actor = stage.actor([powerdnsDns(options)], { times });
  return {
    ...stage,
    /** Starts another process with an integration of its own. */
    anotherProcess: () => stage.actor([powerdnsDns(options)], { times, holder: 'another' }),
    walk: () => actor.walk(),
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
    ask: (dns: NonNullable<WorkspaceStatus['dns']>) =>
      stage.client.patch(
        Workspace,
        { namespace: 'default', name: 'shop' },
        { type: 'merge', value: { status: { dns } } },
        { subresource: 'status' },
      ),
  };
}

/** A workspace named `shop`, with a server in memory. */
export async function aShop(spec: WorkspaceSpec, options: Partial<PowerdnsDnsOptions> = {}) {
  const server = powerdnsStandIn([zone], apiKey);
  const faults: (Response | Error | 'lost')[] = [];
  /** Sends a request to the server: a Response or an Error is the answer without it, `lost` an answer that does not arrive. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const fault = init?.method === 'PATCH' ? faults.shift() : undefined;
    if (fault instanceof Response) return fault;
    if (fault instanceof Error) throw fault;
    const answer = await server.fetch(input, init);
    if (fault === 'lost') throw new TypeError('fetch failed');
    return answer;
  };
  const stage = await aStage((clock) => ({ url: 'http://pdns.test:8081', apiKey, fetch, clock, ...options }));
  await stage.create(spec);
  return { ...stage, server, faults, published: () => wordsOf(server.rrsets()) };
}

/** Workspaces with virtual time for the guard and the looks, and a server in real time. */
export const aRealShop = (options: PowerdnsDnsOptions) =>
  aStage((clock) => ({ clock: { ...systemClock, monotonic: () => clock.monotonic() }, ...options }));
