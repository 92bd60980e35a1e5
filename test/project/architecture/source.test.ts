import test from 'ava';
import { scan, targetOf } from './source.ts';

test('imports are told apart by when they load', (t) => {
  const { imports } = scan({
    path: 'sdk/client/a.ts',
    text: `
      import { a, type B } from './b.ts';
      import type { C } from '../api/c.ts';
      export { d } from './d.ts';
      export type { E } from './e.ts';
      const f: import('./f.ts').F = await import('./g.ts');`,
  });
  t.deepEqual(imports.map(({ when, target }) => `${when} ${target}`).sort(), [
    'lazy sdk/client/g.ts',
    'static sdk/client/b.ts',
    'static sdk/client/d.ts',
    'type sdk/api/c.ts',
    'type sdk/client/e.ts',
    'type sdk/client/f.ts',
  ]);
});

test('a path inside a package names the package', (t) => {
  t.is(targetOf('sdk/a.ts', '@scope/name/deep/file.js'), '@scope/name');
  t.is(targetOf('sdk/a.ts', 'name/deep.js'), 'name');
  t.is(targetOf('sdk/a.ts', 'node:fs/promises'), 'node:fs/promises');
});

test('functions are measured with their names', (t) => {
  const { functions } = scan({
    path: 'a.ts',
    text: 'function f(a: string) {}\nconst g = (a: 1, b: 2) => {\n};\nclass C { h() {} }',
  });
  t.deepEqual(
    functions.map(({ name, line, lines, parameters }) => [name, line, lines, parameters]),
    [
      ['f', 1, 1, 1],
      ['g', 2, 2, 2],
      ['h', 4, 1, 0],
    ],
  );
});

test('branches are those of the function itself', (t) => {
  const branchesOf = (body: string) =>
    scan({ path: 'a.ts', text: `function f(a: any) { ${body} }` }).functions.find(({ name }) => name === 'f')?.branches;
  const bodies: readonly (readonly [body: string, branches: number])[] = [
    ['', 1],
    ['if (a) a(); else if (a.b) a();', 3],
    ['return a ? a && a.b : a ?? a.c;', 4],
    ['for (const one of a) while (one) one();', 3],
    ['switch (a) { case 1: case 2: a(); default: }', 3],
    ['a ||= 1;', 2],
    ['return a.map((one: any) => (one ? 1 : 2));', 1],
  ];
  for (const [body, branches] of bodies) t.is(branchesOf(body), branches, body);
});

test('a file with a shebang is read', (t) => {
  t.is(scan({ path: 'a.ts', text: '#!/usr/bin/env node\nconst a: number = 1;' }).lines, 2);
});

test('imports of a file with JSX are found, and its statements', (t) => {
  const text = `import { useState } from 'preact/hooks';\nuseState(1);\nimport type { Row } from './row.ts';\nexport const One = ({ name }: Row) => <b>{name}</b>;\n`;
  const { imports, lines, program } = scan({ path: 'sequencer/page/browser/one.tsx', text });
  t.deepEqual(
    imports.map(({ target, when }) => [target, when]),
    [
      ['preact', 'static'],
      ['sequencer/page/browser/row.ts', 'type'],
    ],
  );
  t.is(lines, 4);
  t.true(program.body.some(({ type }) => type === 'ExportNamedDeclaration'));
});
