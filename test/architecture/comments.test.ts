import test from 'ava';
import { askingComments, overAllowance, untitled } from './comments.ts';

const file = (text: string) => [{ path: 'sdk/a.ts', text }];

test('a comment that begins with a question word is found', (t) => {
  t.deepEqual(askingComments(file('/** What it is. */\nconst a = 1;\n  /** Whether so. */')), [
    'sdk/a.ts:1: /** What it is. */',
    'sdk/a.ts:3: /** Whether so. */',
  ]);
  t.deepEqual(askingComments(file('/** Reports whether so. */\n/** Whatever. */\n// What it is.')), []);
});

test('a file of several exports begins with a sentence of its own', (t) => {
  const two = 'export const a = 1;\nexport interface B {}\n';
  const told = (text: string) => untitled(file(text)).length === 0;
  t.false(told(two));
  t.false(told(`import x from 'x';\n/** The file. */\n\n${two}`));
  t.false(told(`/** The constant. */\n${two}`));
  t.true(told(`/** The file. */\n\n${two}`));
  t.true(told(`/**\n * The file.\n * @packageDocumentation\n */\nimport x from 'x';\n${two}`));
  t.true(told(`#!/usr/bin/env node\n// The file.\nimport x from 'x';\n${two}`));
  t.true(told(`/** The file. */\n\n/** The constant. */\n${two}`));
  t.true(told('export const a = 1;\n'), 'one export speaks for itself');
});

test('a room has no more than it is allowed, and its allowance is what is left', (t) => {
  const found = ['sdk/a.ts:1: x', 'sdk/b/c.ts:1: y', 'sdk/b/c.ts:2: y'];
  t.deepEqual(overAllowance(found, { 'sdk/': 1, 'sdk/b/': 2 }), []);
  t.deepEqual(overAllowance(found, { 'sdk/': 3 }), []);
  t.deepEqual(overAllowance(found, { 'sdk/': 1, 'sdk/b/': 1 }), [...found.slice(1), 'sdk/b/: 2 in all, 1 allowed']);
  t.deepEqual(overAllowance(found, { 'sdk/': 1, 'sdk/b/': 4 }), ['sdk/b/: 2 are left, lower its allowance of 4']);
  t.deepEqual(overAllowance(['x'], {}), ['x', ': 1 in all, 0 allowed']);
});
