import test from 'ava';
import fc from 'fast-check';
import {
  compareResourceVersions,
  hasReached,
  isComparable,
  isOlder,
} from '../../../../../sdk/client/cache/resource-version.ts';

test('orders versions as integers of any size', (t) => {
  const version = fc.bigInt({ min: 0n, max: 2n ** 70n });
  fc.assert(
    fc.property(version, version, (a, b) => {
      t.is(Math.sign(compareResourceVersions(String(a), String(b)) as number), a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test('says nothing about what is not a decimal integer', (t) => {
  for (const odd of ['', '007', '-1', '1.5', 'abc', undefined]) {
    t.is(compareResourceVersions(odd, '1'), undefined);
    t.false(isOlder(odd, '1'));
    t.false(hasReached('1', odd));
  }
  t.true(isComparable('0'));
  t.false(isComparable('etag-7'));
});

test('has reached what is as old or older', (t) => {
  t.true(hasReached('10', '9'));
  t.true(hasReached('10', '10'));
  t.false(hasReached('9', '10'));
  t.false(hasReached(undefined, '1'));
  t.true(isOlder('9', '10'));
});
