import { type Clock, DefiniteError, defineIntegration, type Integration, systemClock } from '../../sdk/index.ts';
import { type DnsKeeper, dnsProvider, wantsDns } from '../dns-provider.ts';
import type { DnsChange, DnsRecord } from '../dns-records.ts';
import { refuseUnknown } from '../options.ts';

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
export interface MemoryDnsProvider extends Pick<DnsKeeper, 'apply'> {
  /** Everything published now, in the order of creation of the names. */
  records(): readonly OwnedRecord[];
  /** Every change that was carried out, in order; asked for again without effect, it is not listed again. */
  changes(): readonly DnsChange[];
  /** Publishes records that belong to somebody else. */
  occupy(owner: string, records: readonly DnsRecord[]): void;
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
    const { name, records } = change;
    const before = names.get(name) ?? [];
    const after = records.map((record) => ({ ...record, owner }));
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    if (after.length === 0) names.delete(name);
    else names.set(name, after);
    carriedOut.push(change);
  };
  const strangerAt = (name: string, owner: string): string | undefined =>
    names.get(name)?.find((record) => record.owner !== owner)?.owner;

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
    failNext: (fault) => void faults.push(fault),
    async apply(change, { owner, signal }) {
      const fault = faults.shift();
      if (latency > 0) await clock.sleep(latency, signal);
      if (fault === 'refused') throw new DefiniteError(`${change.name}: refused`);
      const stranger = strangerAt(change.name, owner);
      if (stranger !== undefined && change.op === 'delete')
        return `${change.name} belongs to ${stranger} and was left alone`;
      if (stranger !== undefined) throw new DefiniteError(`${change.name} belongs to ${stranger}`);
      if (typeof fault === 'object')
        clock.after(fault.lateBy, () => strangerAt(change.name, owner) ?? commit(change, owner));
      else if (fault !== 'lost before') commit(change, owner);
      if (fault !== undefined) throw new Error(`${change.name}: no answer`);
      return undefined;
    },
  };
}

export interface MemoryDnsOptions {
  /** Where the records are kept. @default one of its own */
  readonly provider?: MemoryDnsProvider;
  /** What the names of ingress rules point to: an address, or a name for an alias. @default '127.0.0.1' */
  readonly target?: string;
}

/** Keeps the DNS records that a workspace asks for in a Map: for trying things out, and the smallest whole integration there is. */
export function memoryDns(options: MemoryDnsOptions = {}): Integration {
  refuseUnknown('memoryDns', options, ['provider', 'target']);
  const { provider = createMemoryDnsProvider(), target = '127.0.0.1' } = options;
  return defineIntegration({
    name: 'memory-dns',
    condition: 'DNS',
    after: ['Components', 'Tunneling', 'Ingress'],
    handles: wantsDns,
    connect: ({ controller }) => dnsProvider(controller, { target, apply: provider.apply }),
  });
}
