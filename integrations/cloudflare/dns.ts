/** DNS integration at Cloudflare. */

import type { Integration } from '../../sdk/index.ts';
import type { ChangeContext, DnsBackend } from '../dns/backend.ts';
import type { ObservedName } from '../dns/drift.ts';
import { exclusiveChanges } from '../dns/exclusive-changes.ts';
import { dnsIntegration } from '../dns/integration.ts';
import { isOurs, leftAlone, takenError } from '../dns/owners.ts';
import { parseDnsRecords } from '../dns/parse-records.ts';
import type { DnsChange, DnsRecord } from '../dns/records.ts';
import { type CloudflareDnsOptions, checkedCloudflareOptions } from './options.ts';
import {
  type CloudflareRecord,
  isEmptyBatch,
  isTunnelName,
  nameHolderOf,
  recordsOwnedBy,
  removalBatch,
  replacementBatch,
  visibleOf,
} from './records.ts';
import { type CloudflareZone, cloudflareZone } from './zone.ts';

export type { CloudflareDnsOptions } from './options.ts';

const uidsOf = ({ owner, former = [] }: ChangeContext): readonly string[] => [owner, ...former];

/** Deletes own records of a name that another party owns, after a lost race. @throws DefiniteError always, naming the owner */
async function giveUp(
  zone: CloudflareZone,
  present: readonly CloudflareRecord[],
  { name, context }: { readonly name: string; readonly context: ChangeContext },
): Promise<never> {
  const batch = removalBatch(recordsOwnedBy(present, uidsOf(context)));
  if (!isEmptyBatch(batch)) await zone.change(batch, context.signal);
  throw takenError(name, nameHolderOf(present));
}

/**
 * Publishes a name that is free or owned, and reads it again: of two workspaces that created a name concurrently, the one with the younger records gives up.
 */
async function publish(
  zone: CloudflareZone,
  ttl: number,
  { change, context }: { readonly change: DnsChange; readonly context: ChangeContext },
): Promise<void> {
  const { name, records, types } = change;
  const { owner, former = [], signal } = context;
  const isHeldByOther = (present: readonly CloudflareRecord[]): boolean => {
    const holder = nameHolderOf(present);
    return holder === undefined ? present.length > 0 : !isOurs(holder, context);
  };
  const before = await zone.recordsAt(name, signal);
  if (isHeldByOther(before)) await giveUp(zone, before, { name, context });
  const batch = replacementBatch({ records, owner, former, ttl, types, present: before });
  if (isEmptyBatch(batch)) return;
  await zone.change(batch, signal);
  const after = await zone.recordsAt(name, signal);
  if (nameHolderOf(after) !== undefined && isHeldByOther(after)) await giveUp(zone, after, { name, context });
}

/** Omits the TTL of the name of a tunnel, which the proxy sets. */
function withoutTunnelTtl(record: DnsRecord): DnsRecord {
  const { ttl: _, ...rest } = record;
  return isTunnelName(record.type, record.target) ? rest : record;
}

async function remove(zone: CloudflareZone, name: string, context: ChangeContext): Promise<string | undefined> {
  const present = await zone.recordsAt(name, context.signal);
  const batch = removalBatch(recordsOwnedBy(present, uidsOf(context)));
  if (!isEmptyBatch(batch)) await zone.change(batch, context.signal);
  const holder = nameHolderOf(present);
  return holder === undefined || isOurs(holder, context) ? undefined : leftAlone(name, holder);
}

/**
 * Publishes the DNS records of a workspace in one zone at Cloudflare, as DNS only (not proxied) except names of tunnels. The comment of each record holds
 * the workspace's uid. The changes of a name are one transaction.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function cloudflareDns(options: CloudflareDnsOptions): Integration {
  const checked = checkedCloudflareOptions(options);
  const { target, ttl, token } = checked;
  const zone = cloudflareZone(checked);
  const backend: DnsBackend = {
    target,
    ttl,
    ...exclusiveChanges(checked.zone, {
      publish: (change, context) => publish(zone, ttl, { change, context }),
      remove: ({ name }, context) => remove(zone, name, context),
    }),
    observe: async (places, { signal }) => {
      const seen: ObservedName[] = [];
      for (const { zone: at, name, types } of places) {
        const present = await zone.recordsAt(name, signal);
        const records = parseDnsRecords(at, visibleOf(present), types).map(withoutTunnelTtl);
        seen.push({ zone: at, name, owner: nameHolderOf(present), records });
      }
      return seen;
    },
  };
  // 1200 requests in five minutes are allowed, for all tokens of a user together: a change makes three of them.
  const limits = { rate: 1, burst: 20 };
  return dnsIntegration({
    ...checked,
    name: 'cloudflare-dns',
    secrets: [token],
    limits,
    endpoints: [checked.url],
    backend,
  });
}
