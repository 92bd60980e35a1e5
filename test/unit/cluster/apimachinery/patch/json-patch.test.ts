import test from 'ava';
import { applyJsonPatch } from '../../../../cluster/apimachinery/patch/json-patch.ts';
import { StatusError } from '../../../../cluster/apimachinery/status.ts';

const document = Object.freeze({
  a: 1,
  list: Object.freeze(['x', 'y']),
  deep: Object.freeze({ b: { c: 2 } }),
  'x/y~z': 3,
});

const cases: readonly (readonly [string, object, unknown])[] = [
  ['adds a member', { op: 'add', path: '/n', value: 5 }, { ...document, n: 5 }],
  ['adds to the end of a list', { op: 'add', path: '/list/-', value: 'z' }, { ...document, list: ['x', 'y', 'z'] }],
  ['inserts into a list', { op: 'add', path: '/list/0', value: 'w' }, { ...document, list: ['w', 'x', 'y'] }],
  ['removes an item', { op: 'remove', path: '/list/0' }, { ...document, list: ['y'] }],
  ['replaces a deep member', { op: 'replace', path: '/deep/b/c', value: 9 }, { ...document, deep: { b: { c: 9 } } }],
  ['adds when it replaces what is not there', { op: 'replace', path: '/n', value: 5 }, { ...document, n: 5 }],
  [
    'moves',
    { op: 'move', from: '/a', path: '/deep/a' },
    { list: document.list, 'x/y~z': 3, deep: { b: { c: 2 }, a: 1 } },
  ],
  ['copies', { op: 'copy', from: '/list', path: '/again' }, { ...document, again: ['x', 'y'] }],
  ['tests deeply', { op: 'test', path: '/deep', value: { b: { c: 2 } } }, document],
  ['tests an absent member as null', { op: 'test', path: '/nope', value: null }, document],
  ['reads escapes', { op: 'test', path: '/x~1y~0z', value: 3 }, document],
  ['replaces the whole', { op: 'replace', path: '', value: { z: 1 } }, { z: 1 }],
];
for (const [what, operation, expected] of cases) {
  test(what, (t) => t.deepEqual(applyJsonPatch(document, [operation]), expected));
}

const failures: readonly (readonly [string, object])[] = [
  ['a test of another value', { op: 'test', path: '/a', value: '1' }],
  ['a test below what is not there', { op: 'test', path: '/nope/x', value: null }],
  ['an index beyond the end', { op: 'add', path: '/list/3', value: 'z' }],
  ['an index that is not a number', { op: 'add', path: '/list/one', value: 'z' }],
  ['a member of a scalar', { op: 'add', path: '/a/b', value: 1 }],
  ['a move from nowhere', { op: 'move', from: '/nope', path: '/a' }],
  ['an unknown operation', { op: 'frobnicate', path: '/a' }],
  ['an operation that every JavaScript object has', { op: 'constructor', path: '/a' }],
  ['a move into itself', { op: 'move', from: '/deep', path: '/deep/b' }],
  ['a path without a slash', { op: 'remove', path: 'a' }],
];
for (const [what, operation] of failures) {
  test(`refuses ${what}`, (t) => {
    const error = t.throws(() => applyJsonPatch(document, [operation]), { instanceOf: StatusError });
    t.is(error?.code, 422);
  });
}

test('shares what it does not touch', (t) => {
  const patched = applyJsonPatch(document, [{ op: 'replace', path: '/a', value: 2 }]) as typeof document;
  t.is(patched.list, document.list);
});

test('what was copied and what it was copied from are changed apart', (t) => {
  const patched = applyJsonPatch(document, [
    { op: 'add', path: '/deep/b/d', value: 3 },
    { op: 'copy', from: '/deep', path: '/again' },
    { op: 'add', path: '/again/b/c', value: 9 },
    { op: 'remove', path: '/deep/b/d' },
  ]) as typeof document & { again: object };
  t.deepEqual([patched.deep, patched.again], [{ b: { c: 2 } }, { b: { c: 9, d: 3 } }]);
});

test('neither the document nor the patch is changed', (t) => {
  const value = Object.freeze({ list: Object.freeze([1]) });
  const patch = [
    { op: 'add', path: '/n', value },
    { op: 'add', path: '/n/list/-', value: 2 },
    { op: 'add', path: '/list/-', value: 'z' },
    { op: 'add', path: '/__proto__', value: 1 },
  ];
  const before = structuredClone(document);
  const patched = applyJsonPatch(document, patch) as { n: object };
  t.deepEqual(patched.n, { list: [1, 2] });
  t.deepEqual(Object.entries(patched).at(-1), ['__proto__', 1]);
  t.deepEqual(document, before);
});
