import test from 'ava';
import { misspeltIn, refuseUnknown, unknownIn } from '../../../sdk/options.ts';

test('an unknown option is refused, naming it and those that are known', (t) => {
  t.throws(() => refuseUnknown('memoryDns', { target: 'x', traget: 'y' }, ['provider', 'target']), {
    instanceOf: TypeError,
    message: 'memoryDns: traget is not an option; known are provider, target; did you mean target?',
  });
});

for (const [options, found] of [
  [undefined, 'undefined'],
  [null, 'null'],
  ['hidden-token', 'a text'],
  [5, '5'],
  [[], 'an array'],
  [() => ({}), 'a function'],
] as const)
  test(`options that are no object are refused, and a text is not shown: ${found}`, (t) => {
    t.throws(() => refuseUnknown('memoryDns', options as never, ['provider', 'target']), {
      instanceOf: TypeError,
      message: `memoryDns: must be given an object { provider, target }; found ${found}`,
    });
  });

test('known options pass, whatever their values', (t) => {
  t.notThrows(() => refuseUnknown('memoryDns', { target: undefined }, new Set(['provider', 'target'])));
  t.notThrows(() => refuseUnknown('memoryDns', {}, []));
});

test('options within options are named with where they stand', (t) => {
  t.is(
    unknownIn({ pauze: 1 }, ['pause'], 'breaker.'),
    'breaker.pauze is not an option; known are pause; did you mean breaker.pause?',
  );
  t.is(unknownIn({ pause: 1 }, ['pause'], 'breaker.'), undefined);
});

test('where no known name is near, none is named', (t) => {
  t.is(unknownIn({ resync: 1 }, ['selection']), 'resync is not an option; known are selection');
});

test('a member is misspelt when it looks like a known one that is absent', (t) => {
  const known = ['id', 'secret'];
  t.is(misspeltIn({ id: 1, secrets: 2 }, known), 'secrets is not a member; did you mean secret?');
  for (const value of [{}, { id: 1, uid: 2 }, { secret: 1, secrets: 2 }, { id: 1, region: 2 }])
    t.is(misspeltIn(value, known), undefined);
});
