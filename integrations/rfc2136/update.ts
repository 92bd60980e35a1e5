/** Builds dynamic updates that respect the owner of a name. */

import { ownerMark, ownerName } from '../dns/owners.ts';
import type { DnsRecord, OwnedRecords } from '../dns/records.ts';
import { encodeData } from './record-data.ts';
import { cls, type ResourceRecord, type } from './wire.ts';

/** Atomic update: applied completely if all prerequisites are met, else not at all. */
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

/** Change: deletes all records of this name. */
export const deleteName = (name: string): ResourceRecord => ({
  name,
  type: type.ANY,
  class: cls.ANY,
  ttl: 0,
  data: nothing,
});

/** Change: deletes all records of this name and type. */
export const deleteType = (name: string, recordType: DnsRecord['type']): ResourceRecord => ({
  ...deleteName(name),
  type: type[recordType],
});

/** Change: adds a record. @throws WireError for a target that its type cannot hold */
export const addRecord = (record: Omit<DnsRecord, 'zone'>, ttl: number): ResourceRecord => ({
  name: record.name,
  type: type[record.type],
  class: cls.IN,
  ttl: record.ttl ?? ttl,
  data: encodeData(record.type, record.target),
});

/** Desired records of one name with their owner. */
export interface Publication extends OwnedRecords {
  readonly name: string;
}

const adds = ({ name, records, owner, ttl }: Publication): readonly ResourceRecord[] => [
  ...records.map((record) => addRecord(record, ttl)),
  addRecord({ name: ownerName(name), type: 'TXT', target: ownerMark(owner) }, ttl),
];

/** Creates a name that is free: refused with YXDOMAIN when it is not. */
export const createUpdate = (publication: Publication): Update => ({
  prerequisites: [nameNotInUse(publication.name), nameNotInUse(ownerName(publication.name))],
  changes: adds(publication),
});

const ours = (name: string, owner: string): readonly ResourceRecord[] => [textIs(ownerName(name), ownerMark(owner))];
const clear = (name: string): readonly ResourceRecord[] => [deleteName(name), deleteName(ownerName(name))];

/** Replaces all records of an owned name, or those of some types: refused with NXRRSET when its owner is not `marked`, by default the given owner. */
export const replaceUpdate = (publication: Publication, marked = publication.owner): Update => {
  const { name, owner, types } = publication;
  const cleared = types?.map((recordType) => deleteType(name, recordType)) ?? clear(name);
  const unmarked = types !== undefined && marked !== owner ? [deleteName(ownerName(name))] : [];
  return { prerequisites: ours(name, marked), changes: [...cleared, ...unmarked, ...adds(publication)] };
};

/** Deletes an owned name: refused with NXRRSET when it has another owner. */
export const removeUpdate = (name: string, owner: string): Update => ({
  prerequisites: ours(name, owner),
  changes: clear(name),
});
