/** Records of Cloudflare, their owners, and the changes of them. */

import { markedOwner, ownerMark } from '../dns/owners.ts';
import { type DnsRecord, type OwnedRecords, withoutDot } from '../dns/records.ts';
import { textOfTxtContent, txtContentOf } from '../dns/txt-content.ts';

/** Record returned by the API. */
export interface CloudflareRecord {
  readonly id: string;
  /** Full name in lower case, without a trailing dot. */
  readonly name: string;
  readonly type: string;
  readonly content: string;
  /** TTL in seconds; 1 means automatic. */
  readonly ttl: number;
  readonly proxied: boolean;
  /** Comment, with the mark of the owner; empty without one. */
  readonly comment: string;
  /** Wall clock of its creation in ms. */
  readonly createdOn: number;
}

/** Record sent to the API. */
export interface RecordFields {
  readonly name: string;
  readonly type: DnsRecord['type'];
  readonly content: string;
  readonly ttl: number;
  readonly comment: string;
  /** Sent for types that can be proxied: true for names of tunnels, which answer by the proxy only. */
  readonly proxied?: boolean;
}

/** Changes that are carried out in one transaction, in this order. */
export interface RecordBatch {
  readonly deletes: readonly { readonly id: string }[];
  readonly puts: readonly (RecordFields & { readonly id: string })[];
  readonly posts: readonly RecordFields[];
}

/** Returns the owner of a name, by its oldest record with a mark; undefined without marks. */
export function nameHolderOf(present: readonly CloudflareRecord[]): string | undefined {
  const marked = present.filter(({ comment }) => markedOwner(comment) !== undefined);
  const [oldest] = marked.toSorted((a, b) => a.createdOn - b.createdOn || (a.id < b.id ? -1 : 1));
  return oldest && markedOwner(oldest.comment);
}

/** Reports whether a record points to a tunnel. */
export const isTunnelName = (type: string, target: string): boolean =>
  type === 'CNAME' && withoutDot(target).endsWith('.cfargotunnel.com');

/**
 * Returns the records of the holder of a name, and those without a mark: what others published in a lost race is about to go. The name of a tunnel counts
 * while it is proxied.
 */
export function visibleOf(present: readonly CloudflareRecord[]): readonly CloudflareRecord[] {
  const holder = nameHolderOf(present);
  return present.filter(
    ({ comment, type, content, proxied }) =>
      [undefined, holder].includes(markedOwner(comment)) && (proxied || !isTunnelName(type, content)),
  );
}

/** Returns the records that bear the mark of one of these uids. */
export const recordsOwnedBy = (
  present: readonly CloudflareRecord[],
  uids: readonly string[],
): readonly CloudflareRecord[] =>
  present.filter(({ comment }) => {
    const owner = markedOwner(comment);
    return owner !== undefined && uids.includes(owner);
  });

const fieldsOf = ({ name, type, target, ttl }: DnsRecord, owner: string, usualTtl: number): RecordFields => ({
  name,
  type,
  content: type === 'TXT' ? txtContentOf(target) : target,
  ttl: isTunnelName(type, target) ? 1 : (ttl ?? usualTtl),
  comment: ownerMark(owner),
  ...(type !== 'TXT' && { proxied: isTunnelName(type, target) }),
});

/** Normalizes a content: IPv6 addresses have several spellings, and a text may be quoted or not. */
function normalized(type: string, content: string): string {
  if (type === 'AAAA') return URL.canParse(`http://[${content}]`) ? new URL(`http://[${content}]`).hostname : content;
  return type === 'TXT' ? textOfTxtContent(content) : withoutDot(content);
}

/** Type and content, of a wanted or a present record. */
type RecordKey = Pick<RecordFields, 'content'> & { readonly type: string };

const keyOf = ({ type, content }: RecordKey): string => `${type} ${normalized(type, content)}`;

const isAsWanted = (record: CloudflareRecord, { ttl, comment, proxied = false }: RecordFields): boolean =>
  record.ttl === ttl && record.comment === comment && record.proxied === proxied;

/** Pairs each desired record with an unpaired existing one of the same key, if any. */
function paired(
  wanted: readonly RecordFields[],
  present: readonly CloudflareRecord[],
  key: (one: RecordKey) => string,
): ReadonlyMap<RecordFields, CloudflareRecord> {
  const spare = Map.groupBy(present.toReversed(), key);
  const pairs = wanted.map((fields) => [fields, spare.get(key(fields))?.pop()] as const);
  return new Map(pairs.flatMap(([fields, record]) => (record === undefined ? [] : [[fields, record] as const])));
}

/** Returns the types that cannot stand beside these: a CNAME excludes addresses, and the other way round. */
const excludedBy = (wanted: readonly RecordFields[]): readonly string[] =>
  wanted.flatMap(({ type }) => ({ A: ['CNAME'], AAAA: ['CNAME'], CNAME: ['A', 'AAAA', 'CNAME'], TXT: [] })[type]);

/** Desired records of one name that is free or owned, and its present ones. */
export interface RecordReplacement extends OwnedRecords {
  readonly former: readonly string[];
  /** Types whose records without a mark are deleted. @default the types that cannot coexist with the desired ones */
  readonly types?: readonly DnsRecord['type'][] | undefined;
  readonly present: readonly CloudflareRecord[];
}

/**
 * Computes the changes of one name. A record of ours that has a wanted value is kept, another one of a wanted type is overwritten, so that it keeps
 * its id and its age; what is left over is deleted. Of several with one value the oldest stays. Records with the mark of another workspace are left
 * alone. Pure.
 */
export function replacementBatch({ records, owner, former, ttl, types, present }: RecordReplacement): RecordBatch {
  const wanted = records.map((record) => fieldsOf(record, owner, ttl));
  const ours = recordsOwnedBy(present, [owner, ...former]).toSorted((a, b) => a.createdOn - b.createdOn);
  const unmarked = present.filter(({ comment }) => markedOwner(comment) === undefined);
  const kept = paired(wanted, ours, keyOf);
  const keeps = new Set(kept.values());
  const open = wanted.filter((fields) => !kept.has(fields));
  const overwritten = paired(
    open,
    ours.filter((record) => !keeps.has(record)),
    ({ type }) => type,
  );
  const overwrites = new Set(overwritten.values());
  const left = ours.filter((record) => !keeps.has(record) && !overwrites.has(record));
  const replaced = new Set<string>(types ?? excludedBy(wanted));
  const goes = unmarked.filter(({ type }) => replaced.has(type));
  return {
    deletes: [...left, ...goes].map(({ id }) => ({ id })),
    puts: [...[...kept].filter(([fields, record]) => !isAsWanted(record, fields)), ...overwritten].map(
      ([fields, { id }]) => ({ ...fields, id }),
    ),
    posts: open.filter((fields) => !overwritten.has(fields)),
  };
}

/** Deletes these records. */
export const removalBatch = (records: readonly CloudflareRecord[]): RecordBatch => ({
  deletes: records.map(({ id }) => ({ id })),
  puts: [],
  posts: [],
});

/** Reports whether a batch changes nothing. */
export const isEmptyBatch = ({ deletes, puts, posts }: RecordBatch): boolean =>
  deletes.length + puts.length + posts.length === 0;
