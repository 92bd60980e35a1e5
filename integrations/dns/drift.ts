/** Compares published DNS records with the desired ones. */

import type { DnsChange, DnsName, DnsRecord } from './records.ts';

/** Name with the record types to look up. */
export interface DnsQuery extends DnsName {
  readonly types: readonly DnsRecord['type'][];
}

/** Published state of one name. */
export interface ObservedName extends DnsName {
  /** Uid in the name's ownership record; undefined without one. */
  readonly owner: string | undefined;
  /** Records of the requested types. */
  readonly records: readonly DnsRecord[];
}

/** Desired and observed state to compare. */
export interface DnsComparison {
  /** Desired records of the names. */
  readonly wanted: readonly DnsRecord[];
  readonly observed: readonly ObservedName[];
  /** Uid of the workspace. */
  readonly owner: string;
  /** Earlier uids of the workspace. @default none */
  readonly former?: readonly string[];
  /** TTL in seconds of records without one; undefined if the third party has no TTLs. */
  readonly ttl: number | undefined;
}

/** Name that differs from its desired state, with the difference and the change that corrects it. */
export interface DnsDrift {
  readonly change: DnsChange;
  /** Description of the difference, such as `A 192.0.2.1 is missing, A 192.0.2.9 was added`. */
  readonly why: string;
  /** True when the correction only removes records. */
  readonly onlyMore: boolean;
}

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** Returns the names of these records, each with the types to look up. */
export const dnsQueriesOf = (records: readonly DnsRecord[]): readonly DnsQuery[] =>
  [...Map.groupBy(records, ({ name }) => name)].map(([name, there]) => ({
    zone: there[0]!.zone,
    name,
    types: distinct(there.map(({ type }) => type)),
  }));

/** Normalizes a record's target: IPv6 addresses have several spellings. */
const canonical = ({ type, target }: DnsRecord): string =>
  type === 'AAAA' ? new URL(`http://[${target}]`).hostname : target;

/** Returns the key of a record within its name. */
const identityOf = (record: DnsRecord): string => `${record.type} ${canonical(record)}`;

/** Returns the records of `some` that are not among `others`. */
function without(some: readonly DnsRecord[], others: readonly DnsRecord[]): readonly DnsRecord[] {
  const known = new Set(others.map(identityOf));
  return some.filter((record) => !known.has(identityOf(record)));
}

const text = ({ type, target }: DnsRecord): string =>
  `${type} ${target.length > 60 ? `${target.slice(0, 59)}…` : target}`;

/** Describes records with a wrong TTL. A third party keeps one TTL for all records of a name and type, so any of their desired ones is right. */
function wrongTtl(wanted: readonly DnsRecord[], seen: readonly DnsRecord[], ttl: number | undefined): string[] {
  const effectiveTtl = (record: DnsRecord): number | undefined => record.ttl ?? ttl;
  const desired = new Set(wanted.map((record) => `${record.type} ${effectiveTtl(record)}`));
  const wrong = seen.filter((record) => !desired.has(`${record.type} ${effectiveTtl(record)}`));
  return wrong.map((record) => `${text(record)} has a TTL of ${effectiveTtl(record)} s`);
}

/** Returns the types that a change replaces. A CNAME excludes all other records of its name; other types are not touched. */
const replacedTypes = (wanted: readonly DnsRecord[]): Pick<DnsChange, 'types'> =>
  wanted.some(({ type }) => type === 'CNAME') ? {} : { types: distinct([...wanted.map(({ type }) => type), 'CNAME']) };

/** Describes the records that are missing, those that were added, and those with a wrong TTL. */
function differences(wanted: readonly DnsRecord[], seen: readonly DnsRecord[], ttl: number | undefined) {
  const added = without(seen, wanted);
  return {
    missing: without(wanted, seen).map((record) => `${text(record)} is missing`),
    more: added.map((record) => `${text(record)} was added`),
    wrong: wrongTtl(wanted, without(seen, added), ttl),
  };
}

function driftAt(
  place: ObservedName,
  records: readonly DnsRecord[],
  { owner, former = [], ttl }: Pick<DnsComparison, 'owner' | 'former' | 'ttl'>,
): DnsDrift | undefined {
  const { zone, name, records: there } = place;
  const drift = (op: DnsChange['op'], why: string, onlyMore: boolean): DnsDrift => ({
    change: { op, zone, name, records, ...(op === 'update' && replacedTypes(records)) },
    why,
    onlyMore,
  });
  const isFormer = place.owner !== undefined && former.includes(place.owner);
  if (records.length === 0)
    return place.owner === owner || isFormer ? drift('delete', 'it is not wanted', true) : undefined;
  if (place.owner === undefined)
    return drift('create', there.length === 0 ? 'it is not there' : 'it bears no mark of ours', false);
  if (isFormer) return drift('update', 'it has the mark of an earlier uid of the workspace', false);
  if (place.owner !== owner) return drift('create', `it belongs to ${place.owner}`, false);
  const { missing, more, wrong } = differences(records, there, ttl);
  const why = [...missing, ...more, ...wrong];
  return why.length === 0 ? undefined : drift('update', why.join(', '), why.length === more.length);
}

/**
 * Computes, name by name, the differences between desired and published records and the changes that correct them. Pure. A name owned by another
 * party, or one with records but without an owner, is included too: only the third party can decide whether it may be taken, and refuses if not.
 */
export function dnsDrift(comparison: DnsComparison): readonly DnsDrift[] {
  const wanted = Map.groupBy(comparison.wanted, ({ name }) => name);
  return comparison.observed
    .map((place) => driftAt(place, wanted.get(place.name) ?? [], comparison))
    .filter((drift) => drift !== undefined);
}
