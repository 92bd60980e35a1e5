/** DNS integration by dynamic updates (RFC 2136). */

import { DefiniteError, type Integration } from '../../sdk/index.ts';
import { zoneRefusal } from '../dns/allowed-names.ts';
import type { ChangeContext, DnsBackend } from '../dns/backend.ts';
import type { DnsQuery, ObservedName } from '../dns/drift.ts';
import { dnsIntegration } from '../dns/integration.ts';
import { holderIn, isOurs, leftAlone, ownerName, takenError } from '../dns/owners.ts';
import type { DnsChange, DnsName, DnsRecord } from '../dns/records.ts';
import { endpointAt } from '../endpoints.ts';
import { type NameServer, nameServer } from './name-server.ts';
import { checkedOptions, type Rfc2136DnsOptions } from './options.ts';
import { decodeData, txtTextOf } from './record-data.ts';
import { createUpdate, removeUpdate, replaceUpdate, type Update } from './update.ts';
import { rcode, type } from './wire.ts';

export type { Exchange, ExchangeOptions, ServerAddress } from './exchange.ts';
export type { Rfc2136DnsOptions } from './options.ts';

/** Server and TTL for the changes of one zone. */
interface Zone {
  readonly name: string;
  readonly server: NameServer;
  readonly ttl: number;
}

/** Sends the updates in order until one is applied; undefined when no update's prerequisites were met. */
async function firstAccepted(zone: Zone, updates: readonly Update[], signal: AbortSignal): Promise<Update | undefined> {
  for (const update of updates)
    if ((await zone.server.update(zone.name, update, signal)) === rcode.NOERROR) return update;
  return undefined;
}

/** Returns the owner of a name in words; undefined when it has none. */
async function holderOf(server: NameServer, name: string, signal: AbortSignal): Promise<string | undefined> {
  const marks = await server.lookup(ownerName(name), type.TXT, signal);
  return holderIn(marks.map(({ data }) => txtTextOf(data)));
}

/**
 * Creates or replaces the name, depending on the prerequisites. It does not read first, since an absence says nothing about a request in progress.
 */
async function publish(zone: Zone, change: DnsChange, { owner, former = [], signal }: ChangeContext): Promise<void> {
  const { name, records, types } = change;
  const publication = { name, records, owner, ttl: zone.ttl, types };
  const [create, replace] = [createUpdate(publication), replaceUpdate(publication)];
  const takeOver = former.map((uid) => replaceUpdate(publication, uid));
  const updates = [...(change.op === 'update' ? [replace, create] : [create, replace]), ...takeOver];
  if ((await firstAccepted(zone, updates, signal)) !== undefined) return;
  const holder = await holderOf(zone.server, change.name, signal);
  if (isOurs(holder, { owner, former }))
    throw new Error(`${change.name}: an earlier request of this workspace arrived meanwhile`);
  throw takenError(change.name, holder);
}

async function remove(
  zone: Zone,
  name: string,
  { owner, former = [], signal }: ChangeContext,
): Promise<string | undefined> {
  const removals = [owner, ...former].map((uid) => removeUpdate(name, uid));
  if ((await firstAccepted(zone, removals, signal)) !== undefined) return undefined;
  const holder = await holderOf(zone.server, name, signal);
  if (isOurs(holder, { owner, former }))
    throw new Error(`${name}: an earlier request of this workspace arrived meanwhile`);
  return holder === undefined ? undefined : leftAlone(name, holder);
}

/** Reads the records of one name and type; those behind a CNAME are excluded. */
async function recordsAt(
  server: NameServer,
  { zone, name, type: recordType }: DnsName & Pick<DnsRecord, 'type'>,
  signal: AbortSignal,
): Promise<readonly DnsRecord[]> {
  const found = await server.lookup(name, type[recordType], signal);
  return found
    .filter((record) => record.name.toLowerCase() === name)
    .map((record) => {
      const target = decodeData(record);
      return {
        zone,
        name,
        type: recordType,
        target: recordType === 'CNAME' ? target.toLowerCase() : target,
        ttl: record.ttl,
      };
    });
}

/** Reads the owner and each type with one query each. */
async function observeName(server: NameServer, place: DnsQuery, signal: AbortSignal): Promise<ObservedName> {
  const { zone, name, types } = place;
  const owner = await holderOf(server, name, signal);
  const records: DnsRecord[] = [];
  for (const one of types) records.push(...(await recordsAt(server, { zone, name, type: one }, signal)));
  return { zone, name, owner, records };
}

/**
 * Publishes the DNS records of a workspace in a zone of any name server that accepts dynamic updates (RFC 2136) signed with TSIG (RFC 8945).
 * Beside each name, a TXT record at `_op-owner.<name>` holds the workspace's uid; it is written, tested and removed in the same atomic update.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function rfc2136Dns(options: Rfc2136DnsOptions): Integration {
  const checked = checkedOptions(options);
  const server = nameServer(checked);
  const backend: DnsBackend = {
    target: checked.target,
    ttl: checked.ttl,
    refuses: (place) => zoneRefusal(place, checked.zone),
    apply: async (change, context) => {
      const refused = zoneRefusal(change, checked.zone);
      if (refused !== undefined) throw new DefiniteError(refused);
      const zone = { name: checked.zone ?? change.zone, server, ttl: checked.ttl };
      if (change.op === 'delete') return remove(zone, change.name, context);
      await publish(zone, change, context);
      return undefined;
    },
    observe: async (places, { signal }) => {
      const seen: ObservedName[] = [];
      for (const place of places) seen.push(await observeName(server, place, signal));
      return seen;
    },
  };
  return dnsIntegration({
    ...checked,
    name: 'rfc2136-dns',
    secrets: [options.key.secret],
    endpoints: [endpointAt(checked.server)],
    backend,
  });
}
