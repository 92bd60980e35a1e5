import test from 'ava';
import {
  badNames,
  doesSomething,
  environmentReaders,
  overBudget,
  scatteredRetries,
  selfLocating,
  statementRules,
  untested,
} from './shape.ts';
import { scan } from './source.ts';

const file = (text: string, path = 'sdk/a.ts') => scan({ path, text });

test('a file, a function and a parameter list over their budgets are named with their line', (t) => {
  const blank = (lines: number) => '\n'.repeat(lines);
  t.deepEqual(overBudget([file(`${blank(250)}const a = 1;`)]), ['sdk/a.ts: 251 lines, 250 at most']);
  t.deepEqual(overBudget([file(`\nconst long = () => {${blank(60)}};`)]), [
    'sdk/a.ts:2: long has 61 lines, 60 at most',
  ]);
  t.deepEqual(overBudget([file('class A { many(a: 1, b: 2, c: 3, d?: 4) {} }')]), [
    'sdk/a.ts:1: many has 4 parameters, 3 at most',
  ]);
  t.deepEqual(overBudget([file(`${blank(249)}function f(a: 1, b: 2, c: 3) {}`)]), []);
  const branched = (count: number) => `function f(a: 1) {${' if (a) a;'.repeat(count)} }`;
  t.deepEqual(overBudget([file(branched(10))]), ['sdk/a.ts:1: f has 11 branches, 10 at most']);
  t.deepEqual(overBudget([file(branched(9))]), []);
});

test('vague and oddly spelled file names are refused', (t) => {
  t.is(badNames(['sdk/utils.ts', 'sdk/api/types.ts', 'test/helpers.test.ts', 'sdk/aB.ts']).length, 4);
  t.deepEqual(badNames(['sdk/api/next-run.ts', 'test/rfc2136.test.ts']), []);
});

test('default exports, barrels and module state are refused', (t) => {
  t.deepEqual(statementRules([file('export default 1;')]), ['sdk/a.ts: has a default export']);
  t.is(statementRules([file(`export * from './b.ts';`)]).length, 1);
  t.is(statementRules([file('let a = 1;')]).length, 1);
  t.is(statementRules([file('export let a: number;')]).length, 1);
  t.is(statementRules([file('const cache = new Map<string, number>();')]).length, 1);
  t.deepEqual(statementRules([file(`const known = new Set(['a']); const f = () => { let b = 1; return b; };`)]), []);
});

test('the environment is read by the command line alone', (t) => {
  const text = 'const f = () => process.env.HOME;';
  t.is(environmentReaders([file(text)]).length, 1);
  t.is(environmentReaders([file(text, 'sequencer/cli/main.ts')]).length, 0);
});

test('a file with numbers of retries of its own is named', (t) => {
  for (const text of [
    'const jitter = 0.5;',
    'f({ initialDelay: 100 });',
    'const f = ({ maxDelay = 5 }) => maxDelay;',
    'f(options.retryInterval ?? 900_000);',
    'f(retryDelay ?? 15 * 60_000);',
  ])
    t.is(scatteredRetries([file(text)]).length, 1, text);
  t.is(scatteredRetries([file('const { initialDelay = policy.initialDelay } = options;')]).length, 0);
  t.is(scatteredRetries([file('f(options.retries ?? policy.retries, options.jitter ?? 0);')]).length, 0);
  t.is(scatteredRetries([file('const jitter = 0.5;', 'sdk/retry.ts')]).length, 0);
  t.is(scatteredRetries([file('create({ maxAttempts: 1 });')]).length, 0);
  t.is(scatteredRetries([file('create({ maxAttempts: 2 });')]).length, 1);
});

test('a file that asks where it is is named', (t) => {
  t.is(selfLocating([file('const here = import.meta.dirname;')]).length, 1);
  t.is(selfLocating([file(`const there = import.meta.resolve('undici');`)]).length, 0);
});

test('a file that only holds types or passes names on does nothing', (t) => {
  t.false(doesSomething(file(`import type { A } from './b.ts'; export interface C extends A {}`)));
  t.false(doesSomething(file(`export { a } from './b.ts'; export type { B } from './b.ts';`)));
  t.true(doesSomething(file('export const a = 1;')));
});

test('a file without its test is named, and so is an excuse that has become needless', (t) => {
  const files = [file('export const a = 1;')];
  t.deepEqual(untested(files, new Set(), {}), ['sdk/a.ts: no test; expected test/unit/sdk/a.test.ts']);
  t.deepEqual(untested(files, new Set(['test/unit/sdk/a.test.ts']), {}), []);
  t.deepEqual(untested(files, new Set(['test/unit/sdk/b.test.ts']), { 'sdk/a.ts': 'test/unit/sdk/b.test.ts' }), []);
  t.deepEqual(untested(files, new Set(['test/unit/sdk/a.test.ts']), { 'sdk/a.ts': 'test/unit/sdk/a.test.ts' }), [
    'sdk/a.ts: is excused from having a test, but has one',
  ]);
  t.deepEqual(untested([], new Set(), { 'sdk/a.ts': 'test/unit/sdk/b.test.ts' }), [
    'sdk/a.ts: is excused from having a test, but is gone',
  ]);
});
