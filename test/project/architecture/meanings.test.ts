import test from 'ava';
import { ambiguousNames } from './meanings.ts';

const names = (...texts: readonly string[]): readonly string[] =>
  ambiguousNames(texts.map((text, index) => ({ path: `sdk/${index}.ts`, text })));

test('a name that two files export with different meanings is reported, with the files', (t) => {
  t.deepEqual(names('export interface A {\n  a: 1;\n}\n', 'export const A = 1;\n', 'export type B = 1;\n'), [
    'A has several meanings: sdk/0.ts, sdk/1.ts; rename one by what it is of',
  ]);
});

test('types count whether they are exported or not, other declarations of a module do not', (t) => {
  t.is(names('type A = 1;\n', 'interface A {\n  a: 1;\n}\n').length, 1);
  t.is(names('const a = 1;\n', 'export function a() {}\n').length, 0);
  t.is(names('function a() {\n  type B = 1;\n}\n', 'type B = 2;\n').length, 0);
});

test('one declaration passed on, repeated word by word, or made of a type and a value is one meaning', (t) => {
  t.deepEqual(names('export type A = 1;\n', "export type { A } from './0.ts';\n"), []);
  t.deepEqual(names('type A = 1;\n', 'export type A = 1;\n'), []);
  t.deepEqual(names('export interface A {\n  a: 1;\n}\n\nexport const A: A = { a: 1 };\n'), []);
});
