/** RRsets as the API of PowerDNS writes them, and the changes of them that respect the owner of a name. */

import { ownerMark, ownerNameWithoutStar } from '../dns/owners.ts';
import { parseDnsRecords } from '../dns/parse-records.ts';
import type { DnsRecord, OwnedRecords } from '../dns/records.ts';
import { textOfTxtContent, txtContentOf } from '../dns/txt-content.ts';

/** All records of one name and type. */
export interface Rrset {
  /** Full name in lower case, without a trailing dot. */
  readonly name: string;
  readonly type: string;
  /** TTL in seconds. */
  readonly ttl: number;
  /** Data in presentation format, without those of disabled records. */
  readonly contents: readonly string[];
}

/** Comment of an RRset, for people. */
export interface RrsetComment {
  readonly content: string;
  readonly account: string;
}

/** Change of one RRset in the format of the API; the changes of a request are atomic. */
export type RrsetChange = { readonly name: string; readonly type: string } & (
  | { readonly changetype: 'DELETE' }
  | {
      readonly changetype: 'REPLACE';
      readonly ttl: number;
      readonly records: readonly { readonly content: string; readonly disabled: false }[];
      readonly comments?: readonly RrsetComment[];
    }
);

const contentOf = ({ type, target }: DnsRecord): string => {
  if (type === 'TXT') return txtContentOf(target);
  return type === 'CNAME' ? `${target}.` : target;
};

/** Returns the records of these RRsets, those of the requested types only. */
export const recordsOf = (
  zone: string,
  rrsets: readonly Rrset[],
  types?: readonly DnsRecord['type'][],
): readonly DnsRecord[] =>
  parseDnsRecords(
    zone,
    rrsets.flatMap(({ contents, ...rrset }) => contents.map((content) => ({ ...rrset, content }))),
    types,
  );

/** Returns the texts of the TXT records in these RRsets. */
export const textsOf = (rrsets: readonly Rrset[]): readonly string[] =>
  rrsets
    .filter(({ type }) => type === 'TXT')
    .flatMap(({ contents }) => contents.map((content) => textOfTxtContent(content)));

/** Desired records of one name, its owner and its present RRsets. */
export interface Replacement extends OwnedRecords {
  readonly name: string;
  readonly present: readonly Rrset[];
  /** Comment of each RRset. @default existing comments are kept */
  readonly comment?: RrsetComment | undefined;
}

const removed = ({ name, type }: Pick<Rrset, 'name' | 'type'>): RrsetChange => ({
  name: `${name}.`,
  type,
  changetype: 'DELETE',
});

/** Replaces one RRset. It has one TTL: the shortest of its records, as RFC 2181, 5.2 advises. */
const replaced = (records: readonly DnsRecord[], { ttl, comment }: Replacement): RrsetChange => ({
  name: `${records[0]!.name}.`,
  type: records[0]!.type,
  changetype: 'REPLACE',
  ttl: Math.min(...records.map((record) => record.ttl ?? ttl)),
  records: records.map((record) => ({ content: contentOf(record), disabled: false })),
  ...(comment && { comments: [comment] }),
});

/** Publishes the records of a name with the mark of its owner. Deletions come first, since a CNAME is refused beside other RRsets. */
export function replaceChanges(replacement: Replacement): readonly RrsetChange[] {
  const { name, records, owner, types, present } = replacement;
  const wanted = Map.groupBy(records, ({ type }) => type as string);
  const goes = ({ type }: Rrset): boolean =>
    !wanted.has(type) && (types === undefined || types.some((one) => one === type));
  const zone = records[0]?.zone ?? '';
  const mark: DnsRecord = { zone, name: ownerNameWithoutStar(name), type: 'TXT', target: ownerMark(owner) };
  return [
    ...present.filter(goes).map(removed),
    ...[...wanted.values(), [mark]].map((rrset) => replaced(rrset, replacement)),
  ];
}

/** Deletes all RRsets of a name, and the mark of its owner. */
export const removeChanges = (name: string, present: readonly Rrset[]): readonly RrsetChange[] =>
  [...present, { name: ownerNameWithoutStar(name), type: 'TXT' }].map(removed);
