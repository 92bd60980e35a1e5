import test from 'ava';
import {
  askingComments,
  staleDefaults,
  uncommented,
  untitled,
  vagueComments,
  vagueTexts,
  vagueTitles,
} from './comments.ts';

const file = (text: string) => [{ path: 'sdk/a.ts', text }];

test('a comment that begins with a question word is found', (t) => {
  t.deepEqual(askingComments(file('/** What it is. */\nconst a = 1;\n  /** Whether so. */')), [
    'sdk/a.ts:1: /** What it is. */',
    'sdk/a.ts:3: /** Whether so. */',
  ]);
  t.deepEqual(askingComments(file('/** Reports whether so. */\n/** Whatever. */\n// What it is.')), []);
  t.deepEqual(askingComments(file('const a = 1;\n/**\n * Who it is:\n * her.\n */')), ['sdk/a.ts:2: /** * Who it is:']);
});

test('a comment with a word for an untold person is found, and a text is not', (t) => {
  t.deepEqual(
    vagueComments(file('/** Whoever asks. */\nconst a = 1; // seen by nobody\n/**\n * Text.\n * Somebody else.\n */')),
    ['sdk/a.ts:1: /** Whoever asks. */', 'sdk/a.ts:2: const a = 1; // seen by nobody', 'sdk/a.ts:5: * Somebody else.'],
  );
  t.deepEqual(vagueComments(file("const nobody = 'https://example.test/somebody';\n/** A body. */")), []);
});

test('a clause that begins with who is found, and one about a noun is not', (t) => {
  for (const text of ['/** Kept by who asks. */', '/** In turn: who asks waits. */', '// Sent to those who ask.'])
    t.is(vagueComments(file(text)).length, 1, text);
  for (const text of ['/** The user who asks. */', '/** Asks who its users are. */', '/** A person, who answers. */'])
    t.is(vagueComments(file(text)).length, 0, text);
});

test('a text with such a word is found', (t) => {
  t.deepEqual(vagueTexts(file("const title = 'left alone';\nconst hint = 'a promise that nobody awaits';")), [
    "sdk/a.ts:2: const hint = 'a promise that nobody awaits';",
  ]);
  t.deepEqual(vagueTexts(file("const title = 'its body, by some body';")), []);
});

test('a title with such a word is found, also in a table or of a macro; a name in the body of a test is not', (t) => {
  const title = 'a page that nobody reads';
  t.deepEqual(vagueTitles(file(`test('${title}', (t) => {`)), [`sdk/a.ts:1: '${title}'`]);
  t.deepEqual(vagueTitles(file(`test.serial(\n  \`\${name}: ${title}\`,`)), [`sdk/a.ts:2: \`\${name}: ${title}\``]);
  t.deepEqual(vagueTitles(file("story('who asks gets it', 1);\n  ['a', 'what everybody is reported', 2],")), [
    "sdk/a.ts:1: 'who asks gets it'",
    "sdk/a.ts:2: 'what everybody is reported'",
  ]);
  t.deepEqual(vagueTitles(file("test('a page', (t) => {\n  t.is(userOf(page), 'nobody');\n});")), []);
});

test('a default of a comment that the code does not have is found', (t) => {
  const found = (text: string, other = '') =>
    staleDefaults([...file(text), { path: 'sdk/b.ts', text: other }]).length === 1;
  const option = '/** Limit. @default 60 000 */\n';
  t.true(found(option));
  t.true(found(`${option}// 60_000`));
  t.true(found(option, 'const a = 60_000;'));
  t.false(found(`${option}const a = 60_000;`));
  t.false(found(`${option}const a = 10 * 6_000;`));
  t.false(found(`import { b } from './b.ts';\n${option}`, 'export const b = 60_000;'));
  t.false(found('/** Delay. @default 0 */'));
  t.false(found('/** Limit. @default 60 000 by the cluster */'), 'a text');
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

test('a file that does not begin with a comment is found', (t) => {
  const found = (text: string) => uncommented(file(text)).length === 1;
  t.true(found("import x from 'x';\n\n/** The constant. */\nexport const a = x;\n"));
  t.false(found("/** The file. */\n\nimport x from 'x';\n"));
  t.false(found('/** The constant. */\nexport const a = 1;\n'));
  t.false(found('#!/usr/bin/env node\n// The program.\n'));
});
