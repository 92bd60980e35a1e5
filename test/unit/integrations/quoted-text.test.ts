import test from 'ava';
import { quoted, shortLine } from '../../../integrations/quoted-text.ts';
import { SecretRegistry } from '../../../sdk/index.ts';

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

test('a text is one line', (t) => {
  t.is(shortLine(' a\r\n\u001b[31m b\u0085 '), 'a [31m b');
  t.is(shortLine('x'.repeat(300)).length, 300);
});

test('a long line is cut, between characters, and says so', (t) => {
  t.is(shortLine('abcdef', 3), 'abc…');
  t.is(shortLine('ab\u{1f600}', 3), 'ab…');
});

test('of a secret that was cut nothing is left in a message', (t) => {
  const secret = 'a-token-that-nobody-may-see';
  const registry = new SecretRegistry();
  registry.add(secret);
  for (let length = 6; length <= secret.length; length += 1) {
    const message = `HTTP 403: ${shortLine(`token ${secret} is not valid`, 6 + length)}: check option token`;
    t.regex(registry.redact(message), /^HTTP 403: token \*\*\*…?: check option token$/);
  }
});
