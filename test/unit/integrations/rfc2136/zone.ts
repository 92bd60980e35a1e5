import { encodeName } from '../../../../integrations/rfc2136/names.ts';
import type { Update } from '../../../../integrations/rfc2136/update.ts';
import { cls, type ResourceRecord, rcode, type } from '../../../../integrations/rfc2136/wire.ts';

type Records = readonly ResourceRecord[];

const key = (name: string): string => encodeName(name).toString('latin1').toLowerCase();
const sameName = (a: string, b: string): boolean => key(a) === key(b);
const isWithin = (name: string, zone: string): boolean => key(name).endsWith(key(zone));
const sameRecord = (a: ResourceRecord, b: ResourceRecord): boolean =>
  sameName(a.name, b.name) && a.type === b.type && a.data.equals(b.data);
const sameSet = (a: Records, b: Records): boolean =>
  a.length === b.length && a.every((one) => b.some((other) => one.data.equals(other.data)));

const at = (records: Records, name: string, recordType: number = type.ANY): Records =>
  records.filter((record) => sameName(record.name, name) && (recordType === type.ANY || record.type === recordType));

/** Checks one prerequisite without comparison of values, after RFC 2136, 3.2. */
function prerequisite(records: Records, { name, type: recordType, class: meaning, data }: ResourceRecord): number {
  if (data.length > 0) return rcode.FORMERR;
  const there = at(records, name, recordType).length > 0;
  if (meaning === cls.ANY) {
    if (there) return rcode.NOERROR;
    return recordType === type.ANY ? rcode.NXDOMAIN : rcode.NXRRSET;
  }
  if (meaning !== cls.NONE) return rcode.FORMERR;
  if (!there) return rcode.NOERROR;
  return recordType === type.ANY ? rcode.YXDOMAIN : rcode.YXRRSET;
}

/** Compares RRsets that must exist with exactly these values. */
function valuesHold(records: Records, wanted: Records): boolean {
  return wanted.every((one) => sameSet(at(records, one.name, one.type), at(wanted, one.name, one.type)));
}

function checkPrerequisites(records: Records, zone: string, prerequisites: Records): number {
  for (const one of prerequisites) {
    if (one.ttl !== 0) return rcode.FORMERR;
    if (!isWithin(one.name, zone)) return rcode.NOTZONE;
    if (one.class === cls.IN) continue;
    const code = prerequisite(records, one);
    if (code !== rcode.NOERROR) return code;
  }
  const values = prerequisites.filter((one) => one.class === cls.IN);
  return valuesHold(records, values) ? rcode.NOERROR : rcode.NXRRSET;
}

const isWellFormed = ({ type: recordType, class: meaning, ttl, data }: ResourceRecord): boolean => {
  if (meaning === cls.IN) return recordType !== type.ANY && data.length > 0;
  if (meaning === cls.ANY) return ttl === 0 && data.length === 0;
  return meaning === cls.NONE && ttl === 0 && recordType !== type.ANY;
};

function prescan(zone: string, changes: Records): number {
  if (changes.some(({ name }) => !isWithin(name, zone))) return rcode.NOTZONE;
  return changes.every(isWellFormed) ? rcode.NOERROR : rcode.FORMERR;
}

/** Adds a record, after RFC 2136, 3.4.2.2: one that conflicts with existing records is silently ignored. */
function added(records: Records, record: ResourceRecord): Records {
  const there = at(records, record.name);
  const alias = there.some((one) => one.type === type.CNAME);
  if (record.type === type.CNAME ? there.length > 0 && !alias : alias) return records;
  const others = records.filter((one) => !sameRecord(one, record) && !(alias && sameName(one.name, record.name)));
  return [...others, record];
}

/** Reports whether the record is the apex's SOA or NS, which updates keep. */
const isProtected = (zone: string, { name, type: recordType }: ResourceRecord): boolean =>
  sameName(name, zone) && (recordType === type.SOA || recordType === type.NS);

function changed(zone: string, records: Records, change: ResourceRecord): Records {
  if (change.class === cls.IN) return added(records, change);
  const goes = (record: ResourceRecord): boolean => {
    if (isProtected(zone, record)) return false;
    if (change.class === cls.NONE) return sameRecord(record, change);
    return at([record], change.name, change.type).length > 0;
  };
  return records.filter((record) => !goes(record));
}

/** Applies an update to a zone: the response code and the resulting records, unchanged when it was refused. */
export function updated(
  zone: string,
  records: Records,
  { prerequisites, changes }: Update,
): { readonly code: number; readonly records: Records } {
  const checked = checkPrerequisites(records, zone, prerequisites);
  const code = checked === rcode.NOERROR ? prescan(zone, changes) : checked;
  if (code !== rcode.NOERROR) return { code, records };
  return { code, records: changes.reduce((all, change) => changed(zone, all, change), records) };
}
