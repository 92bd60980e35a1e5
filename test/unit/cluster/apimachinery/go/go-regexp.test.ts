import test from 'ava';
import { goRegExp, regExpFault } from '../../../../cluster/apimachinery/go/go-regexp.ts';

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

test('what is not a pattern is none', (t) => {
  t.is(goRegExp('a('), undefined);
});

const faults: readonly (readonly [pattern: string, fault: string])[] = [
  ['a(', 'missing closing ): `a(`'],
  ['a)', 'unexpected ): `a)`'],
  ['[a', 'missing closing ]: `[a`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['(?=x)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(?<=x)', 'invalid named capture: `(?<=x)`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  [`(?:${'x{1000}'.repeat(4000)})`, `expression too large: \`(?:${'x{1000}'.repeat(4000)})\``],
  ['a\\', 'trailing backslash at end of expression: ``'],
];
for (const [pattern, fault] of faults)
  test(`of ${pattern.slice(0, 20)} is said what Go says`, (t) => {
    t.is(regExpFault(pattern), `error parsing regexp: ${fault}`);
    t.is(goRegExp(pattern), undefined);
  });

test('all matches are those that Go finds', (t) => {
  t.deepEqual(goRegExp('a*')?.findAll('baac', Infinity), ['', 'aa', '']);
  t.deepEqual(goRegExp('\\d+')?.findAll('1, 22, 333', 2), ['1', '22']);
  t.deepEqual(goRegExp('😀|é')?.findAll('aé😀', Infinity), ['é', '😀']);
  t.deepEqual(goRegExp('x')?.findAll('abc', Infinity), []);
});
