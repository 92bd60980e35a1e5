import test from 'ava';
import { ownerMark } from '../../../../integrations/dns/owners.ts';
import type { DnsRecord } from '../../../../integrations/dns/records.ts';
import type { TargetAlias } from '../../../../integrations/route53/options.ts';
import {
  markTexts,
  publishedRecords,
  type RecordSetChange,
  type RecordSetReplacement,
  recordSetOf,
  removalChanges,
  replacementChanges,
} from '../../../../integrations/route53/record-sets.ts';

const zone = 'example.test';
const name = 'web.example.test';
const set = (Type: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT', ...values: readonly string[]) =>
  recordSetOf({ Name: `${name}.`, Type, TTL: 60, ResourceRecords: values.map((Value) => ({ Value })) });
const mark = (owner: string, TTL = 60) =>
  recordSetOf({
    ...{ Name: `_op-owner.${name}.`, Type: 'TXT', TTL },
    ResourceRecords: [{ Value: `"${ownerMark(owner)}"` }],
  });
const wanted = (type: DnsRecord['type'], target: string, ttl?: number): DnsRecord => ({
  ...{ zone, name, type, target },
  ...(ttl !== undefined && { ttl }),
});
const alias: TargetAlias = { target: 'lb.test', hostedZoneId: 'ZELB', evaluateTargetHealth: false, types: ['A'] };

const inWords = (changes: readonly RecordSetChange[]) =>
  changes.map(({ action, set: { Name, Type, TTL, ResourceRecords = [], AliasTarget } }) =>
    [
      ...[action === 'DELETE' ? '-' : '+', Name, Type, TTL ?? '-', ...ResourceRecords.map(({ Value }) => Value)],
      ...(AliasTarget ? [`-> ${AliasTarget.DNSName}`] : []),
    ].join(' '),
  );
const changes = (change: Partial<RecordSetReplacement>) =>
  inWords(replacementChanges({ name, owner: 'me', ttl: 60, records: [], present: [], marks: [], ...change }));
const markText = (owner: string) => `_op-owner.${name}. TXT 60 "${ownerMark(owner)}"`;

test('a new name and its mark are created, and nothing is replaced', (t) => {
  t.deepEqual(changes({ records: [wanted('A', '192.0.2.1'), wanted('A', '192.0.2.2', 30), wanted('TXT', 'é', 5)] }), [
    `+ ${markText('me')}`,
    `+ ${name}. A 30 192.0.2.1 192.0.2.2`,
    `+ ${name}. TXT 5 "\\303\\251"`,
  ]);
});

test('what is replaced is deleted as it was read, together with the mark', (t) => {
  const present = [set('A', '192.0.2.9'), set('TXT', '"x"')];
  t.deepEqual(changes({ records: [wanted('CNAME', 'lb.test')], present, marks: [mark('me')] }), [
    `- ${markText('me')}`,
    `- ${name}. A 60 192.0.2.9`,
    `- ${name}. TXT 60 "x"`,
    `+ ${markText('me')}`,
    `+ ${name}. CNAME 60 lb.test.`,
  ]);
});

test('what is as wanted stays, whatever its spelling; with types, others stay', (t) => {
  const records = [wanted('A', '192.0.2.1'), wanted('AAAA', '2001:DB8:0::1')];
  const present = [set('A', '192.0.2.1'), set('AAAA', '2001:db8::1'), set('MX', '1 mail.test.')];
  const types = ['A', 'AAAA', 'CNAME'] as const;
  t.deepEqual(changes({ records, present, types, marks: [mark('me')] }), []);
  t.deepEqual(changes({ records: records.slice(0, 1), present, types, marks: [mark('me')] }), [
    `- ${markText('me')}`,
    `- ${name}. AAAA 60 2001:db8::1`,
    `+ ${markText('me')}`,
  ]);
});

test('a mark of another time, of a former owner or with another TTL, is replaced', (t) => {
  for (const marks of [[mark('former')], [mark('me', 300)]])
    t.is(changes({ records: [wanted('A', '192.0.2.1')], present: [set('A', '192.0.2.1')], marks }).length, 2);
});

test('record sets that are routed by weight give way to a plain one', (t) => {
  const weighted = recordSetOf({ ...set('A', '192.0.2.1').shown, SetIdentifier: 'blue', Weight: 1 });
  const all = replacementChanges({
    ...{ name, owner: 'me', ttl: 60, marks: [mark('me')] },
    records: [wanted('A', '192.0.2.1')],
    present: [weighted],
  });
  t.is(all[1]?.set, weighted.shown);
  t.is(all.length, 4);
});

test('a CNAME to the target is an alias, unless it has a TTL of its own', (t) => {
  const both = { ...alias, types: ['A', 'AAAA'] as const };
  const made = changes({ records: [wanted('CNAME', 'lb.test')], alias: both });
  t.deepEqual(made.slice(1), [`+ ${name}. A - -> lb.test.`, `+ ${name}. AAAA - -> lb.test.`]);
  for (const record of [wanted('CNAME', 'lb.test', 60), wanted('CNAME', 'lb2.test')])
    t.true(changes({ records: [record], alias })[1]?.includes(' CNAME 60 '));
});

test('what Route 53 shows is read as records, of the types that are asked for', (t) => {
  const sets = [set('A', '192.0.2.1'), set('CNAME', 'LB.Other.test'), set('TXT', '"a" "\\303\\251"')];
  const types = ['A', 'CNAME', 'TXT'] as const;
  const told = (some: readonly DnsRecord[]) => some.map(({ type, target, ttl }) => `${type} ${target} ${ttl}`);
  t.deepEqual(told(publishedRecords(zone, sets, { types, alias: undefined })), [
    'A 192.0.2.1 60',
    'CNAME lb.other.test 60',
    'TXT aé 60',
  ]);
  t.deepEqual(told(publishedRecords(zone, sets, { types: ['A'], alias })), ['A 192.0.2.1 60']);
  t.deepEqual(markTexts(sets), ['aé']);
});

test('an alias is read as a CNAME when it is whole', (t) => {
  const AliasTarget = { HostedZoneId: 'ZELB', DNSName: 'lb.test.', EvaluateTargetHealth: false };
  const made = recordSetOf({ Name: `${name}.`, Type: 'A', AliasTarget });
  const read = (sets: Parameters<typeof publishedRecords>[1], of: TargetAlias = alias) =>
    publishedRecords(zone, sets, { types: ['CNAME'], alias: of });
  t.deepEqual(read([made]), [{ zone, name, type: 'CNAME', target: 'lb.test' }]);
  t.deepEqual(read([made], { ...alias, types: ['A', 'AAAA'] }), []);
  t.deepEqual(read([made], { ...alias, evaluateTargetHealth: true }), []);
  t.deepEqual(read([recordSetOf({ ...made.shown, AliasTarget: { ...AliasTarget, DNSName: 'lb2.test.' } })]), []);
  t.deepEqual(publishedRecords(zone, [made], { types: ['A'], alias }), []);
});

test('names are read without escape codes, and what is not a record set is refused', (t) => {
  t.is(recordSetOf({ Name: '\\052.Example.test.', Type: 'A' }).name, '*.example.test');
  t.throws(() => recordSetOf({ Name: undefined, Type: 'A' }), { message: /without name or type/ });
});

test('a removal repeats what was read', (t) => {
  const sets = [mark('me'), set('A', '192.0.2.1')];
  t.deepEqual(
    removalChanges(sets),
    sets.map(({ shown }) => ({ action: 'DELETE', set: shown })),
  );
});
