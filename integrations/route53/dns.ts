/** DNS integration at Amazon Route 53. */

import { DefiniteError, type Integration } from '../../sdk/index.ts';
import { hasCode } from '../aws/aws-error.ts';
import { awsEndpoints } from '../aws/endpoints.ts';
import { zoneRefusal } from '../dns/allowed-names.ts';
import type { ChangeContext, DnsBackend } from '../dns/backend.ts';
import type { DnsQuery, ObservedName } from '../dns/drift.ts';
import { dnsIntegration } from '../dns/integration.ts';
import { holderIn, isOurs, leftAlone, ownerNameWithoutStar, takenError } from '../dns/owners.ts';
import type { DnsChange } from '../dns/records.ts';
import { type HostedZones, hostedZones } from './hosted-zones.ts';
import { type CheckedRoute53Options, checkedRoute53Options, type Route53DnsOptions } from './options.ts';
import { markTexts, publishedRecords, type RecordSet, removalChanges, replacementChanges } from './record-sets.ts';
import { BatchRefusedError, type HostedZone, type Route53Api, route53Api } from './route53-api.ts';
import { SettlingBatches } from './settling-batches.ts';

export type { Route53DnsOptions } from './options.ts';

/** Zone of a name, with the settings of its records. */
interface NamedZone extends Pick<CheckedRoute53Options, 'ttl' | 'alias'> {
  readonly api: Route53Api;
  readonly zone: HostedZone;
  /** Changes that are waited for. */
  readonly settling: SettlingBatches | undefined;
}

/** Present state of one name. */
interface PresentRecordSets {
  readonly present: readonly RecordSet[];
  /** Record sets of the owner's mark. */
  readonly marks: readonly RecordSet[];
  /** Owner in words; undefined without a mark. */
  readonly holder: string | undefined;
}

async function presentAt({ api, zone }: NamedZone, name: string, signal: AbortSignal): Promise<PresentRecordSets> {
  const marks = await api.recordSetsAt(zone.id, ownerNameWithoutStar(name), signal);
  const present = await api.recordSetsAt(zone.id, name, signal);
  return { present, marks, holder: holderIn(markTexts(marks)) };
}

/** Publishes a name that is free or ours: each batch names all that it replaces, and is refused if that is not there any more. */
async function publish(named: NamedZone, change: DnsChange, context: ChangeContext): Promise<void> {
  const { api, zone } = named;
  const { name } = change;
  const { owner, signal } = context;
  const desired = { ...named, ...change, owner };
  let refused: unknown;
  if (change.op === 'create')
    try {
      const taken = await api.change(zone.id, replacementChanges({ ...desired, present: [], marks: [] }), signal);
      return named.settling?.add(owner, taken);
    } catch (error) {
      if (!(error instanceof BatchRefusedError)) throw error;
      refused = error;
    }
  const { present, marks, holder } = await presentAt(named, name, signal);
  const isFree = holder === undefined && present.length === 0;
  if (!isFree && !isOurs(holder, context)) throw takenError(name, holder);
  if (isFree && refused !== undefined) throw refused;
  const changes = replacementChanges({ ...desired, present, marks });
  if (changes.length > 0) named.settling?.add(owner, await api.change(zone.id, changes, signal));
}

async function remove(named: NamedZone, name: string, context: ChangeContext): Promise<string | undefined> {
  const { present, marks, holder } = await presentAt(named, name, context.signal);
  if (holder === undefined) return undefined;
  if (!isOurs(holder, context)) return leftAlone(name, holder);
  await named.api.change(named.zone.id, removalChanges([...marks, ...present]), context.signal);
  return undefined;
}

/** Reads a name; it has no records if the account has no hosted zone for it. */
async function observeName(named: NamedZone | undefined, place: DnsQuery, signal: AbortSignal): Promise<ObservedName> {
  const { zone, name, types } = place;
  if (named === undefined) return { zone, name, owner: undefined, records: [] };
  const { present, holder } = await presentAt(named, name, signal);
  return { zone, name, owner: holder, records: publishedRecords(zone, present, { types, alias: named.alias }) };
}

/** Calls a function with the zone of a name, and forgets the list of zones when Route 53 does not know that zone any more. */
async function inZoneOf<T>(
  zones: HostedZones,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
  run: (zone: HostedZone | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await run(await zones.zoneOf(name, signal));
  } catch (error) {
    if (hasCode((error as Error).cause, 'NoSuchHostedZone')) zones.forget();
    throw error;
  }
}

/**
 * Publishes the DNS records of a workspace in a public hosted zone of Amazon Route 53. Beside each name, a TXT record at `_op-owner.<name>` holds the
 * workspace's uid; it is tested, written and removed in one transaction with the records. Needs the package `@aws-sdk/client-route-53`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function route53Dns(options: Route53DnsOptions): Integration {
  const checked = checkedRoute53Options(options);
  const { target, ttl, alias, clock, hostedZoneId } = checked;
  const api = route53Api(checked);
  const zones = hostedZones({ api, clock, hostedZoneId, zone: checked.zone });
  const settling = checked.waitForSync ? new SettlingBatches(api, clock) : undefined;
  const named = (zone: HostedZone | undefined): NamedZone | undefined => zone && { api, zone, ttl, alias, settling };
  const backend: DnsBackend = {
    target,
    ttl,
    refuses: (place) => zoneRefusal(place, checked.zone),
    settling: async (owner, signal) => settling?.stateOf(owner, signal),
    apply: (change, context) =>
      inZoneOf(zones, { name: change.name, signal: context.signal }, async (zone) => {
        const refused = zoneRefusal(change, checked.zone ?? zone?.name);
        if (refused !== undefined) throw new DefiniteError(refused);
        const found = named(zone);
        if (change.op === 'delete') return found && remove(found, change.name, context);
        if (found === undefined)
          throw new DefiniteError(
            `Route 53: the account has no public hosted zone for ${change.name}: create one, or set options hostedZoneId and zone`,
          );
        await publish(found, change, context);
        return undefined;
      }),
    observe: async (places, { signal }) => {
      const seen: ObservedName[] = [];
      for (const place of places)
        seen.push(
          await inZoneOf(zones, { name: place.name, signal }, (zone) => observeName(named(zone), place, signal)),
        );
      return seen;
    },
  };
  const secrets = options.secretAccessKey === undefined ? [] : [options.secretAccessKey];
  const endpoints = awsEndpoints(checked.address, [checked.address.endpoint ?? 'https://route53.amazonaws.com']);
  const limits = { rate: 2, burst: 10 };
  return dnsIntegration({ ...checked, name: 'route53-dns', secrets, limits, endpoints, backend });
}
