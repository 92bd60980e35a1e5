import test from 'ava';
import { ownerName } from '../../../../integrations/dns/owners.ts';
import { createUpdate, removeUpdate, replaceUpdate } from '../../../../integrations/rfc2136/update.ts';
import { type ResourceRecord, rcode } from '../../../../integrations/rfc2136/wire.ts';
import { updated } from './fixtures/zone.ts';

const zone = 'example.test';
const name = 'www.example.test';
const publication = (owner: string, target = '192.0.2.1') => ({
  name,
  owner,
  ttl: 60,
  records: [{ zone, name, type: 'A', target } as const],
});
const after = (records: readonly ResourceRecord[], update: Parameters<typeof updated>[2]) =>
  updated(zone, records, update);
const ours = after([], createUpdate(publication('me'))).records;

test('a create takes a free name and its mark together', (t) => {
  t.deepEqual(
    ours.map((record) => record.name),
    [name, ownerName(name)],
  );
});

test('a create is refused when the name is taken, and when only its mark is', (t) => {
  t.is(after(ours.slice(0, 1), createUpdate(publication('me'))).code, rcode.YXDOMAIN);
  t.is(after(ours.slice(1), createUpdate(publication('me'))).code, rcode.YXDOMAIN);
});

test('a replacement changes what is ours, wholly, and leaves the mark', (t) => {
  const { code, records } = after(ours, replaceUpdate(publication('me', '192.0.2.2')));
  t.is(code, rcode.NOERROR);
  t.deepEqual(
    records.map(({ data }) => data).map((data) => data.toString('hex')),
    [Buffer.from([192, 0, 2, 2]), ours[1]!.data].map((data) => data.toString('hex')),
  );
});

test('a replacement of some types leaves others of the name as they are', (t) => {
  const [added] = createUpdate({ ...publication('me'), records: [{ zone, name, type: 'TXT', target: 'x' }] }).changes;
  const update = replaceUpdate({ ...publication('me', '192.0.2.2'), types: ['A', 'CNAME'] });
  const { code, records } = after([...ours, added!], update);
  t.is(code, rcode.NOERROR);
  const [, mark] = ours;
  const data = [mark!.data, added!.data, Buffer.from([192, 0, 2, 2])].map((one) => one.toString('hex'));
  t.deepEqual(records.map((one) => one.data.toString('hex')).sort(), data.sort());
});

test('neither a replacement nor a removal touches what another owner has', (t) => {
  for (const update of [replaceUpdate(publication('you')), removeUpdate(name, 'you')])
    t.deepEqual(after(ours, update), { code: rcode.NXRRSET, records: ours });
});

test('a removal leaves nothing of what is ours, and is refused when nothing is there', (t) => {
  t.deepEqual(after(ours, removeUpdate(name, 'me')), { code: rcode.NOERROR, records: [] });
  t.is(after([], removeUpdate(name, 'me')).code, rcode.NXRRSET);
});

test('a record’s own time to live wins over the general one', (t) => {
  const { records } = publication('me');
  const [record] = createUpdate({ ...publication('me'), records: [{ ...records[0]!, ttl: 5 }] }).changes;
  t.is(record?.ttl, 5);
});
