/** Finds the hosted zone of a name. */

import { type Clock, DefiniteError, KeyedMutex } from '../../sdk/index.ts';
import { isWithin } from '../dns/records.ts';
import type { HostedZone, Route53Api } from './route53-api.ts';

/** Zones of an account, and the selected one. */
export interface HostedZonesOptions {
  readonly api: Pick<Route53Api, 'publicZones'>;
  readonly clock: Clock;
  /** Id of the only zone, whose name is `zone`: then zones are not searched. @default found by name */
  readonly hostedZoneId: string | undefined;
  /** Name of the only zone. @default the longest suffix of the name */
  readonly zone: string | undefined;
}

/** Finds hosted zones by name. */
export interface HostedZones {
  /** Returns the public hosted zone of a full name; undefined when the account has none. @throws DefiniteError when several have that name */
  zoneOf(name: string, signal: AbortSignal): Promise<HostedZone | undefined>;
  /** Invalidates the cached zones, after Route 53 did not know one. */
  forget(): void;
}

/** ms for which a list of zones is used. */
const listAge = 300_000;

/** Returns the zone with the longest suffix of a name. @throws DefiniteError when several have that name */
export function longestSuffix(zones: readonly HostedZone[], name: string): HostedZone | undefined {
  const [longest, next] = zones
    .filter((zone) => isWithin(name, zone.name))
    .toSorted((a, b) => b.name.length - a.name.length);
  if (longest !== undefined && longest.name === next?.name)
    throw new DefiniteError(
      `Route 53: there are several public hosted zones ${longest.name}, ${longest.id} and ${next.id} among them: set options hostedZoneId and zone`,
    );
  return longest;
}

/** Creates a search that caches the list of the zones. */
export function hostedZones({ api, clock, hostedZoneId, zone }: HostedZonesOptions): HostedZones {
  const lists = new KeyedMutex();
  let list: { readonly zones: readonly HostedZone[]; readonly until: number } | undefined;
  const listed = (signal: AbortSignal): Promise<readonly HostedZone[]> =>
    lists.runExclusive('list', async () => {
      signal.throwIfAborted();
      if (list === undefined || clock.monotonic() >= list.until)
        list = { zones: await api.publicZones(signal), until: clock.monotonic() + listAge };
      return list.zones;
    });
  return {
    async zoneOf(name, signal) {
      if (hostedZoneId !== undefined && zone !== undefined) return { id: hostedZoneId, name: zone };
      const zones = await listed(signal);
      return longestSuffix(zone === undefined ? zones : zones.filter((one) => one.name === zone), name);
    },
    forget() {
      list = undefined;
    },
  };
}
