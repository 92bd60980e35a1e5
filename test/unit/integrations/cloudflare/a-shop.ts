/** Workspaces with DNS names at a Cloudflare zone in memory. */

import { cloudflareDns } from '../../../../integrations/cloudflare/dns.ts';
import type { CloudflareDnsOptions } from '../../../../integrations/cloudflare/options.ts';
import type { WorkspaceSpec } from '../../../../sdk/index.ts';
import { aDnsShopOverHttp } from '../a-dns-shop-over-http.ts';
import { cloudflareStandIn } from './stand-in.ts';
import { account, accountId } from './subject.ts';

/** A workspace named `shop` on a manual clock, with a zone in memory. */
export async function aShop(spec: WorkspaceSpec, options: Partial<CloudflareDnsOptions> = {}) {
  const server = cloudflareStandIn({ ...account, accountId });
  const own = { ...account, target: '192.0.2.1', driftInterval: 240_000, random: () => 0.5 };
  const shop = await aDnsShopOverHttp(spec, ({ clock }) => ({
    server,
    integration: (fetch) => cloudflareDns({ ...own, fetch, clock, ...options }),
  }));
  return {
    ...shop,
    /** Published records as `NAME TYPE CONTENT COMMENT`, sorted. */
    published: () =>
      server
        .records()
        .map(({ name, type, content, comment }) => [name, type, content, comment].join(' '))
        .sort(),
  };
}
