/** DNS integration at the HTTP API of a PowerDNS authoritative server. */

import { DefiniteError, type Integration } from '../../sdk/index.ts';
import type { ChangeContext, DnsBackend } from '../dns/backend.ts';
import type { ObservedName } from '../dns/drift.ts';
import { exclusiveChanges } from '../dns/exclusive-changes.ts';
import { dnsIntegration } from '../dns/integration.ts';
import { holderIn, isOurs, leftAlone, ownerNameWithoutStar, takenError } from '../dns/owners.ts';
import type { DnsChange, DnsName } from '../dns/records.ts';
import { type CheckedPowerdnsOptions, checkedPowerdnsOptions, type PowerdnsDnsOptions } from './options.ts';
import { type Rrset, recordsOf, removeChanges, replaceChanges, textsOf } from './rrsets.ts';
import { type PowerdnsServer, powerdnsServer } from './server.ts';

export type { PowerdnsDnsOptions } from './options.ts';

/** Zone of the server with its settings. */
interface PowerdnsZone extends Pick<CheckedPowerdnsOptions, 'ttl' | 'comments'> {
  readonly name: string;
  readonly server: PowerdnsServer;
}

/** Present state of one name. */
interface PresentName {
  readonly rrsets: readonly Rrset[];
  /** Owner in words; undefined without an ownership record. */
  readonly holder: string | undefined;
}

const nothing: PresentName = { rrsets: [], holder: undefined };

/** Reads a name and its mark; undefined without the zone. */
async function presentAt(
  server: PowerdnsServer,
  { zone, name }: DnsName,
  signal: AbortSignal,
): Promise<PresentName | undefined> {
  const marks = await server.rrsetsAt(zone, ownerNameWithoutStar(name), signal);
  const rrsets = marks && (await server.rrsetsAt(zone, name, signal));
  return rrsets && { rrsets, holder: holderIn(textsOf(marks)) };
}

/** Replaces the name and its mark in one request, if it is free or ours. */
async function publish(zone: PowerdnsZone, change: DnsChange, context: ChangeContext): Promise<void> {
  const { name, records, types } = change;
  const { owner, signal } = context;
  const present = await presentAt(zone.server, { zone: zone.name, name }, signal);
  if (present === undefined)
    throw new DefiniteError(`PowerDNS: the server has no zone ${zone.name}: create it there, or check option zone`);
  const { rrsets, holder } = present;
  const isFree = holder === undefined && rrsets.length === 0;
  if (!isFree && !isOurs(holder, context)) throw takenError(name, holder);
  const comment = zone.comments ? { content: `workspace ${owner}`, account: 'workspace-sequencer' } : undefined;
  const replacement = { name, records, owner, ttl: zone.ttl, types, present: rrsets, comment };
  await zone.server.change(zone.name, replaceChanges(replacement), signal);
}

async function remove(
  { name: zone, server }: Pick<PowerdnsZone, 'name' | 'server'>,
  name: string,
  context: ChangeContext,
): Promise<string | undefined> {
  const { rrsets, holder } = (await presentAt(server, { zone, name }, context.signal)) ?? nothing;
  if (holder === undefined) return undefined;
  if (!isOurs(holder, context)) return leftAlone(name, holder);
  await server.change(zone, removeChanges(name, rrsets), context.signal);
  return undefined;
}

/**
 * Publishes the DNS records of a workspace in a zone of a PowerDNS authoritative server, by its HTTP API. Beside each name, a TXT record at
 * `_op-owner.<name>` holds the workspace's uid; it is written and removed in one transaction with the records. The API has no compare-and-set: the
 * mark is read before each change, and this process changes a name once at a time.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function powerdnsDns(options: PowerdnsDnsOptions): Integration {
  const checked = checkedPowerdnsOptions(options);
  const { target, ttl, comments, apiKey } = checked;
  const server = powerdnsServer(checked);
  const zoneOf = (place: Pick<DnsName, 'zone'>): string => checked.zone ?? place.zone;
  const backend: DnsBackend = {
    target,
    ttl,
    ...exclusiveChanges(checked.zone, {
      publish: (change, context) => publish({ name: zoneOf(change), server, ttl, comments }, change, context),
      remove: (change, context) => remove({ name: zoneOf(change), server }, change.name, context),
    }),
    observe: async (places, { signal }) => {
      const seen: ObservedName[] = [];
      for (const { zone, name, types } of places) {
        const { rrsets, holder } = (await presentAt(server, { zone: zoneOf({ zone }), name }, signal)) ?? nothing;
        seen.push({ zone, name, owner: holder, records: recordsOf(zone, rrsets, types) });
      }
      return seen;
    },
  };
  return dnsIntegration({ ...checked, name: 'powerdns-dns', secrets: [apiKey], endpoints: [checked.url], backend });
}
