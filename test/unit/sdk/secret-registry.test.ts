import test from 'ava';
import fc from 'fast-check';
import { SecretRegistry } from '../../../sdk/index.ts';

const secret = 'S3cr/t+"value"';

function registryOf(...values: readonly string[]) {
  const registry = new SecretRegistry();
  registry.add(...values);
  return registry;
}

test('a known value is taken out wherever it stands, with what looks like a secret', (t) => {
  t.is(registryOf(secret).redact(`a ${secret}${secret} b?token=x`), 'a ****** b?token=***');
});

test('a known value is recognised percent-encoded, in JSON, and in base64 at any place', (t) => {
  const registry = registryOf(secret);
  t.is(registry.redact(encodeURIComponent(secret)), '***');
  t.is(registry.redact(JSON.stringify({ a: secret })), '{"a":"***"}');
  for (const before of ['', 'a', 'ab', 'user:', 'x'.repeat(50)])
    for (const encoding of ['base64', 'base64url'] as const)
      t.true(
        registry.isIn(`id-${Buffer.from(`${before}${secret}${before}`).toString(encoding)}`),
        `${before} ${encoding}`,
      );
});

test('a known value is recognised in forms, paths and strict encodings, whatever the case of their codes', (t) => {
  const value = "p(ss w*rd!'~/+é";
  const registry = registryOf(value);
  const url = new URL('https://acme.test');
  url.pathname = `/${value}`;
  const strict = encodeURIComponent(value).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const encoded = [
    new URLSearchParams({ value }).toString(),
    url.href,
    encodeURIComponent(value),
    strict,
    encodeURI(value),
  ];
  for (const text of [...encoded, ...encoded.map((one) => one.replace(/%../g, (code) => code.toLowerCase()))])
    t.regex(registry.redact(text), /^(?:value=|https:\/\/acme\.test\/)?\*\*\*$/, text);
});

test('a known value is recognised in hex, with entities of HTML, and in JSON of other languages', (t) => {
  const value = `p<a>s&s'w"o/rdé`;
  const ascii = JSON.stringify(value).slice(1, -1).replace('é', '\\u00e9');
  const encoded = [
    Buffer.from(value).toString('hex'),
    Buffer.from(value).toString('hex').toUpperCase(),
    'p&lt;a&gt;s&amp;s&#39;w&quot;o/rdé',
    'p&lt;a&gt;s&amp;s&#39;w&#34;o/rdé',
    'p&lt;a&gt;s&amp;s&#x27;w&quot;o/rdé',
    `p&lt;a&gt;s&amp;s'w"o/rdé`,
    JSON.stringify(value)
      .slice(1, -1)
      .replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
    ascii,
    ascii.replaceAll('/', '\\/'),
    encodeURIComponent(encodeURIComponent(value)),
  ];
  for (const text of encoded) t.is(registryOf(value).redact(`id ${text}`), 'id ***', text);
});

test('of a long value nothing is left, at whatever place it begins', (t) => {
  const value = Array.from({ length: 1000 }, (_, index) => `key${index}`).join('');
  t.is(registryOf(value).redact(`a ${value} b`).replaceAll('***', ''), 'a  b');
  const odd = 'x1y2z3'.repeat(1366).slice(0, 2 * 4096 + 3);
  t.is(registryOf(odd).redact(odd).replaceAll('***', ''), '');
});

test('of two values the longer one is taken out', (t) => {
  t.is(registryOf('abcdef', 'abcdefghi').redact('abcdefghi'), '***');
});

test('a value that the end of a text has cut is taken out as far as it goes', (t) => {
  t.is(registryOf('0123456789').redact('token 0123456'), 'token ***');
  t.is(registryOf('0123456789').redact('token 0123456…: check it'), 'token ***…: check it');
  t.is(registryOf('0123456789').redact('token 0123456: check it'), 'token 0123456: check it');
  t.is(registryOf('012345…789', '012345-789').redact('012345…789, 012345…'), '***, ***…');
});

test('what is shorter than six characters is nothing to look for', (t) => {
  const registry = registryOf('a', '', 'short');
  t.is(registry.redact('a short text'), 'a short text');
  t.false(registry.isIn('a short text'));
});

test('of more than a thousand values the oldest are forgotten', (t) => {
  const registry = new SecretRegistry();
  for (let index = 0; index < 1001; index += 1) registry.add(`secret-${index}-`);
  t.false(registry.isIn('secret-0-'));
  t.true(registry.isIn('secret-1-'));
  t.true(registry.isIn('secret-1000-'));
});

test('nothing of a known value is left in any text', (t) => {
  const word = fc.string({ minLength: 6, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(word, fc.string())),
      (values, texts) => {
        const registry = registryOf(...values);
        const text = texts.flatMap((one, at) => [one, values[at % values.length] ?? '']).join('');
        const clean = registry.redact(text);
        return values.every((value) => !clean.includes(value));
      },
    ),
  );
  t.pass();
});

test('a registry within another one redacts the values of both, and keeps its own to itself', (t) => {
  const parent = new SecretRegistry();
  const child = new SecretRegistry(parent);
  parent.add('of the parent');
  child.add('of the child');
  t.is(child.redact('of the parent, of the child'), '***, ***');
  t.is(parent.redact('of the parent, of the child'), '***, of the child');
  t.deepEqual(
    [child.isIn('of the parent'), child.isIn('of the child'), parent.isIn('of the child')],
    [true, true, false],
  );
});
