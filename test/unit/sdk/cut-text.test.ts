import test from 'ava';
import fc from 'fast-check';
import { cutText, cutWithEllipsis, redactAndCut } from '../../../sdk/cut-text.ts';

test('a character outside of the basic plane is kept or left out as a whole', (t) => {
  t.is(cutText('a😀', 3), 'a😀');
  t.is(cutText('a😀b', 3), 'a😀');
  t.is(cutText('a😀', 2), 'a');
  t.is(cutText('😀', 1), '');
});

test('half of a character becomes what servers store', (t) => {
  t.is(cutText('a\ud83d', 2), 'a\ufffd');
  t.is(cutText('\ude00a', 9), '\ufffda');
});

test('the result is a well-formed start of the text, no shorter than need be', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(12), (text, length) => {
      const cut = cutText(text, length);
      t.true(cut.isWellFormed());
      t.true(text.toWellFormed().startsWith(cut));
      t.true(cut.length <= length && cut.length >= Math.min(text.length, length - 1));
      t.is(cutText(cut, length), cut);
    }),
  );
});

test('a text that is cut can say so', (t) => {
  t.is(cutWithEllipsis('abc', 3), 'abc');
  t.is(cutWithEllipsis('abcd', 3), 'ab…');
  t.is(cutWithEllipsis('a😀b', 3), 'a…');
});

test('what takes the place of a secret makes no text longer than it may be', (t) => {
  const redact = (text: string): string => text.replaceAll(/=\w/g, '=***');
  t.is(redactAndCut('a=1 b=2', 7, redact), 'a=*** b');
  let longest = 0;
  redactAndCut('a=1 '.repeat(1_000_000), 10, (text) => {
    longest = text.length;
    return text;
  });
  t.is(longest, 16_384);
});
