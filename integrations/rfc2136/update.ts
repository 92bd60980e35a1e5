import { ownerLabel } from '../dns-names.ts';
import type { DnsRecord } from '../dns-records.ts';
import { encodeData } from './record-data.ts';
import { cls, type ResourceRecord, type } from './wire.ts';

/** One atomic update: carried out whole if every prerequisite holds, else not at all. */
export interface Update {
  readonly prerequisites: readonly ResourceRecord[];
  readonly changes: readonly ResourceRecord[];
}

const nothing = Buffer.alloc(0);

/** Prerequisite: no record of any type has this name; else YXDOMAIN. */
export const nameNotInUse = (name: string): ResourceRecord => ({
  name,
  type: type.ANY,
  class: cls.NONE,
  ttl: 0,
  data: nothing,
});

/** Prerequisite: the name has exactly this one text; else NXRRSET. */
export const textIs = (name: string, text: string): ResourceRecord => ({
  name,
  type: type.TXT,
  class: cls.IN,
  ttl: 0,
  data: encodeData('TXT', text),
});

/** Change: every record of this name goes. */
export const deleteName = (name: string): ResourceRecord => ({
  name,
  type: type.ANY,
  class: cls.ANY,
  ttl: 0,
  data: nothing,
});

/** Change: every record of this name and type goes. */
export const deleteType = (name: string, recordType: DnsRecord['type']): ResourceRecord => ({
  ...deleteName(name),
  type: type[recordType],
});

/** Change: one record more. @throws WireError for a target that its type cannot hold */
export const addRecord = (record: Omit<DnsRecord, 'zone'>, ttl: number): ResourceRecord => ({
  name: record.name,
  type: type[record.type],
  class: cls.IN,
  ttl: record.ttl ?? ttl,
  data: encodeData(record.type, record.target),
});

/** Where the mark of a name's owner is kept: a name of its own, since nothing may stand beside a CNAME, and so that texts at the name stay what was asked for. */
export const ownerName = (name: string): string => `${ownerLabel}.${name}`;

const ownerPrefix = 'heritage=workspace-sequencer,';

/** The mark of an owner (a workspace's uid), as a text. */
export const ownerMark = (owner: string): string => `${ownerPrefix}owner=${owner},condition=DNS`;

/** The owner that a mark names; undefined for any other text. */
export const markedOwner = (text: string): string | undefined =>
  text.startsWith(ownerPrefix) ? /(?:^|,)owner=([^,]+)/.exec(text)?.[1] : undefined;

/** What makes one name ours. */
export interface Publication {
  readonly name: string;
  readonly records: readonly DnsRecord[];
  readonly owner: string;
  /** Seconds, for records that say nothing else. */
  readonly ttl: number;
  /** Of which types a replacement takes others away. @default of all */
  readonly types?: readonly DnsRecord['type'][] | undefined;
}

const adds = ({ name, records, owner, ttl }: Publication): readonly ResourceRecord[] => [
  ...records.map((record) => addRecord(record, ttl)),
  addRecord({ name: ownerName(name), type: 'TXT', target: ownerMark(owner) }, ttl),
];

/** Takes a name that is free: refused with YXDOMAIN when it is not. */
export const createUpdate = (publication: Publication): Update => ({
  prerequisites: [nameNotInUse(publication.name), nameNotInUse(ownerName(publication.name))],
  changes: adds(publication),
});

const ours = (name: string, owner: string): readonly ResourceRecord[] => [textIs(ownerName(name), ownerMark(owner))];
const clear = (name: string): readonly ResourceRecord[] => [deleteName(name), deleteName(ownerName(name))];

/** Replaces all of a name that is ours, or its records of some types: refused with NXRRSET when it does not bear `marked`, by default the owner's mark. */
export const replaceUpdate = (publication: Publication, marked = publication.owner): Update => {
  const { name, owner, types } = publication;
  const cleared = types?.map((recordType) => deleteType(name, recordType)) ?? clear(name);
  const unmarked = types !== undefined && marked !== owner ? [deleteName(ownerName(name))] : [];
  return { prerequisites: ours(name, marked), changes: [...cleared, ...unmarked, ...adds(publication)] };
};

/** Frees a name that is ours: refused with NXRRSET when it is not. */
export const removeUpdate = (name: string, owner: string): Update => ({
  prerequisites: ours(name, owner),
  changes: clear(name),
});
