import test from 'ava';
import { errorOf, messageOf, retryAfterOf } from '../../../sdk/index.ts';

const trap = (): never => {
  throw new Error('trap');
};
const hostile = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap });

for (const [title, thrown, message] of [
  ['an error', new Error('lost'), 'lost'],
  ['an error with a secret', new Error('https://a:b@h'), 'https://***@h'],
  ['an error without a message', new RangeError(), 'RangeError'],
  [
    'an error whose message is an object',
    Object.assign(new Error(), { message: { code: 1 } }),
    'Error: its message is an object with code',
  ],
  ['an error of errors', new AggregateError([new Error('a'), 'b']), 'a; b'],
  ['an object with a message', { message: 'lost' }, 'lost'],
  ['an object without a prototype', Object.assign(Object.create(null), { code: 1 }), 'an object with code'],
  ['an object whose members throw', hostile, 'an error that cannot be read'],
  ['a text', 'lost', 'lost'],
  ['half of a character', '\ud83d', '\ufffd'],
  ['a symbol', Symbol('lost'), 'Symbol(lost)'],
  ['null', null, 'null'],
] as const)
  test(`${title} is reported as ${message}`, (t) => {
    t.is(messageOf(thrown), message);
  });

test('what is thrown becomes an Error, with itself as cause where it is none', (t) => {
  const error = new Error('lost');
  t.is(errorOf(error), error);
  t.like(errorOf('lost'), { message: 'lost', cause: 'lost' });
  t.is(errorOf(hostile).message, 'an error that cannot be read');
});

test('a delay is a number of ms; what is none is no wish', (t) => {
  t.is(retryAfterOf({ retryAfter: 5 }), 5);
  t.is(retryAfterOf({ retryAfter: -5 }), 0);
  for (const thrown of [{ retryAfter: 'soon' }, { retryAfter: Number.NaN }, {}, null, undefined, 5, hostile])
    t.is(retryAfterOf(thrown), undefined);
});

test('anything thrown becomes an Error with a message', (t) => {
  const error = new Error('x');
  t.is(errorOf(error), error);
  t.like(errorOf(undefined), { message: 'undefined', cause: undefined });
  t.is(messageOf('text'), 'text');
});

test('a message of any length is reported in part', (t) => {
  t.is(messageOf(new Error('m'.repeat(1_000_000))).length, 65_536);
});
