import test from 'ava';
import fc from 'fast-check';
import { textOfTxtContent, txtContentOf } from '../../../../integrations/dns/txt-content.ts';

for (const [text, content] of [
  ['', '""'],
  ['v=spf1 -all', '"v=spf1 -all"'],
  ['a "quoted" \\ text', '"a \\"quoted\\" \\\\ text"'],
  ['ä\n', '"\\195\\164\\010"'],
  ['x'.repeat(256), `"${'x'.repeat(255)}" "x"`],
] as const)
  test(`${JSON.stringify(text.slice(0, 20))} is written in quotes and read back`, (t) => {
    t.is(txtContentOf(text), content);
    t.is(textOfTxtContent(content), text);
  });

test('escape codes may be octal', (t) => {
  t.is(txtContentOf('ä\n', 8), '"\\303\\244\\012"');
  t.is(textOfTxtContent('"\\303\\244\\012"', 8), 'ä\n');
});

test('a content without quotes is the text itself', (t) => {
  t.is(textOfTxtContent('v=spf1 "x" -all'), 'v=spf1 "x" -all');
});

test('bytes outside of ASCII may stand as they are', (t) => {
  t.is(textOfTxtContent('"ä" "€"'), 'ä€');
});

test('every text is read back, and each string fits into 255 bytes', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
      const content = txtContentOf(text);
      t.is(textOfTxtContent(content), text);
      t.regex(content, /^"(?:[^"\\]|\\["\\]|\\\d{3}){0,255}"(?: "(?:[^"\\]|\\["\\]|\\\d{3}){0,255}")*$/);
    }),
  );
});
