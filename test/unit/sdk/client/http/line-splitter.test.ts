import test from 'ava';
import fc from 'fast-check';
import { createLineSplitter } from '../../../../../sdk/client/http/line-splitter.ts';
import { aCharacter } from '../../../a-character.ts';

test('however a text is cut into chunks, its lines come out whole', (t) => {
  const texts = fc.array(fc.string({ unit: aCharacter }).map((text) => text.replaceAll('\n', '')));
  fc.assert(
    fc.property(texts, fc.array(fc.nat(64)), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const splitter = createLineSplitter();
      const cut: string[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        for (const line of splitter.split(bytes.subarray(at, at + size))) cut.push(line.toString());
        at += size;
      }
      return (
        splitter.pending === 0 &&
        JSON.stringify(cut) === JSON.stringify(lines.map((line) => Buffer.from(line).toString()))
      );
    }),
  );
  t.pass();
});

test('what has no newline yet is pending', (t) => {
  const splitter = createLineSplitter();
  t.deepEqual(splitter.split(Buffer.from('a')), []);
  t.is(splitter.pending, 1);
  t.deepEqual(splitter.split(Buffer.from('b\n')).map(String), ['ab']);
  t.is(splitter.pending, 0);
});

test('a long line in many small chunks costs time in proportion to its length', (t) => {
  const splitter = createLineSplitter();
  const part = Buffer.alloc(16, 'x');
  for (let nth = 0; nth < 200_000; nth += 1) splitter.split(part);
  t.is(splitter.split(Buffer.from('\n'))[0]?.length, 3_200_000);
});
