/** Workspaces with DNS names at a PowerDNS server. */

import { powerdnsDns } from '../../../../integrations/powerdns/dns.ts';
import type { PowerdnsDnsOptions } from '../../../../integrations/powerdns/options.ts';
import { systemClock, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aDnsShopOverHttp, dnsProcesses } from '../fixtures/a-dns-shop-over-http.ts';
import { zone } from '../fixtures/a-dns-spec.ts';
import { powerdnsStandIn, type StoredRrset } from './stand-in.ts';

const apiKey = 'the-key-of-the-tests';
const own = { target: '192.0.2.1', random: () => 0.5 };

/** Describes RRsets as `NAME TYPE CONTENT …`, without final dots of names, sorted. */
export const wordsOf = (rrsets: readonly StoredRrset[]): readonly string[] =>
  rrsets
    .map(({ name, type, records }) => [name.slice(0, -1), type, ...records.map(({ content }) => content)].join(' '))
    .sort();

/** A workspace named `shop`, with a server in memory. */
export async function aShop(spec: WorkspaceSpec, options: Partial<PowerdnsDnsOptions> = {}) {
  const server = powerdnsStandIn([zone], apiKey);
  const shop = await aDnsShopOverHttp(spec, ({ clock }) => ({
    server,
    method: 'PATCH',
    integration: (fetch) => powerdnsDns({ ...own, url: 'http://pdns.test:8081', apiKey, fetch, clock, ...options }),
  }));
  return { ...shop, published: () => wordsOf(server.rrsets()) };
}

/** Workspaces with virtual time for the guard and the looks, and a server in real time. */
export async function aRealShop(options: PowerdnsDnsOptions) {
  const stage = await aTargetCluster();
  const clock = { ...systemClock, monotonic: () => stage.clock.monotonic() };
  return dnsProcesses(stage, () => powerdnsDns({ ...own, clock, ...options }));
}
