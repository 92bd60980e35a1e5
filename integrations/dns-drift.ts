import type { DnsChange, DnsName, DnsRecord } from './dns-records.ts';

/** A name, and the types of records to look at there. */
export interface DnsPlace extends DnsName {
  readonly types: readonly DnsRecord['type'][];
}

/** What a look has found at one name. */
export interface SeenName extends DnsName {
  /** Who the mark of the name names: ours when it is the workspace's uid, undefined when there is none. */
  readonly owner: string | undefined;
  /** What is there of the types that were asked for. */
  readonly records: readonly DnsRecord[];
}

/** What is to be compared. */
export interface DnsSight {
  /** The records that the names shall have. */
  readonly wanted: readonly DnsRecord[];
  readonly seen: readonly SeenName[];
  /** The workspace's uid. */
  readonly owner: string;
  /** Earlier uids of the workspace. @default none */
  readonly former?: readonly string[];
  /** Seconds, for records that say nothing else; undefined where the third party has no such thing. */
  readonly ttl: number | undefined;
}

/** One name that is not as wanted: why, and what would put it right. */
export interface DnsDrift {
  readonly change: DnsChange;
  /** `A 192.0.2.1 is missing, A 192.0.2.9 was added`. */
  readonly why: string;
  /** Nothing is missing: putting it right only takes away. */
  readonly onlyMore: boolean;
}

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** The names of these records, each with the types that are to be looked at. */
export const placesOf = (records: readonly DnsRecord[]): readonly DnsPlace[] =>
  [...Map.groupBy(records, ({ name }) => name)].map(([name, there]) => ({
    zone: there[0]!.zone,
    name,
    types: distinct(there.map(({ type }) => type)),
  }));

/** Addresses have several spellings. */
const canonical = ({ type, target }: DnsRecord): string =>
  type === 'AAAA' ? new URL(`http://[${target}]`).hostname : target;

/** Tells one record of a name from another. */
const identityOf = (record: DnsRecord): string => `${record.type} ${canonical(record)}`;

/** Those of `some` that are not among `others`. */
function without(some: readonly DnsRecord[], others: readonly DnsRecord[]): readonly DnsRecord[] {
  const known = new Set(others.map(identityOf));
  return some.filter((record) => !known.has(identityOf(record)));
}

const text = ({ type, target }: DnsRecord): string =>
  `${type} ${target.length > 60 ? `${target.slice(0, 59)}…` : target}`;

/** All records of one name and type live equally long, whichever of their wishes the third party has heeded. */
function wrongTtl(wanted: readonly DnsRecord[], seen: readonly DnsRecord[], ttl: number | undefined): string[] {
  const keeps = (record: DnsRecord): number | undefined => record.ttl ?? ttl;
  const right = new Set(wanted.map((record) => `${record.type} ${keeps(record)}`));
  const wrong = seen.filter((record) => !right.has(`${record.type} ${keeps(record)}`));
  return wrong.map((record) => `${text(record)} has a TTL of ${keeps(record)} s`);
}

/** A CNAME stands alone: where one is wanted everything else goes, and where none is wanted it does. Other types are left as they are. */
const replacedBy = (wanted: readonly DnsRecord[]): Pick<DnsChange, 'types'> =>
  wanted.some(({ type }) => type === 'CNAME') ? {} : { types: distinct([...wanted.map(({ type }) => type), 'CNAME']) };

function driftAt(
  place: SeenName,
  records: readonly DnsRecord[],
  { owner, former = [], ttl }: Pick<DnsSight, 'owner' | 'former' | 'ttl'>,
): DnsDrift | undefined {
  const { zone, name, records: there } = place;
  const drift = (op: DnsChange['op'], why: string, onlyMore: boolean): DnsDrift => ({
    change: { op, zone, name, records, ...(op === 'update' && replacedBy(records)) },
    why,
    onlyMore,
  });
  const isFormer = place.owner !== undefined && former.includes(place.owner);
  if (records.length === 0)
    return place.owner === owner || isFormer ? drift('delete', 'it is not wanted', true) : undefined;
  if (place.owner === undefined)
    return drift('create', there.length === 0 ? 'it is not there' : 'it bears no mark of ours', false);
  if (isFormer) return drift('update', 'it bears the mark of an earlier uid of the workspace', false);
  if (place.owner !== owner) return drift('create', `it belongs to ${place.owner}`, false);
  const missing = without(records, there);
  const more = without(there, records);
  const same = without(there, more);
  const why = [
    ...missing.map((record) => `${text(record)} is missing`),
    ...more.map((record) => `${text(record)} was added`),
    ...wrongTtl(records, same, ttl),
  ];
  if (why.length === 0) return undefined;
  return drift('update', why.join(', '), missing.length === 0 && why.length === more.length);
}

/**
 * What differs between what is wanted and what was seen, name by name, and what would put it right. Pure. A name that bears another's mark, or none
 * while something stands there, is told too: only the third party can say whether it may be taken, and refuses as long as it may not.
 */
export function dnsDrift(sight: DnsSight): readonly DnsDrift[] {
  const wanted = Map.groupBy(sight.wanted, ({ name }) => name);
  return sight.seen
    .map((place) => driftAt(place, wanted.get(place.name) ?? [], sight))
    .filter((drift) => drift !== undefined);
}
