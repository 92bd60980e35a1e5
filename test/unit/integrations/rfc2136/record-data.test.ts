import test from 'ava';
import fc from 'fast-check';
import { WireError } from '../../../../integrations/rfc2136/names.ts';
import { decodeData, encodeData, txtTextOf } from '../../../../integrations/rfc2136/record-data.ts';
import { type } from '../../../../integrations/rfc2136/wire.ts';

for (const [recordType, target] of [
  ['A', '192.0.2.255'],
  ['AAAA', '2001:db8::1'],
  ['AAAA', '::'],
  ['AAAA', '1:2:3:4:5:6:7:8'],
  ['CNAME', 'other.example.test'],
  ['TXT', ''],
  ['TXT', 'ä text; with "signs"'],
] as const)
  test(`${recordType} ${JSON.stringify(target)} is read back as it was written`, (t) => {
    t.is(decodeData({ type: type[recordType], data: encodeData(recordType, target) }), target);
  });

test('an IPv6 address is 16 bytes, however it is written', (t) => {
  t.is(encodeData('AAAA', '2001:DB8::1').toString('hex'), '20010db8000000000000000000000001');
  t.is(encodeData('AAAA', '::ffff:192.0.2.1').toString('hex'), '00000000000000000000ffffc0000201');
});

test('a text longer than 255 bytes is sent in several strings and read as one', (t) => {
  const text = 'x'.repeat(600);
  const data = encodeData('TXT', text);
  t.is(data.length, 603);
  t.deepEqual([data[0], data[256], data[512]], [255, 255, 90]);
  t.is(txtTextOf(data), text);
});

test('any text survives', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 700 }), (text) => txtTextOf(encodeData('TXT', text)) === text),
  );
  t.pass();
});

for (const [recordType, target] of [
  ['A', '192.0.2'],
  ['A', '2001:db8::1'],
  ['AAAA', '192.0.2.1'],
  ['AAAA', 'fe80::1%eth0'],
  ['CNAME', 'a..b'],
] as const)
  test(`${recordType} cannot hold ${target}`, (t) => {
    t.throws(() => encodeData(recordType, target), { instanceOf: WireError });
  });

test('a string that runs past its record is refused', (t) => {
  t.throws(() => txtTextOf(Buffer.from([5, 0x61])), { instanceOf: WireError });
});
