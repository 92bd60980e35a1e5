import test from 'ava';
import { createEnvironment } from '../../../../cluster/cel/environment.ts';
import { formatErrors } from '../../../../cluster/cel/syntax/expression-errors.ts';
import { parseExpression } from '../../../../cluster/cel/syntax/parse.ts';

const times = (count: number, one: string, between = ''): string =>
  Array.from({ length: count }, () => one).join(between);

function faultsOf(source: string): string | undefined {
  const result = parseExpression(source);
  return 'faults' in result ? formatErrors(source, result.faults) : undefined;
}

const tooDeep = 'ERROR: <input>:-1:0: expression recursion limit exceeded: 250';
const tooLong = 'ERROR: <input>:-1:0: max recursion depth exceeded';

// As kube-apiserver 1.34.1 answers.
const limits: readonly (readonly [what: string, of: (count: number) => string, refusal: string])[] = [
  ['sums', (count) => times(count, '1', '+'), tooLong],
  ['products', (count) => times(count, '1', '*'), tooLong],
  ['relations', (count) => `true${times(count, ' == true')}`, tooLong],
  ['members', (count) => `self${times(count, '.a')}`, tooLong],
  ['indices', (count) => `self${times(count, '[0]')}`, tooLong],
  ['calls', (count) => `"a"${times(count, '.trim()')}`, tooLong],
  ['parentheses', (count) => `${times(count, '(')}true${times(count, ')')}`, tooDeep],
  ['lists', (count) => `${times(count, '[')}1${times(count, ']')}`, tooDeep],
];
for (const [what, of, refusal] of limits)
  test(`249 ${what} are an expression, 251 too many`, (t) => {
    t.is(faultsOf(of(249)), undefined);
    t.is(faultsOf(of(251)), refusal);
  });

test('there may be any number of terms of a conjunction or disjunction', (t) => {
  t.is(faultsOf(times(20_000, 'x', '&&')), undefined);
  t.is(faultsOf(times(20_000, 'x', '||')), undefined);
});

test('of more than a hundred faults the others are counted', (t) => {
  const faults = Array.from({ length: 103 }, (_, at) => ({ at, message: 'no' }));
  const lines = formatErrors('x'.repeat(200), faults).split('\n');
  t.is(lines.length, 301);
  t.is(lines.at(-1), '3 more errors were truncated');
});

// Without a bound each of them takes as long as 2 to the power of 60 steps.
test('macros that copy their target, and types that double, are refused', (t) => {
  const environment = createEnvironment([]);
  const sources = [
    `optional.of(1)${times(60, '.optMap(x, x)')}.hasValue()`,
    `[1]${times(60, '.map(a, {a: a})')}.size() == 1`,
  ];
  for (const source of sources) t.deepEqual(environment.compile(source), { fault: tooLong });
});
