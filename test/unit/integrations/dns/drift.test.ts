import test from 'ava';
import { type DnsComparison, dnsDrift, dnsQueriesOf, type ObservedName } from '../../../../integrations/dns/drift.ts';
import type { DnsRecord } from '../../../../integrations/dns/records.ts';

const zone = 'example.test';
const name = 'shop.example.test';
const a = (target = '192.0.2.1', ttl?: number): DnsRecord => ({
  zone,
  name,
  type: 'A',
  target,
  ...(ttl !== undefined && { ttl }),
});
const of = (type: DnsRecord['type'], target: string): DnsRecord => ({ zone, name, type, target });
const seen = (owner: string | undefined, ...records: readonly DnsRecord[]): ObservedName => ({
  zone,
  name,
  owner,
  records,
});
const drift = (wanted: readonly DnsRecord[], there: ObservedName, ttl?: number) =>
  dnsDrift({ wanted, observed: [there], owner: 'me', ttl } satisfies DnsComparison);

test('a name is looked at once, for the types that are wanted there', (t) => {
  const other = { ...a(), name: 'api.example.test' };
  t.deepEqual(dnsQueriesOf([a(), a('192.0.2.2'), of('TXT', 'x'), other]), [
    { zone, name, types: ['A', 'TXT'] },
    { zone, name: 'api.example.test', types: ['A'] },
  ]);
});

test('what is there as wanted is not drift, whatever the order and the spelling of addresses', (t) => {
  const wanted = [a('192.0.2.1'), a('192.0.2.2'), of('AAAA', '2001:DB8:0::1')];
  t.deepEqual(drift(wanted, seen('me', of('AAAA', '2001:db8::1'), a('192.0.2.2'), a('192.0.2.1'))), []);
  const spelledTwice = [of('AAAA', '2001:db8::1'), of('AAAA', '2001:db8:0::1')];
  t.deepEqual(drift(spelledTwice, seen('me', of('AAAA', '2001:db8::1'))), []);
});

const found: readonly (readonly [
  what: string,
  wanted: readonly DnsRecord[],
  there: ObservedName,
  why: string,
  op: string,
])[] = [
  ['gone with its mark', [a()], seen(undefined), 'it is not there', 'create'],
  ['gone, its mark is not', [a()], seen('me'), 'A 192.0.2.1 is missing', 'update'],
  ['changed', [a()], seen('me', a('192.0.2.9')), 'A 192.0.2.1 is missing, A 192.0.2.9 was added', 'update'],
  ['another one’s', [a()], seen('you', a()), 'it belongs to you', 'create'],
  ['without its mark', [a()], seen(undefined, a()), 'it bears no mark of ours', 'create'],
  ['there and not wanted', [], seen('me', a()), 'it is not wanted', 'delete'],
];
for (const [what, wanted, there, why, op] of found)
  test(`a name that is ${what} is reported, with what would put it right`, (t) => {
    const [one] = drift(wanted, there);
    t.is(one?.why, why);
    t.like(one?.change, { op, zone, name, records: wanted });
  });

test('a name that is not wanted and not ours is none of our business', (t) => {
  t.deepEqual(drift([], seen('you', a())), []);
  t.deepEqual(drift([], seen(undefined, a())), []);
});

test('only the types that are wanted are replaced, and an alias that would hide them', (t) => {
  t.deepEqual(drift([a(), of('TXT', 'x')], seen('me', a()))[0]?.change.types, ['A', 'TXT', 'CNAME']);
  t.is(drift([of('CNAME', 'lb.other.test')], seen('me'))[0]?.change.types, undefined, 'an alias stands alone');
});

test('records that are there beyond what is wanted are known as such', (t) => {
  t.like(drift([a()], seen('me', a(), a('192.0.2.9'))), [{ why: 'A 192.0.2.9 was added', onlyMore: true }]);
  t.like(drift([a()], seen('me', a('192.0.2.9'))), [{ onlyMore: false }]);
  t.like(drift([a()], seen('me', a('192.0.2.1', 5), a('192.0.2.9')), 60), [{ onlyMore: false }]);
});

test('a changed time to live is drift; one that all records of a name and type share by the wish of one of them is not', (t) => {
  t.deepEqual(drift([a()], seen('me', a('192.0.2.1', 60)), 60), []);
  t.is(drift([a()], seen('me', a('192.0.2.1', 5)), 60)[0]?.why, 'A 192.0.2.1 has a TTL of 5 s');
  const shared = [a('192.0.2.1', 300), a('192.0.2.2', 30)];
  t.deepEqual(drift(shared, seen('me', a('192.0.2.1', 30), a('192.0.2.2', 30)), 60), []);
});

test('a long text is cut where it is reported', (t) => {
  const [one] = drift([of('TXT', 'x'.repeat(500))], seen('me'));
  t.is(one?.why, `TXT ${'x'.repeat(59)}… is missing`);
});
