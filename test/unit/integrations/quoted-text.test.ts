import test from 'ava';
import { quoted } from '../../../integrations/quoted-text.ts';

test('a value is quoted as JSON, and nothing that is not there as such', (t) => {
  t.is(quoted('a.b'), '"a.b"');
  t.is(quoted({ a: 1 }), '{"a":1}');
  t.is(quoted(undefined), 'nothing');
});

test('characters that cannot be seen, or turn the text around, are reported by their codes', (t) => {
  t.is(quoted('a\nb'), '"a\\nb"');
  t.is(quoted('a\0\u007f\u202eb\u2028\ufeff'), '"a\\u0000\\u007f\\u202eb\\u2028\\ufeff"');
  t.is(quoted('a\u{e0001}'), '"a\\udb40\\udc01"');
});

test('a long value is cut', (t) => {
  t.is(quoted('x'.repeat(500)).length, 141);
});
