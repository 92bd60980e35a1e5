/** In-memory DNS provider, for tests and as the smallest integration. */

import { type Clock, DefiniteError, type Integration, refuseUnknown, systemClock } from '../../sdk/index.ts';
import { type DnsNameOptions, dnsNameRule } from '../dns/allowed-names.ts';
import type { DnsBackend } from '../dns/backend.ts';
import { dnsIntegration } from '../dns/integration.ts';
import { leftAlone } from '../dns/owners.ts';
import type { DnsChange, DnsRecord } from '../dns/records.ts';
import { DriftSchedule } from '../drift-schedule.ts';
import { optionChecks } from '../option-checks.ts';

/** Fault of the next change: refused; response lost before or after it was carried out; carried out `lateBy` ms after the response was lost. */
export type MemoryDnsFault = 'refused' | 'lost before' | 'lost after' | { readonly lateBy: number };

/** Record with the owner of its name. */
export interface OwnedRecord extends DnsRecord {
  readonly owner: string;
}

export interface MemoryDnsProviderOptions {
  /** Duration of each change in ms. @default 0 */
  readonly latency?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
}

/** Third party that stores DNS records in a Map; a name has one owner at a time, recorded in all its records. */
export interface MemoryDnsProvider extends Required<Pick<DnsBackend, 'apply' | 'observe'>> {
  /** Returns all published records, in the order of creation of the names. */
  records(): readonly OwnedRecord[];
  /** Returns all changes that were carried out, in order; a repeated one without effect is not listed. */
  changes(): readonly DnsChange[];
  /** Publishes records of another owner. */
  occupy(owner: string, records: readonly DnsRecord[]): void;
  /** Deletes a name, regardless of its owner. */
  erase(name: string): void;
  /** Fails the next change with this fault; several faults queue. */
  failNext(fault: MemoryDnsFault): void;
}

/** Creates an empty third party. */
export function createMemoryDnsProvider(options: MemoryDnsProviderOptions = {}): MemoryDnsProvider {
  refuseUnknown('createMemoryDnsProvider', options, ['latency', 'clock']);
  const { latency = 0, clock = systemClock } = options;
  const names = new Map<string, readonly OwnedRecord[]>();
  const carriedOut: DnsChange[] = [];
  const faults: MemoryDnsFault[] = [];

  const commit = (change: DnsChange, owner: string): void => {
    const { name, records, types } = change;
    const before = names.get(name) ?? [];
    const stays = before
      .filter(({ type }) => types !== undefined && !types.includes(type))
      .map((record) => ({ ...record, owner }));
    const after = [...records.map((record) => ({ ...record, owner })), ...stays];
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    if (after.length === 0) names.delete(name);
    else names.set(name, after);
    carriedOut.push(change);
  };
  const otherOwnerAt = (name: string, owners: readonly string[]): string | undefined =>
    names.get(name)?.find((record) => !owners.includes(record.owner))?.owner;

  return {
    records: () => [...names.values()].flat(),
    changes: () => [...carriedOut],
    occupy: (owner, records) => {
      for (const { name } of records)
        names.set(
          name,
          records.filter((record) => record.name === name).map((record) => ({ ...record, owner })),
        );
    },
    erase: (name) => void names.delete(name),
    failNext: (fault) => void faults.push(fault),
    async observe(places, { signal }) {
      if (latency > 0) await clock.sleep(latency, signal);
      return places.map(({ zone, name, types }) => {
        const existing = names.get(name) ?? [];
        const records = existing.filter(({ type }) => types.includes(type)).map(({ owner: _, ...record }) => record);
        return { zone, name, owner: existing[0]?.owner, records };
      });
    },
    async apply(change, { owner, former = [], signal }) {
      const owners = [owner, ...former];
      const fault = faults.shift();
      if (latency > 0) await clock.sleep(latency, signal);
      if (fault === 'refused') throw new DefiniteError(`${change.name}: refused`);
      const otherOwner = otherOwnerAt(change.name, owners);
      if (otherOwner !== undefined && change.op === 'delete') return leftAlone(change.name, otherOwner);
      if (otherOwner !== undefined) throw new DefiniteError(`${change.name} belongs to ${otherOwner}`);
      if (typeof fault === 'object')
        clock.after(fault.lateBy, () => otherOwnerAt(change.name, owners) ?? commit(change, owner));
      else if (fault !== 'lost before') commit(change, owner);
      if (fault !== undefined) throw new Error(`${change.name}: no answer`);
      return undefined;
    },
  };
}

export interface MemoryDnsOptions extends DnsNameOptions {
  /** Storage of the records. @default a new one */
  readonly provider?: MemoryDnsProvider;
  /** Target of the names of ingress rules: an address, or a name for a CNAME. @default '127.0.0.1' */
  readonly target?: string;
  /** Maximum interval in ms between two drift checks, shortened by up to a quarter. `Infinity`: never. @default 300 000 */
  readonly driftInterval?: number;
  /** Clock of the drift checks. @default the machine's clock */
  readonly clock?: Clock;
  /** Jitter of the drift checks. @default Math.random */
  readonly random?: () => number;
}

/** Stores the DNS records of a workspace in a Map: for experiments, and as the smallest complete integration. */
export function memoryDns(options: MemoryDnsOptions = {}): Integration {
  refuseUnknown('memoryDns', options, ['provider', 'names', 'wildcards', 'target', 'driftInterval', 'clock', 'random']);
  const allows = dnsNameRule('memoryDns', options);
  const { provider = createMemoryDnsProvider(), target = '127.0.0.1', driftInterval, clock = systemClock } = options;
  const { functions, text } = optionChecks('memoryDns');
  functions('provider', provider, ['apply', 'observe']);
  text('target', target, { pattern: /^\S{1,253}$/, expected: 'an address, or a name for a CNAME' });
  const backend: DnsBackend = { target, apply: provider.apply, observe: provider.observe };
  const driftSchedule = new DriftSchedule({ name: 'memoryDns', driftInterval, clock, random: options.random });
  return dnsIntegration({ name: 'memory-dns', endpoints: [], backend, allows, driftSchedule });
}
