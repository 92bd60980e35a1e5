import test from 'ava';
import fc from 'fast-check';
import { decodeName, encodeName, labelsOf, WireError } from '../../../../integrations/rfc2136/names.ts';

test('any name is read back with the same labels, byte by byte', (t) => {
  const aLabel = fc.uint8Array({ minLength: 1, maxLength: 63 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.array(aLabel, { maxLength: 3 }), (labels) => {
      const wire = Buffer.concat([
        ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
        Buffer.from([0]),
      ]);
      const { name, end } = decodeName(wire, 0);
      t.is(end, wire.length);
      t.deepEqual(labelsOf(name), labels);
      t.deepEqual(encodeName(name), wire);
    }),
  );
});

test('dots and backslashes within a label are escaped, and so is what cannot be printed', (t) => {
  t.is(decodeName(Buffer.from([3, 0x61, 0x2e, 0x5c, 1, 0x00, 0]), 0).name, 'a\\.\\\\.\\000');
});

test('names follow compression pointers backwards', (t) => {
  const bytes = Buffer.concat([encodeName('example.test'), Buffer.from([1, 0x61, 0xc0, 0])]);
  t.deepEqual(decodeName(bytes, 14), { name: 'a.example.test', end: 18 });
});

test('pointers that lead forwards, to themselves or in a circle are refused', (t) => {
  for (const bytes of [[0xc0, 0], [0xc0, 2, 0], [1, 0x61, 0xc0, 0], [0xc0]])
    t.throws(() => decodeName(Buffer.from(bytes), 0), { instanceOf: WireError });
});

test('a chain of pointers longer than any name has labels is refused, however long it is', (t) => {
  const chain = (count: number) => {
    const bytes = Buffer.alloc(2 + 2 * count);
    for (let at = 1; at <= count; at += 1) bytes.writeUInt16BE(0xc000 | (2 * (at - 1)), 2 * at);
    return bytes;
  };
  t.is(decodeName(chain(127), 254).name, '');
  for (const count of [128, 8000])
    t.throws(() => decodeName(chain(count), 2 * count), { message: /more than 127 compression pointers/ });
});

for (const [why, name] of [
  ['an empty label', 'a..b'],
  ['a label of 64 bytes', 'a'.repeat(64)],
  ['more than 255 bytes', Array(64).fill('abc').join('.')],
  ['an escape above 255', 'a\\256'],
] as const)
  test(`a name with ${why} is refused`, (t) => {
    t.throws(() => encodeName(name), { instanceOf: WireError });
  });

test('a trailing dot makes no difference, and the root has no labels', (t) => {
  t.deepEqual(encodeName('example.test.'), encodeName('example.test'));
  t.deepEqual(labelsOf(''), []);
  t.deepEqual(encodeName('.'), Buffer.from([0]));
});

test('a name of exactly 255 bytes is fine', (t) => {
  const name = Array(63).fill('abc').join('.');
  t.is(encodeName(`${name}.a`).length, 255);
});
