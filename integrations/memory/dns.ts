import {
  type Clock,
  DefiniteError,
  defineIntegration,
  type Integration,
  refuseUnknown,
  systemClock,
} from '../../sdk/index.ts';
import { type DnsNameOptions, dnsNameRule } from '../dns-names.ts';
import { type DnsKeeper, dnsProvider, wantsDns } from '../dns-provider.ts';
import type { DnsChange, DnsRecord } from '../dns-records.ts';
import { Looks } from '../looks.ts';

/** What happens to the next change instead of success: refused; answer lost before or after it was carried out; carried out only `lateBy` ms after the answer was lost. */
export type MemoryDnsFault = 'refused' | 'lost before' | 'lost after' | { readonly lateBy: number };

/** A record and the mark of who owns its name. */
export interface OwnedRecord extends DnsRecord {
  readonly owner: string;
}

export interface MemoryDnsProviderOptions {
  /** ms each change takes. @default 0 */
  readonly latency?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
}

/** A third party that keeps DNS records in a Map; a name has one owner at a time, whose mark all its records carry. */
export interface MemoryDnsProvider extends Required<Pick<DnsKeeper, 'apply' | 'look'>> {
  /** Everything published now, in the order of creation of the names. */
  records(): readonly OwnedRecord[];
  /** Every change that was carried out, in order; asked for again without effect, it is not listed again. */
  changes(): readonly DnsChange[];
  /** Publishes records that belong to somebody else. */
  occupy(owner: string, records: readonly DnsRecord[]): void;
  /** Takes a name away, whosever it is. */
  erase(name: string): void;
  /** Makes the next change fail that way; several wait in line. */
  failNext(fault: MemoryDnsFault): void;
}

/** Makes an empty third party. */
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
  const strangerAt = (name: string, owners: readonly string[]): string | undefined =>
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
    async look(places, { signal }) {
      if (latency > 0) await clock.sleep(latency, signal);
      return places.map(({ zone, name, types }) => {
        const there = names.get(name) ?? [];
        const records = there.filter(({ type }) => types.includes(type)).map(({ owner: _, ...record }) => record);
        return { zone, name, owner: there[0]?.owner, records };
      });
    },
    async apply(change, { owner, former = [], signal }) {
      const owners = [owner, ...former];
      const fault = faults.shift();
      if (latency > 0) await clock.sleep(latency, signal);
      if (fault === 'refused') throw new DefiniteError(`${change.name}: refused`);
      const stranger = strangerAt(change.name, owners);
      if (stranger !== undefined && change.op === 'delete')
        return `${change.name} belongs to ${stranger} and was left alone`;
      if (stranger !== undefined) throw new DefiniteError(`${change.name} belongs to ${stranger}`);
      if (typeof fault === 'object')
        clock.after(fault.lateBy, () => strangerAt(change.name, owners) ?? commit(change, owner));
      else if (fault !== 'lost before') commit(change, owner);
      if (fault !== undefined) throw new Error(`${change.name}: no answer`);
      return undefined;
    },
  };
}

export interface MemoryDnsOptions extends DnsNameOptions {
  /** Where the records are kept. @default one of its own */
  readonly provider?: MemoryDnsProvider;
  /** What the names of ingress rules point to: an address, or a name for an alias. @default '127.0.0.1' */
  readonly target?: string;
  /** ms between two looks at what somebody may have changed there, at most: each comes up to a quarter earlier. `Infinity`: never. @default 300 000 */
  readonly driftInterval?: number;
  /** Times the looks. @default the machine's clock */
  readonly clock?: Clock;
  /** Spreads the looks. @default Math.random */
  readonly random?: () => number;
}

/** Keeps the DNS records that a workspace asks for in a Map: for trying things out, and the smallest whole integration there is. */
export function memoryDns(options: MemoryDnsOptions = {}): Integration {
  refuseUnknown('memoryDns', options, ['provider', 'names', 'wildcards', 'target', 'driftInterval', 'clock', 'random']);
  const allows = dnsNameRule('memoryDns', options);
  const { provider = createMemoryDnsProvider(), target = '127.0.0.1', driftInterval, clock = systemClock } = options;
  const keeper: DnsKeeper = { target, apply: provider.apply, look: provider.look };
  const looks = new Looks({ name: 'memoryDns', driftInterval, clock, random: options.random });
  return defineIntegration({
    name: 'memory-dns',
    condition: 'DNS',
    after: ['Components', 'Tunneling', 'Ingress'],
    handles: wantsDns,
    connect: ({ controller }) => dnsProvider(controller, { keeper, allows, looks }),
  });
}
