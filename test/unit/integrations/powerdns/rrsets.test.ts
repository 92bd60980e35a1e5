import test from 'ava';
import {
  type Rrset,
  recordsOf,
  removeChanges,
  replaceChanges,
  textsOf,
} from '../../../../integrations/powerdns/rrsets.ts';

const zone = 'example.test';
const name = 'web.example.test';
const rrset = (type: string, ...contents: readonly string[]): Rrset => ({ name, type, ttl: 60, contents });
const wanted = (type: 'A' | 'CNAME' | 'TXT', target: string, ttl?: number) => ({
  zone,
  name,
  type,
  target,
  ...(ttl !== undefined && { ttl }),
});
const said = (changes: ReturnType<typeof replaceChanges>) =>
  changes.map((change) =>
    change.changetype === 'DELETE'
      ? `- ${change.name} ${change.type}`
      : `+ ${change.name} ${change.type} ${change.ttl} ${change.records.map(({ content }) => content).join(' ')}`,
  );
const mark = '+ _op-owner.web.example.test. TXT 60 "heritage=workspace-sequencer,owner=me,condition=DNS"';

test('deletions come before what they would conflict with, and the mark is written with the records', (t) => {
  const present = [rrset('A', '192.0.2.1'), rrset('MX', '10 mail.example.test.')];
  const replacement = { name, owner: 'me', ttl: 60, present, records: [wanted('CNAME', 'lb.other.test')] };
  t.deepEqual(said(replaceChanges(replacement)), [
    '- web.example.test. A',
    '- web.example.test. MX',
    '+ web.example.test. CNAME 60 lb.other.test.',
    mark,
  ]);
});

test('with types, others stay', (t) => {
  const present = [rrset('CNAME', 'x.'), rrset('TXT', '"verified"')];
  const records = [wanted('A', '192.0.2.1')];
  const replacement = { name, owner: 'me', ttl: 60, present, records, types: ['A', 'CNAME'] as const };
  t.deepEqual(said(replaceChanges(replacement)), [
    '- web.example.test. CNAME',
    '+ web.example.test. A 60 192.0.2.1',
    mark,
  ]);
});

test('records of one type share the shortest of their times to live', (t) => {
  const records = [wanted('A', '192.0.2.1'), wanted('A', '192.0.2.2', 30), wanted('TXT', 'a "b"', 5)];
  t.deepEqual(said(replaceChanges({ name, owner: 'me', ttl: 60, present: [], records })), [
    '+ web.example.test. A 30 192.0.2.1 192.0.2.2',
    '+ web.example.test. TXT 5 "a \\"b\\""',
    mark,
  ]);
});

test('a removal takes all of the name, and the mark', (t) => {
  t.deepEqual(said(removeChanges(name, [rrset('A', '192.0.2.1'), rrset('TXT', '"x"')])), [
    '- web.example.test. A',
    '- web.example.test. TXT',
    '- _op-owner.web.example.test. TXT',
  ]);
});

test('what the server shows is read as records, of the types that are asked for', (t) => {
  const rrsets = [
    rrset('A', '192.0.2.1'),
    rrset('CNAME', 'LB.Other.test.'),
    rrset('TXT', '"a" "b"'),
    rrset('MX', '1 x.'),
  ];
  t.deepEqual(
    recordsOf(zone, rrsets).map(({ type, target, ttl }) => `${type} ${target} ${ttl}`),
    ['A 192.0.2.1 60', 'CNAME lb.other.test 60', 'TXT ab 60'],
  );
  t.deepEqual(
    recordsOf(zone, rrsets, ['A']).map(({ type }) => type),
    ['A'],
  );
  t.deepEqual(textsOf(rrsets), ['ab']);
});
