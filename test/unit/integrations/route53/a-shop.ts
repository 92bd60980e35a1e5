/** Workspaces with DNS names at a Route 53 in memory. */

import '@aws-sdk/client-route-53'; // loaded here, so that no virtual time passes meanwhile
import { route53Dns } from '../../../../integrations/route53/dns.ts';
import type { Route53DnsOptions } from '../../../../integrations/route53/options.ts';
import type { Clock, WorkspaceSpec } from '../../../../sdk/index.ts';
import { aDnsShopOverHttp } from '../fixtures/a-dns-shop-over-http.ts';
import { route53StandIn, type StoredZone } from './stand-in.ts';
import { credential, zones as usual } from './subject.ts';
import type { StoredSet } from './zone-rules.ts';

/** Describes sets as `NAME TYPE VALUE …`, without final dots of names, sorted. */
export const linesOf = (sets: readonly StoredSet[]): readonly string[] =>
  sets
    .map(({ name, type, values, alias }) =>
      [name.slice(0, -1), type, ...values, ...(alias ? [`-> ${alias.zone} ${alias.name}`] : [])].join(' '),
    )
    .sort();

/** Deviations from the defaults. */
export interface ShopOptions extends Partial<Route53DnsOptions> {
  readonly zones?: readonly StoredZone[];
  /** Refuses more than five requests in a second. @default false */
  readonly isThrottled?: boolean;
  /** Questions about each change that are answered PENDING. @default 0 */
  readonly pending?: number;
}

/** A workspace named `shop` on a manual clock, with Route 53 in memory. */
export async function aShop(
  spec: WorkspaceSpec,
  { zones = usual, isThrottled, pending = 0, ...options }: ShopOptions = {},
) {
  const own = { ...credential, target: '192.0.2.1', driftInterval: 240_000, random: () => 0.5 };
  const shop = await aDnsShopOverHttp(spec, ({ clock }) => {
    /** Clock on which waiting for a turn makes time pass. */
    const waiting: Clock = {
      monotonic: () => clock.monotonic(),
      now: () => clock.now(),
      after: (...args) => clock.after(...args),
      sleep: async (ms) => void (await clock.advance(ms)),
    };
    return {
      server: route53StandIn({ zones, pending, ...credential, ...(isThrottled && { clock }) }),
      integration: (fetch) => route53Dns({ ...own, fetch, clock: waiting, ...options }),
    };
  });
  const published = () => linesOf(shop.server.sets());
  return {
    ...shop,
    published,
    /** Published names without owner marks. */
    names: () => published().filter((line) => !line.startsWith('_op-owner.')),
  };
}
