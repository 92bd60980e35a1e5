import test from 'ava';
import { goRegExp } from './go-regexp.ts';

const cases: readonly (readonly [pattern: string, fits: string, other: string])[] = [
  ['(?i)^abc$', 'ABC', 'abd'],
  ['^(?i)[a-z_]+$', 'A_b', 'a1'],
  ['^(a(?i)b)c$', 'aBc', 'aBC'],
  ['^\\(?i\\)$', '(i)', 'I'],
  ['^[(?i)]+$', '(i)', 'I'],
  ['^(?P<year>\\d+)\\z', '2026', '2026a'],
  ['^[[:alpha:]]+$', 'abc', 'a1'],
];
for (const [pattern, fits, other] of cases)
  test(`${pattern} fits ${fits}, not ${other}`, (t) => {
    t.true(goRegExp(pattern)?.test(fits));
    t.false(goRegExp(pattern)?.test(other));
  });

test('what is no pattern is none', (t) => {
  t.is(goRegExp('a('), undefined);
});
