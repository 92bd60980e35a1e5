import test from 'ava';
import { parseDnsRecords } from '../../../../integrations/dns/parse-records.ts';

const zone = 'example.test';
const name = 'www.example.test';
const present = [
  { name, type: 'A', content: '192.0.2.1', ttl: 60 },
  { name, type: 'CNAME', content: 'lb.example.test.', ttl: 60 },
  { name, type: 'TXT', content: '"a" "b"', ttl: 30 },
  { name, type: 'MX', content: '10 mail.example.test.', ttl: 60 },
];

test('contents are read as targets, and types that are not managed are left out', (t) => {
  t.deepEqual(parseDnsRecords(zone, present), [
    { zone, name, type: 'A', target: '192.0.2.1', ttl: 60 },
    { zone, name, type: 'CNAME', target: 'lb.example.test', ttl: 60 },
    { zone, name, type: 'TXT', target: 'ab', ttl: 30 },
  ]);
});

test('only the requested types are returned', (t) => {
  t.deepEqual(
    parseDnsRecords(zone, present, ['TXT']).map(({ type }) => type),
    ['TXT'],
  );
});
