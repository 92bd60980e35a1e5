import test from 'ava';
import { addRecord, deleteName, nameNotInUse, textIs } from '../../../../integrations/rfc2136/update.ts';
import { cls, type ResourceRecord, rcode, type } from '../../../../integrations/rfc2136/wire.ts';
import { updated } from './fixtures/zone.ts';

const zone = 'example.test';
const a = (name: string, target = '192.0.2.1'): ResourceRecord => addRecord({ name, type: 'A', target }, 60);
const alias = (name: string): ResourceRecord => addRecord({ name, type: 'CNAME', target: 'b.example.test' }, 60);
const text = (name: string, target: string): ResourceRecord => addRecord({ name, type: 'TXT', target }, 60);
const bare = (record: ResourceRecord): ResourceRecord => ({ ...record, ttl: 0, data: Buffer.alloc(0) });
const www = 'www.example.test';

for (const [why, records, prerequisites, code] of [
  ['a free name is free', [], [nameNotInUse(www)], rcode.NOERROR],
  ['a taken name is taken, whatever its case', [a('WWW.example.test')], [nameNotInUse(www)], rcode.YXDOMAIN],
  ['a name must be in use', [], [{ ...nameNotInUse(www), class: cls.ANY }], rcode.NXDOMAIN],
  ['a set must be there', [text(www, 'x')], [{ ...bare(a(www)), class: cls.ANY }], rcode.NXRRSET],
  ['a set must not be there', [a(www)], [{ ...bare(a(www)), class: cls.NONE }], rcode.YXRRSET],
  ['a text must be exactly so', [text(www, 'x')], [textIs(www, 'x')], rcode.NOERROR],
  ['another text is not it', [text(www, 'y')], [textIs(www, 'x')], rcode.NXRRSET],
  ['a second text beside it is not it', [text(www, 'x'), text(www, 'y')], [textIs(www, 'x')], rcode.NXRRSET],
  ['no text is not it', [], [textIs(www, 'x')], rcode.NXRRSET],
  ['what is outside the zone is refused', [], [nameNotInUse('www.other.test')], rcode.NOTZONE],
  ['a prerequisite with a time to live is refused', [], [{ ...nameNotInUse(www), ttl: 1 }], rcode.FORMERR],
] as const)
  test(`prerequisites of the test server: ${why}`, (t) => {
    const result = updated(zone, records, { prerequisites, changes: [a('new.example.test')] });
    t.is(result.code, code);
    t.is(result.records.length, records.length + (code === rcode.NOERROR ? 1 : 0));
  });

const change = (records: readonly ResourceRecord[], ...changes: readonly ResourceRecord[]) =>
  updated(zone, records, { prerequisites: [], changes });

test('the test server ignores in silence what cannot stand beside a CNAME, as real ones do', (t) => {
  t.deepEqual(change([a(www)], alias(www)), { code: rcode.NOERROR, records: [a(www)] });
  t.deepEqual(change([alias(www)], a(www)), { code: rcode.NOERROR, records: [alias(www)] });
});

test('the test server deletes names, but never the apex’s own records, and adds nothing twice', (t) => {
  const soa = { ...a(zone), type: type.SOA };
  t.deepEqual(change([a(www), text(www, 'x'), a('b.example.test')], deleteName(www)).records, [a('b.example.test')]);
  t.deepEqual(change([soa, a(zone)], deleteName(zone)).records, [soa]);
  t.deepEqual(change([a(www)], a(www)).records, [a(www)]);
});

test('the test server carries out all changes of an update or none', (t) => {
  const result = change([], a(www), a('www.other.test'));
  t.deepEqual(result, { code: rcode.NOTZONE, records: [] });
});
