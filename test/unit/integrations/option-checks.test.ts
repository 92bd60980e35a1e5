import test from 'ava';
import { optionChecks } from '../../../integrations/option-checks.ts';

const { refuse, members, functions, wholeNumber, baseUrl, headerSecret } = optionChecks('acmeDns');

const circle: { self?: object } = {};
circle.self = circle;

test('what may be is returned', (t) => {
  t.notThrows(() => members('options', { a: 1 }, ['a', 'b']));
  t.is(wholeNumber('ttl', 0, { min: 0, max: 10 }), 0);
  t.is(baseUrl('url', 'https://acme.test/api//'), 'https://acme.test/api');
  t.is(baseUrl('url', 'http://127.0.0.1:8081'), 'http://127.0.0.1:8081');
  t.is(headerSecret('apiKey', 'abc-123'), 'abc-123');
});

for (const [what, act, message] of [
  ['a wrong value', () => refuse('ttl', 'a number', 'x'), 'acmeDns: ttl must be a number, not "x"'],
  ['a BigInt', () => refuse('ttl', 'a number', 10n), 'acmeDns: ttl must be a number, not a value of type bigint'],
  ['a circle', () => refuse('ttl', 'a number', circle), 'acmeDns: ttl must be a number, not a value of type object'],
  [
    'a long text',
    () => refuse('zone', 'a name', 'x'.repeat(5_000)),
    `acmeDns: zone must be a name, not "${'x'.repeat(139)}…`,
  ],
  [
    'an address with a password in place of an object',
    () => members('server', 'postgres://sequencer:secret@db', ['host']),
    'acmeDns: server must be an object { host }, not "a text of 30 characters"',
  ],
  [
    'no object',
    () => members('server', undefined, ['host']),
    'acmeDns: server must be an object { host }, not "nothing"',
  ],
  [
    'an unknown member',
    () => members('server', { hots: 1 }, ['host']),
    'acmeDns: server: hots is not an option; known are host; did you mean host?',
  ],
  [
    'a fraction',
    () => wholeNumber('ttl', 0.5, { min: 0, max: 10 }),
    'acmeDns: ttl must be a whole number from 0 to 10, not 0.5',
  ],
  [
    'a number that is too high',
    () => wholeNumber('ttl', 11, { min: 0, max: 10 }),
    'acmeDns: ttl must be a whole number from 0 to 10, not 11',
  ],
] as const)
  test(`${what} is refused by name`, (t) => {
    t.throws(act, { instanceOf: TypeError, message });
  });

for (const [wrong, found] of [
  ['', 'a text of 0 characters that is not an address'],
  ['acme.test', 'a text of 9 characters that is not an address'],
  ['ftp://acme.test', 'another scheme'],
  ['https://user:pass@acme.test', 'credentials'],
  ['https://acme.test/?key=abcdefgh', 'a query'],
  ['https://acme.test/#x', 'a fragment'],
  [7, 'a value of type number'],
  [undefined, 'nothing'],
] as const)
  test(`an address that cannot be a base is refused with what was found, and not shown: ${JSON.stringify(wrong)}`, (t) => {
    const error = t.throws(() => baseUrl('url', wrong), { instanceOf: TypeError });
    const expected = 'an address https://HOST or http://HOST, without credentials, query and fragment';
    t.is(error?.message, `acmeDns: url must be ${expected}; found ${found}`);
  });

for (const [what, wrong] of [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['no member', {}],
  ['no function', { apply: 1, observe: 2 }],
  ['one of two', { apply: () => {} }],
] as const)
  test(`an object without its functions is refused: ${what}`, (t) => {
    t.throws(() => functions('provider', wrong, ['apply', 'observe']), {
      instanceOf: TypeError,
      message: 'acmeDns: provider must be an object with the functions apply, observe',
    });
  });

test('an object with its functions passes, be it of a class', (t) => {
  class Provider {
    apply() {}
    observe() {}
  }
  t.notThrows(() => functions('provider', new Provider(), ['apply', 'observe']));
});

for (const wrong of ['', 'short', 'two words', 'line\nbreak', 'ünïcode', 'x'.repeat(4_097), 7, undefined])
  test(`a key that no header can hold is refused, and not shown: ${JSON.stringify(wrong)?.slice(0, 20)}`, (t) => {
    const error = t.throws(() => headerSecret('apiKey', wrong), { instanceOf: TypeError });
    t.is(error?.message, 'acmeDns: apiKey must be a text of 6 to 4096 printable ASCII characters without spaces');
  });
